/** Meaning by a model of one's own: here a list of what a warehouse calls things. Run: npx node examples/own-embedder.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory, type TextEmbedder } from "../src/index.ts"; // in your own project: from "loci"

/** Words that mean the same in this place; a general model knows nothing of them. */
const JARGON = [
  ["tote", "bin", "kiste", "k7"],
  ["dock", "charger", "ladestation"],
  ["picker", "worker", "kommissionierer"],
];

const jargon: TextEmbedder = {
  // Vectors are comparable only under the same id: give another one another name.
  info: { id: "warehouse-jargon@1", dim: JARGON.length },
  batchSize: 64,
  /** Vectors of unit length in the order of the lines; null for a line that says nothing. */
  async embed(lines) {
    return lines.map((line) => {
      const words = line.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
      const counts = JARGON.map((same) => words.filter((word) => same.includes(word)).length);
      const length = Math.hypot(...counts);
      return length === 0 ? null : Float32Array.from(counts, (count) => count / length);
    });
  },
  async close() {},
};

const folder = mkdtempSync(join(tmpdir(), "loci-example-"));
const memory = await openMemory(folder, { embedder: jargon });
await memory.remember("A K7 stands at gate 3.", { at: { x: 3, y: 0, z: 0 } });
await memory.remember("The Ladestation is behind the shelf.", { at: { x: 9, y: 4, z: 0 } });

// No word of the questions is in the facts.
for (const question of ["an empty tote", "somewhere to find a charger"]) {
  const [hit] = await memory.captions().meaning(question).find(1);
  console.log(`${question}: ${hit?.record.text[0]}`);
}
await memory.close();

// Another model does not read these vectors by mistake.
const other = await openMemory(folder, { embedder: "hashing:64" });
await other
  .captions()
  .meaning("tote")
  .find(1)
  .catch(({ code }: { code: string }) => console.log("another model:", code));
await other.close();
rmSync(folder, { recursive: true });

/** What a memory is: facts in, questions by meaning, place and time. Run: npx node examples/quick-start.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "../src/index.ts"; // in your own project: from "loci"

const folder = mkdtempSync(join(tmpdir(), "loci-example-"));
const memory = await openMemory(folder);

await memory.remember("The red mug stands on the kitchen table.", {
  at: { x: 2.1, y: 1.4, z: 0.8 },
  time: "2026-03-02T08:05:00Z",
});
await memory.remember("A bicycle leans against the garage wall.", {
  at: { x: 14, y: -3, z: 0.5 },
  time: "2026-03-02T08:40:00Z",
});

// By meaning and words together, near a place, within a span of time.
const [hit] = await memory
  .captions()
  .like("something to drink from")
  .near({ x: 2, y: 1, z: 1 }, 3)
  .during("2026-03-02T08:00:00Z", "2026-03-02T09:00:00Z")
  .find(1);
console.log(hit?.record.text[0], hit?.position, hit?.scores);

// What the memory believed before any of this was written.
const before = memory.as({ asOfMemoryUs: 0 });
console.log("known at the epoch:", await before.captions().count());

await memory.close();
rmSync(folder, { recursive: true });

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openMemory } from "../../compose/memory.ts";
import { openOpenAiChat } from "../../models/language/openai-chat.ts";
import { imagesIn, sayJson, startScriptedServer } from "../../models/testing/scripted-server.ts";
import { systemStrategy } from "../runner/system-strategy.ts";
import { evaluateDataset, loadDataset } from "./index.ts";

const base = mkdtempSync(join(tmpdir(), "loci-picture-questions-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let folders = 0;

/** A dataset's folder with three pictures, a clip of twenty, and these items. */
function folderOf(items: object[]): string {
  const folder = join(base, `data-${folders++}`);
  mkdirSync(join(folder, "clip"), { recursive: true });
  for (const name of ["a", "b", "c"])
    writeFileSync(join(folder, `${name}.png`), Buffer.from([0x89, 0x50, name.charCodeAt(0)]));
  for (let n = 0; n < 20; n++) writeFileSync(join(folder, "clip", `${n}.jpg`), Buffer.from([0xff, 0xd8, n]));
  writeFileSync(join(folder, "pictures.json"), JSON.stringify({ name: "erqa", items }));
  return folder;
}
const item = (more: object) => ({
  id: "1",
  question: "Which way?",
  options: ["left", "right"],
  answer: "B",
  images: ["a.png", "b.png"],
  ...more,
});

describe("questions that bring their own pictures", () => {
  it("are asked of their pictures alone, and scored by their letters", async () => {
    const folder = folderOf([
      item({}),
      item({ id: "2", answer: "left", images: undefined, clip: "clip", category: "motion" }),
    ]);
    const server = await startScriptedServer();
    server.otherwise = sayJson({ basis: "view", answer: "To the right.", choice: "B", confidence: 0.9 });
    const model = openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", retries: 0 });
    const report = await evaluateDataset({
      dataset: "pictures",
      folder,
      strategies: [systemStrategy("r4", { model, id: "model" })],
      commit: "test",
      parallel: 1,
      makeMemory: async (id) => {
        const memory = await openMemory(join(base, `memory-${folders++}-${id}`), { embedder: "hashing:64" });
        return {
          reader: await memory.reader(),
          embedder: await memory.embedder(),
          write: (batch) => memory.write(batch),
          close: () => memory.close(),
        };
      },
    });
    await server.close();
    // Three samples each: two pictures, then sixteen of twenty.
    expect(server.asked.map(imagesIn)).toEqual([2, 2, 2, 16, 16, 16]);
    // One of the two is to the right.
    const { overall } = report.results.find(({ strategy }) => strategy === "model")!;
    expect({ answered: overall.answered, match: overall.match.value }).toEqual({ answered: 2, match: 50 });
  }, 30_000);

  it.each([
    [item({ clip: "clip" }), /"images" or a "clip", and not both/],
    [item({ answer: "C" }), /the answer of 1 is none of its 2 options/],
    [item({ images: ["../secret.png"] }), /outside of the dataset's folder/],
    [item({ images: ["/etc/passwd"] }), /outside of the dataset's folder/],
    [item({ images: undefined, clip: "nowhere" }), /has no clip at/],
  ])("are refused in one line where they are wrong: %j", (wrong, line) => {
    expect(() => loadDataset("pictures", folderOf([wrong]))).toThrow(line);
  });
});

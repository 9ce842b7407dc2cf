import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SqliteEngine } from "./engine.ts";
import { notePath } from "./head.ts";

it("a note that was never written is none, one that is not as it was written is damaged", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-head-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const engine = await SqliteEngine.open({ folder });
  onTestFinished(() => engine.close());
  const note = notePath(join(folder, "memory.db"));
  const problems = async () => (await engine.verify()).problems;

  // As after a kill, or with a full disk, between making the file and writing into it.
  writeFileSync(note, "");
  expect(await problems()).toEqual([]);

  writeFileSync(note, "loci head");
  expect(await problems()).toEqual([expect.stringContaining("the note of the last commit cannot be read")]);
});

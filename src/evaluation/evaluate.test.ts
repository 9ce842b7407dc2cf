import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { evaluateSuite } from "./evaluate.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-evaluate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("keeps what it made in a folder that was not there", async () => {
  const object = { category: "lamp", position: [1, 1, 1], lang_desc: "the lamp by the door" };
  const objects = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, object]));
  writeFileSync(join(folder, "objects.json"), JSON.stringify({ flat: objects }));
  const keep = join(folder, "not", "there", "yet");
  const { report } = await evaluateSuite({ suite: "goat", data: folder, keep });
  expect(report.questions.total).toBeGreaterThan(0);
  expect(existsSync(keep)).toBe(true);
});

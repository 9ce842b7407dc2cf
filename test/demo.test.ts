import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const BIN = join(import.meta.dirname, "../bin/loci.mjs");

it("the demo runs to its end", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, "demo", "--once", "--json"]);
  const { questions } = JSON.parse(stdout) as { questions: { status: string; text: string }[] };
  expect(questions).toHaveLength(13);
  expect(questions.filter(({ status }) => status === "answered").length).toBeGreaterThan(7);
  for (const { text } of questions) expect(text).not.toBe("");
}, 600_000);

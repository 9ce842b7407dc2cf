import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "../examples");

/** What each example must have printed, so that it is seen to do what the README says of it. */
const PRINTS: Record<string, RegExp[]> = {
  "quick-start.ts": [
    /^The red mug stands on the kitchen table\. \{ x: 2\.1, y: 1\.4, z: 0\.8 \}/,
    /known at the epoch: 0/,
  ],
  "moved-object.ts": [
    /last seen 2026-03-02T08:05/,
    /looked for in vain 2026-03-02T08:30/,
    /there now: 0/,
    /there at 08:10: 1/,
    /before the robot looked: 1/,
    /x by the corrected map 2\.5 and by the old one 2\n/,
  ],
};

it("every example has its test", () => {
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .sort(),
  ).toEqual(Object.keys(PRINTS).sort());
});

it.each(Object.keys(PRINTS))("%s runs and says what it should", async (name) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, name)]);
  for (const line of PRINTS[name]!) expect(stdout).toMatch(line);
});

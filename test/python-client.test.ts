import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "../clients/python");
const found = spawnSync("python3", ["-c", "import sys; print(sys.version_info >= (3, 9))"], {
  encoding: "utf8",
});
const missing = found.stdout?.trim() === "True" ? "" : " (skipped: no python3 of 3.9 or newer here)";

/** The client's own tests, which start real servers of their own, on the system's python3. */
describe(`the Python client${missing}`, () => {
  it.skipIf(missing).each([
    ["Calls", 11],
    ["Streams", 2],
    ["Outbox", 6],
    ["Access", 1],
  ])(
    "%s",
    async (name, count) => {
      const { stderr } = await promisify(execFile)("python3", ["-m", "unittest", `test_loci.${name}`], {
        cwd: FOLDER,
        env: { ...process.env, LOCI_NODE: process.execPath, PYTHONDONTWRITEBYTECODE: "1" },
        timeout: 240_000,
      });
      expect(stderr).toMatch(new RegExp(`Ran ${count} tests? in .*\\n\\nOK\\n$`));
    },
    250_000,
  );
});

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const url = process.env["LOCI_TEST_POSTGRES_URL"];

/** What a script of bench/postgres says of a real server, counted by itself: "good: …" or "WRONG: …". */
async function verdict(script: string, ...args: string[]): Promise<string> {
  const path = join(import.meta.dirname, "../bench/postgres", script);
  const { stdout } = await promisify(execFile)(process.execPath, [path, url!, ...args]);
  return stdout;
}

describe.skipIf(url === undefined)("a fleet on a real PostgreSQL (LOCI_TEST_POSTGRES_URL)", () => {
  it("two robots, each a process, that see the same things at once end with one track for each", async () => {
    expect(await verdict("two-robots.ts", "6")).toMatch(/^good: 12 things .* 12 open states, 12 tracks/);
  });

  it("a memory goes there and back, killed once on each way, and is the same", {
    timeout: 600_000,
  }, async () => {
    expect(await verdict("there-and-back.ts", "6000")).toMatch(/^good: /);
  });
});

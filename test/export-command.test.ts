import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestHouse, START_US, type TestHouse } from "../src/exchange/testing/small-house.ts";

const BIN = join(import.meta.dirname, "../bin/loci.mjs");
const out = mkdtempSync(join(tmpdir(), "loci-export-command-"));
let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(async () => {
  await house?.close();
  rmSync(out, { recursive: true, force: true });
});

async function loci(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, LOCI_MEMORY: house.folder };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [BIN, ...args], { env });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

describe("the export command", () => {
  it("writes what the name ends in, at a moment, as one JSON document", async () => {
    const file = join(out, "then.json");
    const said = await loci("export", file, "--at", String(START_US + 5e6), "--labels", "none", "--json");
    expect(JSON.parse(said.out)).toMatchObject({ file, format: "rooms", things: 3 });
    expect(readFileSync(file, "utf8")).toContain("mug-before");
  });

  it("takes a format whatever the name, and notes what one should know", async () => {
    const file = join(out, "house.txt");
    const { code, out: said, err } = await loci("export", file, "--format", "geojson");
    expect(code).toBe(0);
    expect(said).toMatch(/^wrote 2 rooms, 4 things, \d+ places to .*house\.txt \(geojson, \d+ kB\)\n$/);
    expect(err).toContain("note: coordinates are local metres");
  });

  it.each([
    [["house.txt"], /ends in none of .*say which --format/],
    [["house.yaml", "--floor", "7"], /expected a floor from 0 to 0, got 7/],
    [["house.yaml", "--floor", "up"], /expected a storey from 0/],
    [["house.jsonl", "--scene", "default"], /jsonl holds everything/],
    [["house.glb", "--format", "obj"], /Allowed choices are jsonl, mcap, glb/],
  ])("refuses %j in one line", async ([name, ...args], reason) => {
    const file = join(out, `refused-${name}`);
    const { code, err } = await loci("export", file, ...args);
    expect(code).not.toBe(0);
    expect(err).toMatch(reason);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(existsSync(file)).toBe(false);
  });
});

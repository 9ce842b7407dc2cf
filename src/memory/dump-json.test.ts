import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contentDigest } from "./dump-json.ts";
import { SqliteEngine } from "./sqlite/engine.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-digest-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** What a memory is that was told of a mug, from some time on, and then that it is full. */
async function toldFrom(startUs: number, name = "mug") {
  let clock = startUs;
  const engine = await SqliteEngine.open({
    folder: join(folder, `${startUs}-${name}`),
    nowUs: () => ++clock,
  });
  const writer = await engine.writer();
  const track = { kind: "track" as const, id: "t", category: "mug", validFromUs: 0, validToUs: null };
  await writer.write({ records: [{ ...track, name }] });
  await writer.write({ records: [{ ...track, name: `full ${name}` }] });
  const digest = await contentDigest(await engine.reader());
  await engine.close();
  return digest;
}

describe("what a memory holds as one number", () => {
  it("differs with the time at which it was told, and without the clock only with what it was told", async () => {
    const [first, later, other] = [await toldFrom(100), await toldFrom(9_000), await toldFrom(100, "cup")];
    expect(later.rows).toBe(first.rows);
    expect(later.sha256).not.toBe(first.sha256);
    expect(later.sha256WithoutClock).toBe(first.sha256WithoutClock);
    expect(other.sha256WithoutClock).not.toBe(first.sha256WithoutClock);
  });
});

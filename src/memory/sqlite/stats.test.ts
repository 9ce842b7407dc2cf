import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MemoryWriter } from "../port.ts";
import { SqliteEngine } from "./engine.ts";

const COUNT = 40_000;
const PER_BATCH = 10_000;

const caption = (n: number, labels: string[] = []) => ({
  kind: "caption" as const,
  id: `c${n}`,
  source: "human" as const,
  validFromUs: n,
  validToUs: n + 1,
  labels,
});

let folder: string;
let engine: SqliteEngine;
let writer: MemoryWriter;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-stats-"));
  engine = await SqliteEngine.open({ folder });
  writer = await engine.writer();
  for (let from = 0; from < COUNT; from += PER_BATCH)
    await writer.write({
      records: Array.from({ length: PER_BATCH }, (_, n) => caption(from + n, n % 2 === 0 ? ["private"] : [])),
    });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const guest = () => engine.reader({ principal: { id: "guest", labels: [] } });

describe("the counts of a memory", () => {
  it.each([
    ["a guest", () => guest(), COUNT / 2],
    ["the owner", () => engine.reader(), COUNT],
  ])("are taken in pieces for %s, with other work in between", async (_, open, count) => {
    const reader = await open();
    let rounds = 0;
    let isOver = false;
    const tick = () => {
      rounds++;
      if (!isOver) setImmediate(tick);
    };
    setImmediate(tick);
    const { records, versions } = await reader.stats();
    isOver = true;
    expect([records.caption, versions]).toEqual([count, count]);
    expect(rounds).toBeGreaterThan(2);
    await reader.close();
  });

  it("are those of one moment, whatever is written in between", async () => {
    const reader = await guest();
    const before = await reader.stats();
    const counting = reader.stats();
    // A version of a record that was counted, or is to be, and a new one.
    await writer.write({ records: [{ ...caption(1), text: ["again"] }, caption(COUNT + 1)] });
    expect(await counting).toEqual(before);
    const after = await reader.stats();
    expect(after.records.caption).toBe(before.records.caption + 1);
    expect(after.versions).toBe(before.versions + 2);
    await reader.close();
  });

  it("need not be taken to go on from the end of the log", async () => {
    const { commitUs } = await writer.write({ records: [caption(COUNT + 2, ["private"])] });
    const reader = await guest();
    expect(await reader.logEndUs!()).toBe(commitUs);
    expect((await reader.stats()).lastCommitUs).toBeLessThan(commitUs);
    await reader.close();
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type MemoryReader, SqliteEngine } from "../../memory/index.ts";
import { captionsOf } from "../testing/toy-suite.ts";
import { windowedReader } from "./windowed-reader.ts";

let folder: string;
let engine: SqliteEngine;
let reader: MemoryReader;
const s = 1_000_000;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-window-"));
  let nowUs = 0;
  engine = await SqliteEngine.open({ folder, nowUs: () => ++nowUs, create: true });
  const writer = await engine.writer();
  const state = (id: string, fromS: number, toS: number | null) => ({
    kind: "state" as const,
    id,
    trackId: "cup",
    name: "cup",
    category: "cup",
    text: ["cup"],
    validFromUs: fromS * s,
    validToUs: toS === null ? null : toS * s,
  });
  await writer.write({
    records: [
      { kind: "track", id: "cup", name: "cup", category: "cup", validFromUs: 0, validToUs: null },
      state("first", 0, 50),
      state("second", 50, null),
      ...captionsOf(20),
    ],
    sightings: [
      { stateId: "first", timeUs: 5 * s, outcome: "seen" },
      { stateId: "first", timeUs: 40 * s, outcome: "seen" },
      { stateId: "first", timeUs: 60 * s, outcome: "absent" },
    ],
  });
  await writer.close();
  reader = await engine.reader();
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function gather<T>(all: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const one of all) out.push(one);
  return out;
}

it("finds and counts exactly what was so within the window, for any window", async () => {
  const second = fc.integer({ min: -10, max: 250 });
  await fc.assert(
    fc.asyncProperty(second, fc.integer({ min: 1, max: 260 }), second, async (fromS, length, askS) => {
      const [fromUs, toUs] = [fromS * s, (fromS + length) * s];
      const view = windowedReader(reader, { fromUs, toUs });
      const expected = captionsOf(20).filter((c) => c.validFromUs < toUs && c.validToUs! > fromUs);
      const { hits } = await view.search({ kinds: ["caption"], rank: "earliest", limit: 100 });
      expect(hits.map(({ record }) => record.id)).toEqual(expected.map(({ id }) => id));
      expect(await view.count({ kinds: ["caption"] })).toBe(expected.length);
      const during = {
        kinds: ["caption" as const],
        time: { overlaps: { fromUs: askS * s, toUs: (askS + 20) * s } },
      };
      const inBoth = expected.filter((c) => c.validFromUs < (askS + 20) * s && c.validToUs! > askS * s);
      const [result] = await view.searchMany([{ ...during, rank: "earliest", limit: 100 }]);
      // What overlaps both need not overlap their common part, but nothing outside of either is found.
      for (const { record } of result!.hits) expect(inBoth.map(({ id }) => id)).toContain(record.id);
      expect((await view.searchIds(during)).length).toBe(result!.hits.length);
    }),
    { numRuns: 50 },
  );
});

it("does not know the future: no later states, no ends that have not come, no later looks", async () => {
  const early = windowedReader(reader, { fromUs: 0, toUs: 30 * s });
  expect(await early.get(["first", "second", "nobody"])).toMatchObject([
    { id: "first", validToUs: null },
    undefined,
    undefined,
  ]);
  expect(await early.history("second")).toEqual([]);
  const { hits } = await early.search({ kinds: ["state"] });
  expect(hits.map(({ record }) => [record.id, record.validToUs])).toEqual([["first", null]]);
  expect(await early.sightings({ stateIds: ["first"] })).toHaveLength(1);
  expect(await early.sightings({ during: { fromUs: 35 * s, toUs: null } })).toEqual([]);
  expect(await early.presence(["first", "second"])).toMatchObject([
    { lastSeenUs: 5 * s, firstAbsentAfterUs: null, seenCount: 1 },
    { lastSeenUs: null, seenCount: 0 },
  ]);
});

it("folds presence as the memory does once the window holds everything", async () => {
  const all = windowedReader(reader, { fromUs: Number.MIN_SAFE_INTEGER, toUs: null });
  expect(await all.presence(["first", "second"])).toEqual(await reader.presence(["first", "second"]));
  expect((await all.get(["first"]))[0]?.validToUs).toBe(50 * s);
  const rows = await gather(all.dump());
  expect(rows).toEqual(await gather(reader.dump()));
  const some = await gather(windowedReader(reader, { fromUs: 0, toUs: 30 * s }).dump());
  expect(some.filter(({ type }) => type === "sighting")).toHaveLength(1);
});

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MemoryReader } from "../../memory/index.ts";
import type { RecordInput } from "../../schema/core.ts";
import { edge, state, type TestMemory, testMemory, track } from "../testing/feed-memory.ts";
import { NONE, OPEN, readStates, type StatesBlock, THING_TYPES } from "./decode.ts";
import { parseRevision, revisionOf, revisionText } from "./revision.ts";
import { type StatesQuery, statesBlock, statesSince } from "./states.ts";

let memory: TestMemory;
beforeEach(async () => {
  memory = await testMemory();
});
afterEach(() => memory.close());

const DAY_US = 86_400_000_000;
const START_US = Date.UTC(2026, 0, 5, 9) * 1_000;

interface Row {
  readonly id: string;
  readonly track: string;
  readonly name: string;
  readonly class: string;
  readonly room: string | null;
  readonly map: string;
  readonly fromUs: number;
  readonly toUs: number | null;
  readonly lastSeenUs: number;
  readonly absentUs: number | null;
  readonly believed: readonly [number, number | null];
  readonly position: readonly [number, number, number];
}

/** A block as rows of plain values, as a viewer would read it. */
function rowsOf(block: StatesBlock): Row[] {
  const time = (column: Float32Array, n: number, originUs = block.timeOriginUs) =>
    column[n] === Math.fround(OPEN) ? null : originUs + Math.round(column[n]! * 1e6);
  return Array.from({ length: block.count }, (_, n) => ({
    id: block.id.at(n),
    track: block.tracks.at(block.track[n]!),
    name: block.names.at(block.name[n]!),
    class: block.classes.at(block.class[n]!),
    room: block.room[n] === NONE ? null : block.rooms.at(block.room[n]!),
    map: block.maps[block.map[n]!]!,
    fromUs: time(block.from, n)!,
    toUs: time(block.to, n),
    lastSeenUs: time(block.lastSeen, n)!,
    absentUs: time(block.absent, n),
    believed: [
      time(block.believedFrom, n, block.memoryOriginUs)!,
      time(block.believedTo, n, block.memoryOriginUs),
    ],
    position: [
      block.origin.x + block.position[n * 3]!,
      block.origin.y + block.position[n * 3 + 1]!,
      block.origin.z + block.position[n * 3 + 2]!,
    ],
  }));
}

async function everything(query: StatesQuery = {}, reader: MemoryReader = memory.reader): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | undefined; ; ) {
    const block = readStates(await statesBlock(reader, { ...query, after }));
    rows.push(...rowsOf(block));
    if (block.next === null) return rows;
    after = block.next;
  }
}

describe("states as columns", () => {
  it("are the memory's, row for row, whatever the size of a page", async () => {
    const time = fc.integer({ min: 0, max: 30 * 86_400 }).map((seconds) => START_US + seconds * 1_000_000);
    const metres = fc.double({ min: -500, max: 500, noNaN: true });
    const one = fc.record({
      fromUs: time,
      lastsUs: fc.option(fc.integer({ min: 1_000_000, max: 40 * DAY_US })),
      p: fc.record({ x: metres, y: metres, z: metres }),
      category: fc.constantFrom("mug", "chair", "tür 🚪"),
      room: fc.option(fc.constantFrom("room-1", "room-2")),
      seenAfterUs: fc.integer({ min: 0, max: 900_000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(one, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 40 }),
        async (given, limit) => {
          await memory.close();
          memory = await testMemory();
          const records = given.map(({ fromUs, lastsUs, p, category, room }, n) =>
            state(`s${String(n).padStart(2, "0")}`, {
              validFromUs: fromUs,
              validToUs: lastsUs === null ? null : fromUs + lastsUs,
              anchor: { submap: "world", p },
              category,
              ...(room !== null && { regionId: room }),
            }),
          );
          const sightings = given.map(({ fromUs, seenAfterUs }, n) => ({
            stateId: records[n]!.id,
            timeUs: fromUs + seenAfterUs,
            outcome: "seen" as const,
          }));
          const rooms = ["room-1", "room-2"].map(
            (id): RecordInput => ({
              kind: "region",
              id,
              type: "room",
              level: 1,
              name: id,
              validFromUs: 0,
              validToUs: null,
            }),
          );
          await memory.write({ records: [...rooms, ...records], sightings });
          const rows = await everything({ limit });
          const order = records
            .map((record, n) => ({ record, n }))
            .sort(
              (a, b) => a.record.validFromUs - b.record.validFromUs || (a.record.id < b.record.id ? -1 : 1),
            );
          expect(rows.map(({ id }) => id)).toEqual(order.map(({ record }) => record.id));
          for (const [at, { record, n }] of order.entries()) {
            const row = rows[at]!;
            expect(row).toMatchObject({
              track: record.trackId,
              name: record.name,
              class: record.category,
              room: record.regionId ?? null,
              map: "world",
            });
            // Seventy days from the origin a float32 is accurate to half a second.
            expect(Math.abs(row.fromUs - record.validFromUs)).toBeLessThan(500_000);
            expect(Math.abs(row.lastSeenUs - sightings[n]!.timeUs)).toBeLessThan(500_000);
            if (record.validToUs === null) expect(row.toUs).toBeNull();
            else expect(Math.abs(row.toUs! - record.validToUs!)).toBeLessThan(500_000);
            const { x, y, z } = record.anchor!.p;
            for (const [axis, metre] of [x, y, z].entries()) expect(row.position[axis]).toBeCloseTo(metre, 3);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it("show a moved thing as rows of one track, a ghost where it was looked for, and a merge as nothing", async () => {
    const [t1, t2] = [START_US, START_US + DAY_US];
    await memory.write({
      records: [
        track("cup", { type: "object" }),
        track("anna", { type: "person" }),
        track("old-cup", { mergedInto: "cup" }),
        state("before", { trackId: "old-cup", validFromUs: t1, validToUs: t2 }),
        state("after", { trackId: "cup", validFromUs: t2, movedFrom: { stateId: "before", p: 0.5 } }),
        state("anna-1", { trackId: "anna", validFromUs: t1 }),
        state("merged", { validFromUs: t1, validToUs: t1 + 1 }),
        state("nowhere", { validFromUs: t1, anchor: undefined, extent: undefined }),
      ],
      sightings: [
        { stateId: "before", timeUs: t1 + 5_000_000, outcome: "seen" },
        { stateId: "before", timeUs: t1 + 6_000_000, outcome: "seen" },
        { stateId: "before", timeUs: t2, outcome: "absent" },
        { stateId: "after", timeUs: t2, outcome: "seen" },
      ],
    });
    const block = readStates(await statesBlock(memory.reader));
    const rows = rowsOf(block);
    expect(rows.map(({ id, track: name }) => [id, name])).toEqual([
      ["anna-1", "anna"],
      ["before", "cup"],
      ["after", "cup"],
    ]);
    expect(rows[1]).toMatchObject({ toUs: t2, lastSeenUs: t1 + 6_000_000, absentUs: t2 });
    expect(rows[2]).toMatchObject({ toUs: null, absentUs: null });
    expect([...block.flags]).toEqual([0, 0, 1]);
    expect([...block.seen]).toEqual([0, 2, 1]);
    expect([...block.confidence]).toEqual([1, 0.75, 0.25]);
    expect(Array.from(block.type, (type) => THING_TYPES[type])).toEqual(["person", "object", "object"]);
  });

  it("lie where corrections and maps of their own put them, turned with their submap", async () => {
    const at = (submap: string) => ({ submap, p: { x: 1, y: 0, z: 0 } });
    await memory.write({
      frames: [edge("sub", { p: { x: 10, y: 0, z: 0 }, yawRad: Math.PI / 2 })],
      records: [state("a", { anchor: at("sub") }), state("b", { anchor: at("lonely") })],
    });
    const block = readStates(await statesBlock(memory.reader));
    const [a, b] = rowsOf(block);
    expect(a!.map).toBe("world");
    expect(a!.position[0]).toBeCloseTo(10);
    expect(a!.position[1]).toBeCloseTo(1);
    expect(block.yaw[0]).toBeCloseTo(Math.PI / 2);
    expect(b).toMatchObject({ map: "lonely", position: [1, 0, 0] });
  });

  it("tell what was believed before, version by version", async () => {
    const first = await memory.write({ records: [state("a", { name: "mug" })] });
    const second = await memory.write({ records: [state("a", { name: "cup" })] });
    expect(await everything()).toMatchObject([{ name: "cup", believed: [second, null] }]);
    expect(await everything({ versions: true })).toMatchObject([
      { name: "mug", believed: [first, second] },
      { name: "cup", believed: [second, null] },
    ]);
  });

  it("stop before a block grows too large, and go on after it", async () => {
    const records = Array.from({ length: 300 }, (_, n) => state(`s${n}`, { validFromUs: n }));
    for (let version = 0; version < 65; version++)
      await memory.write({ records: records.map((one) => ({ ...one, name: `name ${version}` })) });
    const block = readStates(await statesBlock(memory.reader, { versions: true }));
    expect(block.next).not.toBeNull();
    expect(block.count).toBe(256 * 65);
    expect(await everything({ versions: true })).toHaveLength(300 * 65);
  });

  it("refuse a cursor that is none", async () => {
    await expect(statesBlock(memory.reader, { after: "x" })).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("what changed since", () => {
  const since = async (revision: string, reader: MemoryReader = memory.reader) =>
    readStates(await statesSince(reader, parseRevision(revision)));
  const now = async (reader: MemoryReader = memory.reader) => revisionText(await revisionOf(reader));

  it("is each state with news, once; then nothing", async () => {
    await memory.write({ records: [state("a"), state("b"), state("c")] });
    const start = await now();
    expect((await since(start)).count).toBe(0);
    await memory.write({ records: [state("b", { name: "blue b" }), state("d")] });
    await memory.write({ sightings: [{ stateId: "c", timeUs: 7_000_000, outcome: "seen" }] });
    const update = await since(start);
    expect(update).toMatchObject({ isUpdate: true, reload: false, gone: [] });
    expect(rowsOf(update).map(({ id, name }) => `${id} ${name}`)).toEqual(["b blue b", "d red d", "c red c"]);
    expect((await since(update.revision!)).count).toBe(0);
    expect(update.revision).toBe(await now());
  });

  it("names what is gone: forgotten, merged away, hidden", async () => {
    await memory.write({ records: [state("a"), state("b"), state("c")] });
    const guest = await memory.holding();
    const [start, guests] = [await now(), await now(guest)];
    await memory.writer.forget({ ids: ["a"], reason: "test" });
    await memory.write({ records: [state("b", { validToUs: 1 })] });
    expect([...(await since(start)).gone].sort()).toEqual(["a", "b"]);
    expect([...(await since(guests, guest)).gone]).toEqual(["b"]);
  });

  it("begins anew when the map was corrected, not when it grew", async () => {
    const anchor = { submap: "sub", p: { x: 0, y: 0, z: 0 } };
    await memory.write({
      frames: [edge("sub", { p: { x: 1, y: 0, z: 0 } })],
      records: [state("a", { anchor })],
    });
    const start = await now();
    await memory.write({ frames: [edge("next", { p: { x: 2, y: 0, z: 0 } }, 1)], records: [state("b")] });
    expect(await since(start)).toMatchObject({ reload: false, count: 1 });
    await memory.write({ frames: [edge("sub", { p: { x: 3, y: 0, z: 0 } }, 2)] });
    expect(await since(start)).toMatchObject({ reload: true, count: 0 });
  });

  it("shows and tells nothing of what is hidden", async () => {
    await memory.write({ records: [state("a")] });
    const guest = await memory.holding();
    const start = await now(guest);
    await memory.write({ records: [state("secret", { labels: ["private"] })] });
    await memory.write({
      sightings: [{ stateId: "secret", timeUs: 1, outcome: "seen", labels: ["private"] }],
    });
    const update = await since(start, guest);
    expect(update).toMatchObject({ count: 0, gone: [], reload: false, revision: start });
    expect((await everything({}, guest)).map(({ id }) => id)).toEqual(["a"]);
    expect((await everything()).map(({ id }) => id)).toEqual(["a", "secret"]);
  });
});

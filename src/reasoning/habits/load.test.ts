import { beforeEach, expect, test } from "vitest";
import type { MemoryReader, MemoryWriter } from "../../memory/index.ts";
import { eachWithMemory } from "../../memory/testing/each-with-memory.ts";
import type { RecordInput, SightingInput } from "../../schema/core.ts";
import { habitsOf, likelyAt, usual, usualHours } from "./index.ts";

const HOUR_US = 3_600_000_000;
const MONDAY_US = Date.UTC(2026, 0, 5) * 1000;
const at = (day: number, hour: number) => MONDAY_US + Math.round((day * 24 + hour) * HOUR_US);
const DAYS = 5;

let reader: MemoryReader;
let writer: MemoryWriter;
eachWithMemory((memory) => {
  ({ reader, writer } = memory);
});

/** Each day at eight the bag is on the bench in the hall, at noon it is found missing, at seven it is on the bed. */
beforeEach(async () => {
  const common = { validFromUs: at(0, 0), validToUs: null, text: [] };
  const records: RecordInput[] = [
    { ...common, kind: "region", id: "hall", type: "room", level: 2, name: "hall" },
    { ...common, kind: "region", id: "bedroom", type: "room", level: 2, name: "bedroom" },
    ...(["bench", "bed", "lamp", "bag"] as const).map(
      (id): RecordInput => ({ ...common, kind: "track", id, name: id, category: id }),
    ),
    { ...common, kind: "state", id: "bench-1", trackId: "bench", name: "bench", category: "bench" },
    { ...common, kind: "state", id: "bed-1", trackId: "bed", name: "bed", category: "bed" },
    {
      ...common,
      kind: "state",
      id: "lamp-1",
      trackId: "lamp",
      name: "lamp",
      category: "lamp",
      attributes: { power: { value: "off", p: 1, support: 9, lastUs: at(DAYS - 1, 23) } },
    },
  ];
  const sightings: SightingInput[] = [];
  const bag = (id: string, on: string, regionId: string, fromUs: number, toUs: number) =>
    records.push({
      ...common,
      ...{ kind: "state", id, trackId: "bag", name: "bag", category: "bag", supportedBy: on, regionId },
      ...{ validFromUs: fromUs, validToUs: toUs },
    } as RecordInput);
  for (let day = 0; day < DAYS; day++) {
    bag(`morning-${day}`, "bench-1", "hall", at(day, 8), at(day, 12));
    bag(`evening-${day}`, "bed-1", "bedroom", at(day, 19), at(day + 1, 8));
    sightings.push({ stateId: `morning-${day}`, timeUs: at(day, 8), outcome: "seen" });
    sightings.push({ stateId: `morning-${day}`, timeUs: at(day, 12), outcome: "absent" });
    for (const hour of [19, 22])
      sightings.push({ stateId: `evening-${day}`, timeUs: at(day, hour), outcome: "seen" });
    for (const hour of [8, 12, 19, 22])
      sightings.push({ stateId: "lamp-1", timeUs: at(day, hour), outcome: "seen" });
    for (const [hour, to] of [
      [19, "on"],
      [23, "off"],
    ] as const)
      records.push({
        ...{ kind: "event", id: `lamp-${day}-${to}`, type: "state-change", who: ["lamp-1"], text: [] },
        ...{ validFromUs: at(day, hour) - 1, validToUs: at(day, hour) },
        detail: { attribute: "power", from: to === "on" ? "off" : "on", to },
      });
  }
  await writer.write({ records });
  await writer.write({ sightings });
});

const nowUs = at(DAYS, 0);

test("places are what it was on, by the names of that; time without a look is no evidence", async () => {
  const { model, places, stateIds } = await habitsOf(reader, ["bag"], { nowUs });
  expect([...places].sort()).toEqual([
    ["bed", "bed"],
    ["bench", "bench"],
  ]);
  expect(stateIds).toHaveLength(2 * DAYS);
  expect(usual(model, { hour: 8 })).toMatchObject({
    observedDays: DAYS,
    places: [{ placeKey: "bench", days: DAYS }],
  });
  expect(usual(model, { hour: 4 }).observedDays).toBe(0);
  expect(likelyAt(model, at(DAYS, 20)).places[0]!.placeKey).toBe("bed");
});

test("looked for in vain is elsewhere, not where it was last seen", async () => {
  const { model } = await habitsOf(reader, ["bag"], { nowUs });
  expect(usual(model, { hour: 12 })).toMatchObject({ elsewhere: 1, places: [], observedDays: DAYS });
  expect(likelyAt(model, at(DAYS, 12)).elsewhere).toBeGreaterThan(0.5);
});

test("by room, and by names of one's own", async () => {
  const byRoom = await habitsOf(reader, ["bag"], { nowUs, by: "room" });
  expect(usual(byRoom.model, { hour: 22 }).places[0]!.placeKey).toBe("bedroom");
  const own = await habitsOf(reader, ["bag"], { nowUs, placeOf: ({ supportedBy }) => `the ${supportedBy}` });
  expect(usual(own.model, { hour: 22 }).places[0]!.placeKey).toBe("the bed-1");
});

test("a state over time", async () => {
  const { model } = await habitsOf(reader, ["lamp"], { nowUs, by: { attribute: "power" } });
  expect(usual(model, { hour: 22 }).places[0]!.placeKey).toBe("on");
  expect(usual(model, { hour: 12 }).places[0]!.placeKey).toBe("off");
  expect(usualHours(model, "on")[0]!.fromMin / 60).toBeGreaterThan(16);
});

test("nothing after now, and nothing of a thing that is not known", async () => {
  const { model } = await habitsOf(reader, ["bag"], { nowUs: at(1, 12) });
  expect(model.days).toHaveLength(2);
  const nobody = await habitsOf(reader, ["spoon"], { nowUs });
  expect(likelyAt(nobody.model, nowUs)).toEqual({ places: [], elsewhere: 1, observedDays: 0 });
});

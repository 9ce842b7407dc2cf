import { describe, expect, it } from "vitest";
import { extentOf, IDENTITY, type Vec3, vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { MapParts, PartName } from "../../schema/core.ts";
import { BACKGROUND, look, thing } from "../testing/toy-room.ts";
import { Tracker, type TrackerStep } from "../tracker.ts";

const EMPTY = {
  search: async () => ({ hits: [] }),
  get: async () => [],
  presence: async () => [],
} as unknown as MemoryReader;
const AROUND: readonly Vec3[] = [-1.2, -0.8, -0.3, 0.3, 0.8, 1.2].map((y) => vec3(1, y, 1.6));

const BOOK = thing("book", "thing", [3, 0.45, 0.5], [0.3, 0.3, 0.3], { colour: "white" });
const BOX = thing("box", "thing", [3, -0.45, 0.5], [0.3, 0.3, 0.3], { colour: "red" });
/** Both as one, and a rim of the wall behind them. */
const LUMP = thing("lump", "paper", [3, 0, 0.5], [0.3, 1.3, 0.35], { colour: "grey" });
const RIM = thing("rim", "picture", [4, 0, 1.4], [0.2, 0.5, 0.2], { colour: "black" });
const PART: Readonly<Record<string, number>> = { lump: 1, rim: 2, book: 3, box: 4 };

/** Two walks: the first with a segmentation of the map that has a lump and a rim, the second with a better one. */
async function open(parts: MapParts | undefined, { isEnded = true } = {}) {
  const tracker = await Tracker.open(EMPTY, { sceneId: "toy", background: BACKGROUND });
  const records = new Map<string, TrackerStep["records"][number]>();
  const take = (step: TrackerStep) => {
    for (const record of step.records) records.set(record.id, record);
  };
  let timeS = 0;
  for (const [things, said] of [
    [[LUMP], undefined],
    [[BOOK, BOX], parts],
  ] as const) {
    timeS += 60;
    for (const from of AROUND) {
      timeS += 0.5;
      // The rim is there all the time, and reported while the map takes it for a thing.
      const unreported = things.includes(LUMP) ? [] : ["rim"];
      const percept = look({ timeS, from, at: vec3(3, 0, 0.7), things: [RIM, ...things], unreported });
      const numbers = [...(unreported.length > 0 ? [] : [RIM]), ...things].map(({ id }) => PART[id]!);
      const detections = percept.detections.map((one, n) => ({ ...one, part: numbers[n] }));
      const map = said && { parts: said, submapFromMap: IDENTITY };
      take(await tracker.observe({ ...percept, detections, ...map }));
    }
  }
  if (isEnded) take(await tracker.finish(1e9 + 1e6 * timeS));
  const isOpen = (category: string) =>
    [...tracker.things()].filter((one) => one.category === category).length;
  const sizes = [...tracker.things()].map(({ boxInWorld }) => extentOf(boxInWorld));
  return { records: [...records.values()], isOpen, sizes };
}

const NONE: MapParts = {
  shown: [3, 4],
  none: [
    { part: 1, heirs: [3, 4], isNothing: false },
    { part: 2, heirs: [], isNothing: true },
  ],
};

describe("what a better cut of the map shows to have been no thing", () => {
  it("is a record of what has most of it, and a rim is nothing, without any having gone", async () => {
    const before = await open(undefined);
    expect(before.isOpen("picture")).toBe(1);
    const { records, isOpen } = await open(NONE);
    expect(isOpen("paper")).toBe(0);
    expect(isOpen("picture")).toBe(0);
    expect(isOpen("thing")).toBe(2);
    expect(records.filter((one) => one.kind === "event" && one.type === "disappear")).toEqual([]);
  });

  it("is so as soon as the map says it, for a robot whose recording never ends", async () => {
    const { isOpen } = await open(NONE, { isEnded: false });
    expect([isOpen("paper"), isOpen("picture"), isOpen("thing")]).toEqual([0, 0, 2]);
  });

  it("stays where nobody has taken it over", async () => {
    const none = [{ part: 1, heirs: [7], isNothing: false }];
    const { isOpen } = await open({ shown: [3, 4], none });
    expect(isOpen("picture")).toBe(1);
  });
});

/** The corners of a box, x y z after each other. */
function cornersOf([x, y, z]: readonly [number, number, number], size: readonly [number, number, number]) {
  const [dx, dy, dz] = size.map((one) => one / 2) as [number, number, number];
  return Float32Array.from([-1, 1].flatMap((sign) => [x + sign * dx, y + sign * dy, z + sign * dz]));
}

describe("what a thing of the map is called", () => {
  const around = [cornersOf([3, 0.45, 0.5], [0.3, 0.3, 0.3]), cornersOf([3, -0.45, 0.5], [0.3, 0.3, 0.3])];
  const named = (category: string, by = "eyes"): PartName => ({
    category,
    by,
    phrase: `white ${category}`,
    maybe: [],
  });
  const told = (...names: PartName[]) => open({ ...NONE, extents: around, names });

  it("is what its thing is called, whatever most looks before the last cut said", async () => {
    const { isOpen, records } = await told(named("book"), named("thing"));
    expect([isOpen("book"), isOpen("thing")]).toEqual([1, 1]);
    expect(records.some((one) => one.kind === "state" && one.text?.includes("white book") === true)).toBe(
      true,
    );
    const before = await open({ ...NONE, extents: around });
    expect([before.isOpen("book"), before.isOpen("thing")]).toEqual([0, 2]);
  });

  it("has the colour that it has there, as its name says", async () => {
    const { records } = await told({ ...named("book"), attributes: { colour: "white" } }, named("thing"));
    const books = records.filter((one) => one.kind === "state" && one.category === "book");
    expect(books.at(-1)).toMatchObject({ attributes: { colour: { value: "white" } } });
  });
});

describe("how far a thing of the map reaches", () => {
  const nowhere = cornersOf([9, 9, 9], [0.1, 0.1, 0.1]);
  /** No observation showed more than a third of the book: the rest is black. */
  const long = cornersOf([3, 0.9, 0.5], [0.4, 1.2, 0.3]);

  it("is how large its thing is, and the same when it is told again", async () => {
    const { sizes, records } = await open({ ...NONE, extents: [long, nowhere] });
    expect(sizes.map(({ y }) => y).sort()).toEqual([expect.closeTo(0.3, 1), expect.closeTo(1.2)]);
    expect(records).toEqual((await open({ ...NONE, extents: [long, nowhere] })).records);
    const before = await open(NONE);
    expect(before.sizes.every(({ y }) => y < 0.4)).toBe(true);
  });

  it("is how far its thing reaches at most, where looks showed what was beside it as well", async () => {
    const short = cornersOf([3, 0.45, 0.5], [0.3, 0.1, 0.3]);
    const { sizes } = await open({ ...NONE, extents: [short, nowhere] });
    expect(sizes.map(({ y }) => y).sort()).toEqual([expect.closeTo(0.1), expect.closeTo(0.3, 1)]);
  });

  it("says nothing of what is elsewhere by now", async () => {
    const { sizes } = await open({ ...NONE, extents: [nowhere, nowhere] });
    expect(sizes.every(({ y }) => y < 0.4)).toBe(true);
  });

  it("is not both places of what was carried from one to the other, where the map has kept the old one", async () => {
    const tracker = await Tracker.open(EMPTY, { sceneId: "toy", background: BACKGROUND });
    const there = { ...BOOK, centre: vec3(3, -0.45, 0.5) };
    const both = cornersOf([3, 0, 0.5], [0.3, 1.2, 0.3]);
    let timeS = 0;
    for (const [at, extents] of [
      [BOOK, [cornersOf([3, 0.45, 0.5], [0.3, 0.3, 0.3])]],
      [there, [both]],
    ] as const) {
      timeS += 60;
      for (const from of AROUND) {
        timeS += 0.5;
        const percept = look({ timeS, from, at: vec3(3, 0, 0.7), things: [at] });
        const detections = percept.detections.map((one) => ({ ...one, part: 3 }));
        const parts = { shown: [3], none: [], extents };
        await tracker.observe({ ...percept, detections, parts, submapFromMap: IDENTITY });
      }
    }
    await tracker.finish(1e9 + 1e6 * timeS);
    const [book, ...others] = [...tracker.things()];
    expect(others).toEqual([]);
    expect(extentOf(book!.boxInWorld).y).toBeLessThan(0.4);
  });
});

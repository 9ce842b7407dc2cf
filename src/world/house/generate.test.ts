import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isLociError } from "../../schema/index.ts";
import { generateHouse } from "./generate.ts";
import { COLOUR_NAMES } from "./palette.ts";
import { startSnapshot } from "./solids.ts";
import { FLUENTS, type House, type HouseOptions } from "./types.ts";

/** Keys in order of the alphabet: the same house, the same text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const digest = (house: House): string =>
  createHash("sha256")
    .update(canonical([house, startSnapshot(house).solidsOf("wall-3")]))
    .digest("hex");

describe("generateHouse", () => {
  it("gives the committed content for committed seeds, on any machine", () => {
    expect(
      [
        generateHouse(1),
        generateHouse("two floors", { floors: 2, rooms: 10 }),
        generateHouse(3, { rooms: 4, objects: 60 }),
      ].map(digest),
    ).toEqual([
      "c2b7a7e4b3ff4c848b2d23628894f88ccf35d8251337ff320e4bf779a8dc64cf",
      "2dbf729b25f37dd06d8d2ef0ef41e445d51a8d8dbeeb8c0cca0bffce9559499e",
      "e0a1bde46ff3dd084bc9a896e908672c8c9c47192386531b19b64e0d8c7ede1f",
    ]);
  });

  it("gives another house for another seed and the same for the same", () => {
    const digests = Array.from({ length: 8 }, (_, seed) => digest(generateHouse(seed)));
    expect(new Set(digests).size).toBe(8);
    expect(digest(generateHouse(5))).toBe(digests[5]);
    expect(digest(generateHouse("5"))).not.toBe(digests[4]);
  });

  it.each<HouseOptions>([
    { rooms: 4, objects: 60 },
    { rooms: 4, objects: 200 },
    { rooms: 6, floors: 1, objects: 300 },
    { rooms: 8, floors: 2, objects: 160 },
    { rooms: 14, floors: 2, objects: 400 },
    { rooms: 14, floors: 1, objects: 140 },
  ])("keeps to %o", (options) => {
    const house = generateHouse("options", options);
    expect(house.rooms.length).toBe(options.rooms);
    if (options.floors !== undefined) expect(house.floors).toBe(options.floors);
    expect(objectsOf(house)).toBe(options.objects);
  });

  it("stays within 4–14 rooms and 60–400 objects by itself", () => {
    for (let seed = 100; seed < 130; seed++) {
      const house = generateHouse(seed);
      expect(house.rooms.length).toBeGreaterThanOrEqual(4);
      expect(house.rooms.length).toBeLessThanOrEqual(14);
      expect(objectsOf(house)).toBeGreaterThanOrEqual(60);
      expect(objectsOf(house)).toBeLessThanOrEqual(400);
    }
  });

  it("gives every room what tells it from others", () => {
    const telltale: Partial<Record<string, readonly string[]>> = {
      kitchen: ["stove", "fridge", "kitchen-sink"],
      "living room": ["sofa", "tv-stand"],
      bedroom: ["wardrobe"],
      bathroom: ["toilet", "washbasin"],
      office: ["desk", "office-chair"],
      "dining room": ["dining-table"],
      laundry: ["washing-machine"],
      "children's room": ["single-bed", "toy-chest"],
      garage: ["workbench"],
      library: ["bookcase"],
      gym: ["treadmill"],
    };
    let wanted = 0;
    let there = 0;
    for (let seed = 0; seed < 40; seed++) {
      const house = generateHouse(seed);
      for (const room of house.rooms) {
        for (const prefix of telltale[room.type] ?? []) {
          wanted++;
          if (house.things.some((t) => t.roomAtStart === room.id && t.id.replace(/-\d+$/, "") === prefix))
            there++;
        }
      }
    }
    expect(there / wanted).toBeGreaterThan(0.98);
  });

  it("describes things by the twelve colours, known fluents and rooms that exist", () => {
    const house = generateHouse(7);
    const rooms = new Set([...house.rooms.map((room) => room.id), "outside"]);
    house.things.forEach((thing, i) => {
      if (thing.colour !== undefined) expect(COLOUR_NAMES).toContain(thing.colour);
      expect(rooms).toContain(thing.roomAtStart);
      for (const fluent of thing.fluents) expect(FLUENTS[fluent]).toContain(house.starts[i]!.fluents[fluent]);
      if (thing.owner !== undefined) expect(house.people).toContain(thing.owner);
    });
    expect(house.things.filter((t) => t.text !== undefined).length).toBeGreaterThan(10);
    expect(house.things.filter((t) => t.owner !== undefined).length).toBeGreaterThan(5);
  });

  it.each<[number | string, HouseOptions]>([
    [Number.NaN, {}],
    ["", {}],
    [1, { rooms: 3 }],
    [1, { rooms: 15 }],
    [1, { rooms: 5.5 }],
    [1, { floors: 3 }],
    [1, { floors: 2, rooms: 6 }],
    [1, { objects: 59 }],
    [1, { objects: 401 }],
    [1, { objects: 60, rooms: 14 }],
    [1, { perturbation: -0.1 }],
    [1, { perturbation: Number.NaN }],
  ])("refuses seed %s with %o", (seed, options) => {
    let caught: unknown;
    try {
      generateHouse(seed, options);
    } catch (error) {
      caught = error;
    }
    expect(isLociError(caught, "invalid-input")).toBe(true);
  });
});

function objectsOf(house: House): number {
  return house.things.filter(
    (t) => t.type !== "structure" && t.type !== "person" && t.roomAtStart !== "outside",
  ).length;
}

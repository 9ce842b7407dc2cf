import { describe, expect, it } from "vitest";
import { checkHouse, checkSnapshot, type Fault } from "../testing/house-check.ts";
import { generateHouse } from "./generate.ts";
import { startSnapshot } from "./solids.ts";
import type { House, Placement, Start } from "./types.ts";

/** LOCI_HOUSES=1000 is the full run; seeds 0, 1, 2… */
const HOUSES = Number(process.env["LOCI_HOUSES"] ?? 40);

describe(`${HOUSES} houses`, () => {
  it("have connected floors, nothing floating or inside another, hidden things hidden, doors in walls", {
    timeout: 3_600_000,
  }, () => {
    const faulty: string[] = [];
    let things = 0;
    let hidden = 0;
    let twoFloors = 0;
    for (let seed = 0; seed < HOUSES; seed++) {
      const house = generateHouse(seed);
      things += house.things.filter((thing) => thing.type !== "structure").length;
      hidden += house.starts.filter(({ placement }) => placement.hidden && placement.room !== null).length;
      if (house.floors === 2) twoFloors++;
      for (const fault of checkHouse(house))
        faulty.push(`seed ${seed}: ${fault.code} ${fault.thing} ${fault.detail}`);
    }
    expect(faulty).toEqual([]);
    // The properties are not empty: there are many things, many of them hidden, on one and on two floors.
    expect(things / HOUSES).toBeGreaterThan(100);
    expect(hidden / HOUSES).toBeGreaterThan(10);
    expect(twoFloors).toBeGreaterThan(HOUSES / 10);
    expect(twoFloors).toBeLessThan(HOUSES * 0.9);
  });
});

describe("the checker", () => {
  const house = generateHouse(2);
  const cases: readonly (readonly [string, Fault["code"], () => House])[] = [
    [
      "a mug lifted by 5 cm",
      "floats",
      () => edited(house, onTop(house, "mug"), (p) => shifted(p, 0, 0, 0.05)),
    ],
    [
      "a picture 5 cm off its wall",
      "floats",
      () => edited(house, at(house, "picture"), (p) => ({ ...p, centre: awayFromWall(p, 0.05) })),
    ],
    [
      "a bed moved into the wall behind it",
      "interpenetrates",
      () => edited(house, at(house, "bed"), (p) => ({ ...p, centre: awayFromWall(p, -0.06) })),
    ],
    [
      "a hidden thing beside its container",
      "exposed",
      () => edited(house, hiddenOne(house), (p) => shifted(p, 0, 0, 2)),
    ],
    [
      "a hidden thing said to be in sight",
      "record",
      () => edited(house, hiddenOne(house), (p) => ({ ...p, hidden: false })),
    ],
    [
      "a thing hidden in nothing",
      "exposed",
      () => edited(house, onTop(house, "mug"), (p) => ({ ...p, hidden: true })),
    ],
    [
      "a lamp said to stand on another table",
      "floats",
      () => edited(house, at(house, "floor-lamp"), (p) => ({ ...p, supportedBy: "bed-1" })),
    ],
    [
      "a thing said to be in another room",
      "record",
      () =>
        edited(house, at(house, "bed"), (p) => ({
          ...p,
          room: house.rooms.find((r) => r.id !== p.room)!.id,
        })),
    ],
    [
      "a wardrobe across a doorway",
      "cut-off",
      () => edited(house, at(house, "wardrobe"), (p) => acrossDoor(house, p)),
    ],
    [
      "a door said to lead elsewhere",
      "door-astray",
      () => ({
        ...house,
        openings: house.openings.map((o, i) =>
          i === 0 ? { ...o, rooms: [house.rooms[3]!.id, house.rooms[4]!.id] as const } : o,
        ),
      }),
    ],
    [
      "a doorway off its hole",
      "door-astray",
      () => ({
        ...house,
        openings: house.openings.map((o, i) =>
          i === 0
            ? {
                ...o,
                centre: {
                  ...o.centre,
                  x: o.centre.x + (o.along === "x" ? 0.3 : 0),
                  y: o.centre.y + (o.along === "y" ? 0.3 : 0),
                },
              }
            : o,
        ),
      }),
    ],
    [
      "a number used twice",
      "record",
      () => ({ ...house, things: house.things.map((t, i) => (i === 5 ? { ...t, number: 5 } : t)) }),
    ],
  ];
  it("has nothing against the house as it is", () => expect(checkHouse(house)).toEqual([]));

  it.each(cases)("finds %s", (_what, code, spoilt) => {
    expect(checkHouse(spoilt()).map((fault) => fault.code)).toContain(code);
  });

  it("finds a container whose contents can be seen while it counts as closed", () => {
    const scene = startSnapshot(house);
    const i = hiddenOne(house);
    const box = house.starts[i]!.placement.insideOf!;
    // Removes the front: the last solid of a cabinet besides its handles.
    const open = {
      ...scene,
      solidsOf: (id: string) => (id === box ? scene.solidsOf(id).slice(0, 5) : scene.solidsOf(id)),
    };
    expect(checkSnapshot(open).some((fault) => fault.code === "exposed")).toBe(true);
  });
});

function at(house: House, prefix: string): number {
  return house.things.findIndex(
    (thing) => thing.id.startsWith(`${prefix}-`) && thing.roomAtStart !== "outside",
  );
}

function onTop(house: House, prefix: string): number {
  return house.things.findIndex(
    (thing, i) =>
      thing.id.startsWith(`${prefix}-`) &&
      thing.roomAtStart !== "outside" &&
      house.starts[i]!.placement.insideOf === undefined,
  );
}

function hiddenOne(house: House): number {
  return house.starts.findIndex(
    ({ placement }) => placement.hidden && placement.insideOf?.startsWith("wardrobe"),
  );
}

function edited(house: House, index: number, change: (placement: Placement) => Placement): House {
  expect(index).toBeGreaterThanOrEqual(0);
  return {
    ...house,
    starts: house.starts.map(
      (start, i): Start => (i === index ? { ...start, placement: change(start.placement) } : start),
    ),
  };
}

function shifted(p: Placement, x: number, y: number, z: number): Placement {
  return { ...p, centre: { x: p.centre.x + x, y: p.centre.y + y, z: p.centre.z + z } };
}

function awayFromWall(p: Placement, byM: number): Placement["centre"] {
  return { ...p.centre, x: p.centre.x + byM * Math.cos(p.yawRad), y: p.centre.y + byM * Math.sin(p.yawRad) };
}

function acrossDoor(house: House, p: Placement): Placement {
  const door = house.openings.find((o) => o.kind === "door" && o.floor === 0)!;
  return { ...p, centre: { ...p.centre, x: door.centre.x, y: door.centre.y } };
}

import { describe, expect, it } from "vitest";
import { Random } from "../../geometry/index.ts";
import { boxesClash, boxOfSolid } from "../house/collide.ts";
import type { House, Placement } from "../house/types.ts";
import { FAMILIES, familyOf, type World } from "./index.ts";
import { Lanes } from "./lanes.ts";

const MINUTES = 30;
const OPTIONS = { seed: 7, startUs: 0, durationUs: MINUTES * 60e6, rate: 120 } as const;
const warehouse = familyOf("warehouse").make(OPTIONS);
const campus = familyOf("campus").make(OPTIONS);
const TIMES = [0, 0.2, 0.45, 0.7, 1].map((share) => Math.round(share * OPTIONS.durationUs));

/** Things at rest with their places. */
function resting({ timeline }: World, timeUs: number) {
  return timeline.house.things.flatMap((thing) => {
    const { segments } = timeline.historyOf(thing.id);
    const segment = segments.findLast(({ fromUs }) => fromUs <= timeUs) ?? segments[0]!;
    return segment.placement === undefined || segment.path !== undefined
      ? []
      : [{ thing, placement: segment.placement }];
  });
}

function topOf({ centre, extent }: Placement): number {
  return centre.z + extent.z / 2;
}

const labels = ({ things }: House, category: string) =>
  things.flatMap((thing) => (thing.category === category && thing.text ? [thing.text] : []));

describe.each(FAMILIES)("a %s", (name) => {
  it("is the same again from the same seed, and another from another", () => {
    const family = familyOf(name);
    const short = { startUs: 0, durationUs: 60e6 };
    const digest = (seed: number) => {
      const { timeline } = family.make({ seed, ...short });
      return JSON.stringify([timeline.house, timeline.events]);
    };
    expect(digest(3)).toBe(digest(3));
    expect(digest(3)).not.toBe(digest(4));
  });

  it("is gone through until the end of the time, within its areas", () => {
    const { timeline, tour } = familyOf(name).make({ ...OPTIONS, durationUs: 300e6 });
    const way = tour({ random: new Random(1), startUs: 0, endUs: 300e6, tiltRad: 0, phase: 0 });
    expect(way.endUs).toBeGreaterThanOrEqual(300e6);
    for (let t = 0; t <= 300e6; t += 5e6) {
      const { x, y } = way.at(t).positionInWorld;
      const xs = timeline.house.rooms.flatMap(({ polygon }) => polygon.points.map((p) => p.x));
      const ys = timeline.house.rooms.flatMap(({ polygon }) => polygon.points.map((p) => p.y));
      expect(x).toBeGreaterThan(Math.min(...xs));
      expect(x).toBeLessThan(Math.max(...xs));
      expect(y).toBeGreaterThan(Math.min(...ys));
      expect(y).toBeLessThan(Math.max(...ys));
    }
  });
});

describe("the warehouse", () => {
  it("numbers every slot once, and has a sign for every aisle and bay", () => {
    const slots = labels(warehouse.timeline.house, "shelf");
    expect(new Set(slots).size).toBe(slots.length);
    for (const slot of slots) expect(slot).toMatch(/^[A-N]-\d\d-[123]$/);
    const signs = new Set(labels(warehouse.timeline.house, "sign"));
    for (const { name, isSigned } of warehouse.timeline.house.rooms)
      if (isSigned) expect(signs).toContain(name.toUpperCase());
  });

  it("keeps boxes on shelves and pallets, one in a slot, none in another, at any time", () => {
    for (const timeUs of TIMES) {
      const placed = new Map(resting(warehouse, timeUs).map(({ thing, placement }) => [thing.id, placement]));
      const boxes = [...placed].filter(([id]) => id.startsWith("box-"));
      const hosts = boxes.map(([, { supportedBy }]) => supportedBy!);
      const slots = hosts.filter((id) => id.startsWith("shelf-"));
      expect(new Set(slots).size).toBe(slots.length);
      for (const [id, { centre, extent, supportedBy }] of boxes)
        expect(centre.z - extent.z / 2, `${id} on ${supportedBy}`).toBeCloseTo(
          topOf(placed.get(supportedBy!)!),
          6,
        );
      const solid = boxes.map(([, { centre, extent, yawRad }]) =>
        boxOfSolid({ centre, size: extent, yawRad }),
      );
      solid.forEach((one, i) => {
        for (const other of solid.slice(i + 1)) expect(boxesClash(one, other)).toBe(false);
      });
    }
  });

  it("lets deliveries come, boxes be put away and picked, and says who did it", () => {
    const { events } = warehouse.timeline;
    const kinds = new Set(events.map(({ type }) => type));
    expect([...kinds].sort()).toEqual(["add", "carry", "move", "remove", "walk"]);
    for (const { type, who } of events) if (type === "carry") expect(who).toMatch(/^(person|forklift)-/);
    for (let i = 1; i < events.length; i++)
      expect(events[i]!.timeUs).toBeGreaterThanOrEqual(events[i - 1]!.timeUs);
  });
});

describe("the campus", () => {
  it("has kilometres of paths and one name on one building, street and car", () => {
    const { house } = campus.timeline;
    for (const category of ["building", "car", "van"]) {
      const names = labels(house, category);
      expect(names.length).toBeGreaterThan(1);
      expect(new Set(names).size).toBe(names.length);
    }
    const xs = house.rooms.flatMap(({ polygon }) => polygon.points.map(({ x }) => x));
    expect(Math.max(...xs) - Math.min(...xs)).toBeGreaterThan(500);
  });

  it("parks one car in a place, and cars come and go", () => {
    for (const timeUs of TIMES) {
      const cars = resting(campus, timeUs).filter(({ thing }) => thing.type === "vehicle");
      const places = cars.map(({ placement: { centre } }) => `${centre.x.toFixed(1)}/${centre.y.toFixed(1)}`);
      expect(new Set(places).size).toBe(places.length);
    }
    const kinds = campus.timeline.events.map(({ type }) => type);
    expect(kinds).toContain("add");
    expect(kinds).toContain("remove");
  });
});

describe("lanes", () => {
  const point = (x: number, y: number) => ({ x, y, z: 0 });
  /** A ladder: two rails with three rungs. */
  const lanes = new Lanes(
    [point(0, 0), point(10, 0), point(20, 0), point(0, 5), point(10, 5), point(20, 5)],
    [
      [0, 1],
      [1, 2],
      [3, 4],
      [4, 5],
      [0, 3],
      [2, 5],
    ],
  );

  it("go the shorter way round, and straight along one lane", () => {
    expect(lanes.path(point(3, 1), point(4, 4))).toEqual([
      point(3, 1),
      point(3, 0),
      point(0, 0),
      point(0, 3 + 2),
      point(4, 5),
      point(4, 4),
    ]);
    expect(lanes.path(point(2, 1), point(8, 1))).toEqual([
      point(2, 1),
      point(2, 0),
      point(8, 0),
      point(8, 1),
    ]);
  });

  it("do not lead to what is far from them or in another part", () => {
    expect(lanes.path(point(0, 0), point(500, 0))).toBeUndefined();
    const two = new Lanes(
      [point(0, 0), point(1, 0), point(9, 0), point(10, 0)],
      [
        [0, 1],
        [2, 3],
      ],
    );
    expect(two.path(point(0, 0), point(10, 0))).toBeUndefined();
  });
});

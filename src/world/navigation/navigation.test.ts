import { describe, expect, it } from "vitest";
import { Random } from "../../geometry/index.ts";
import { makeTimeline } from "../dynamics/make-timeline.ts";
import { generateHouse } from "../house/generate.ts";
import { startSnapshot } from "../house/solids.ts";
import { coverPath, minimalEvidencePath, representatives, type Viewpoint } from "./evidence-path.ts";
import { CELL_M, FreeSpace } from "./free-space.ts";
import { distanceField, pathLengthM, pathTo } from "./geodesic.ts";
import { Navigation } from "./navigation.ts";
import { geodesicTable, viewpointsOf } from "./viewpoints.ts";

const START_US = 1_700_000_000_000_000;
const flat = (a: { x: number; y: number }, b: { x: number; y: number }): number =>
  Math.hypot(a.x - b.x, a.y - b.y);

describe("distances", () => {
  const house = generateHouse(3, { rooms: 4, objects: 60 });
  const space = new FreeSpace(startSnapshot(house));
  const start = space.nearestFree({ x: 3, y: 3, z: 0 }, 5);
  const field = distanceField(space, start);

  it("are those of a plain relaxation until nothing changes", () => {
    const { columns, free } = space;
    const plain = new Float64Array(free.length).fill(Infinity);
    plain[start] = 0;
    const neighbours = [-1, 0, 1]
      .flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy] as const))
      .filter(([dx, dy]) => dx !== 0 || dy !== 0);
    for (let changed = true; changed; ) {
      changed = false;
      for (let node = 0; node < free.length; node++) {
        if (free[node] !== 1) continue;
        const column = node % columns;
        for (const [dx, dy] of neighbours) {
          const other = node + dy * columns + dx;
          if (column + dx < 0 || column + dx >= columns || free[other] !== 1) continue;
          // Round a corner both cells beside the diagonal must be free.
          if (dx !== 0 && dy !== 0 && (free[node + dx] !== 1 || free[node + dy * columns] !== 1)) continue;
          const through = plain[other]! + CELL_M * (dx !== 0 && dy !== 0 ? Math.SQRT2 : 1);
          if (through < plain[node]! - 1e-9) {
            plain[node] = through;
            changed = true;
          }
        }
      }
    }
    let compared = 0;
    for (let node = 0; node < free.length; node++) {
      if (plain[node] === Infinity) expect(field.distanceM[node]).toBe(Infinity);
      else if (node % 7 === 0) {
        expect(Math.abs(field.distanceM[node]! - plain[node]!)).toBeLessThan(1e-6);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(500);
  });

  it("shrink when the way is pulled straight, never below the straight line, and the way is free", () => {
    const random = new Random("ways");
    for (let i = 0; i < 40; i++) {
      const node = random.int(0, space.free.length);
      const path = pathTo(space, field, node);
      if (space.free[node] !== 1 || field.distanceM[node] === Infinity) {
        expect(path).toBeUndefined();
        continue;
      }
      const length = pathLengthM(path!);
      expect(length).toBeLessThanOrEqual(field.distanceM[node]! + 1e-9);
      expect(length).toBeGreaterThanOrEqual(flat(space.pointOf(start), space.pointOf(node)) - 1e-9);
      for (let k = 1; k < path!.length; k++) expect(space.isClear(path![k - 1]!, path![k]!)).toBe(true);
    }
  });

  it("reach every room of the house", () => {
    for (const room of house.rooms) {
      const [a, , c] = room.polygon.points as [{ x: number; y: number }, unknown, { x: number; y: number }];
      const node = space.nearestFree({ x: (a.x + c.x) / 2, y: (a.y + c.y) / 2, z: 0 }, 3);
      expect(node).toBeGreaterThanOrEqual(0);
    }
    expect(space.reachableM2(start)).toBeGreaterThan(10);
  });
});

describe("Navigation", () => {
  it("takes the stairs", () => {
    const house = generateHouse("stairs", { floors: 2, rooms: 9, objects: 120 });
    const timeline = makeTimeline(house, {
      seed: 1,
      startUs: START_US,
      durationUs: 60_000_000,
      rate: 0,
      people: 0,
    });
    const navigation = new Navigation(timeline);
    const { foot, head } = house.stairs[0]!;
    const length = navigation.geodesicM(foot, head, START_US);
    expect(length).toBeCloseTo(Math.hypot(flat(foot, head), head.z - foot.z), 1);
    const path = navigation.path(foot, head, START_US)!;
    expect(path[0]!.z).toBe(0);
    expect(path.at(-1)!.z).toBe(head.z);
    expect(navigation.standNear({ x: -50, y: 0, z: 0 }, START_US)).toBeUndefined();
    expect(navigation.geodesicM({ x: -50, y: 0, z: 0 }, head, START_US)).toBe(Infinity);
  });

  it("follows doors through time", () => {
    const house = generateHouse(6);
    const timeline = makeTimeline(house, {
      seed: 6,
      startUs: START_US,
      durationUs: 3_600_000_000,
      rate: 120,
      people: 1,
    });
    const navigation = new Navigation(timeline);
    const closing = timeline.events.find((e) => e.type === "close" && e.thing.startsWith("door-"))!;
    const opening = house.openings.find((o) => o.thing === closing.thing)!;
    expect(navigation.at(closing.timeUs - 1).isFree(opening.centre)).toBe(true);
    expect(navigation.at(closing.timeUs).isFree(opening.centre)).toBe(false);
    expect(navigation.at(closing.timeUs)).toBe(navigation.at(closing.timeUs + 1));
  });
});

describe("evidence paths", () => {
  const straight = (a: { x: number; y: number }, b: { x: number; y: number }): number => flat(a, b);
  const scatter = (seed: string, targets: number, each: number): Viewpoint[][] => {
    const random = new Random(seed);
    return Array.from({ length: targets }, () =>
      Array.from({ length: each }, () => ({
        position: { x: random.range(0, 10), y: random.range(0, 10), z: 0 },
      })),
    );
  };
  const origin = { x: 0, y: 0, z: 0 };

  it("are the shortest over all orders and choices", () => {
    for (let trial = 0; trial < 25; trial++) {
      const targets = scatter(`exact ${trial}`, 1 + (trial % 5), 3);
      const found = minimalEvidencePath(origin, targets, straight)!;
      expect(found.lengthM).toBeCloseTo(shortest(origin, targets, new Set()), 9);
      expect(found.approximate).toBe(false);
      expect([...found.order].sort()).toEqual(targets.map((_, i) => i));
    }
  });

  it("are close above 8 targets and say so", () => {
    const targets = scatter("many", 9, 1);
    const found = minimalEvidencePath(origin, targets, straight)!;
    expect(found.approximate).toBe(true);
    const best = shortest(origin, targets, new Set());
    expect(found.lengthM).toBeGreaterThanOrEqual(best - 1e-9);
    expect(found.lengthM).toBeLessThan(best * 1.25);
  });

  it("do not exist where a target cannot be seen or reached", () => {
    expect(minimalEvidencePath(origin, [[]], straight)).toBeUndefined();
    expect(minimalEvidencePath(origin, scatter("far", 2, 2), () => Infinity)).toBeUndefined();
    expect(minimalEvidencePath(origin, [], straight)).toMatchObject({ lengthM: 0, order: [] });
    expect(() => minimalEvidencePath(origin, scatter("crowd", 65, 1), straight)).toThrow(/at most 64/);
  });

  it("thin out many viewpoints to spread ones", () => {
    const many = scatter("one", 1, 200)[0]!;
    const few = representatives(many, 12);
    expect(new Set(few).size).toBe(12);
    const far = Math.max(...many.map((v) => Math.min(...few.map((f) => flat(v.position, f.position)))));
    expect(far).toBeLessThan(4);
  });

  it("cover regions approximately", () => {
    const candidates = scatter("cover", 1, 20)[0]!;
    const regions = ["a", "b", "c", "d", "e"];
    const covers = candidates.map((_, i) => new Set([regions[i % 5]!, regions[(i + (i % 3)) % 5]!]));
    const found = coverPath(origin, candidates, covers, regions, straight)!;
    expect(found.approximate).toBe(true);
    expect(new Set(found.order.flatMap((i) => [...covers[i]!])).size).toBe(5);
    expect(coverPath(origin, candidates, covers, ["nowhere"], straight)).toBeUndefined();
  });

  it("walk through a real house from viewpoints that the callback confirms", () => {
    const scene = startSnapshot(generateHouse(3, { rooms: 4, objects: 60 }));
    const space = new FreeSpace(scene);
    const sets = ["toilet-1", "sofa-1"].map((id) => viewpointsOf(space, scene.placementOf(id)!, () => true));
    for (const set of sets) expect(set.length).toBeGreaterThan(3);
    const start = space.pointOf(space.nearestFree({ x: 3, y: 3, z: 0 }, 5));
    const found = minimalEvidencePath(start, sets, geodesicTable(space))!;
    expect(found.lengthM).toBeGreaterThan(0);
    expect(found.lengthM).toBeLessThan(60);
    expect(viewpointsOf(space, scene.placementOf("sofa-1")!, () => false)).toEqual([]);
  });
});

/** Every order, every choice. */
function shortest(
  from: { x: number; y: number },
  targets: readonly (readonly Viewpoint[])[],
  done: ReadonlySet<number>,
): number {
  if (done.size === targets.length) return 0;
  let best = Infinity;
  targets.forEach((set, i) => {
    if (done.has(i)) return;
    for (const { position } of set)
      best = Math.min(best, flat(from, position) + shortest(position, targets, new Set([...done, i])));
  });
  return best;
}

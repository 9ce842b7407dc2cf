import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSimplePolygon, type Point2, polygonArea, polygonContains, Random } from "../../geometry/index.ts";
import { FREE } from "../raster.ts";
import { outlinesOf } from "./outline.ts";
import { segmentRooms } from "./segment.ts";

const SIDE = 80;
const PLAN = { width: SIDE, height: SIDE, originX: -1, originY: 2, cellM: 0.1 };

function labelled(has: (x: number, y: number) => boolean): Uint16Array {
  return Uint16Array.from({ length: SIDE * SIDE }, (_, i) => (has(i % SIDE, Math.floor(i / SIDE)) ? 1 : 0));
}

function outlineOf(has: (x: number, y: number) => boolean): readonly Point2[] {
  return outlinesOf(labelled(has), 1, PLAN)[1]!;
}

const inside = (x: number, y: number, [left, bottom, right, top]: readonly number[]): boolean =>
  x >= left! && x < right! && y >= bottom! && y < top!;

describe("outlines", () => {
  it("of a rectangle are its four corners, and of nothing nothing", () => {
    const points = outlineOf((x, y) => inside(x, y, [5, 4, 25, 14]));
    expect(points).toHaveLength(4);
    expect(polygonArea({ points })).toBeCloseTo(2, 6);
    expect(outlinesOf(new Uint16Array(SIDE * SIDE), 2, PLAN)).toEqual([undefined, undefined, undefined]);
  });

  it("forget teeth and dents of noise, and keep the place of the walls", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(`teeth ${seed}`);
        const noise = Array.from({ length: 200 }, () => random.int(-1, 2));
        const box = [10, 10, 60, 50];
        const points = outlineOf((x, y) =>
          inside(x, y, [
            box[0]! + noise[y]!,
            box[1]! + noise[x + 40]!,
            box[2]! + noise[y + 80]!,
            box[3]! + noise[x + 120]!,
          ]),
        );
        expect(points).toHaveLength(4);
        const xs = points.map(({ x }) => x);
        const ys = points.map(({ y }) => y);
        expect(Math.abs(Math.min(...xs) - 0)).toBeLessThan(0.1);
        expect(Math.abs(Math.max(...xs) - 5)).toBeLessThan(0.1);
        expect(Math.abs(Math.min(...ys) - 3)).toBeLessThan(0.1);
        expect(Math.abs(Math.max(...ys) - 7)).toBeLessThan(0.1);
      }),
      { numRuns: 60 },
    );
  });

  it("keep an alcove and a bay", () => {
    const bent = outlineOf((x, y) => inside(x, y, [10, 10, 60, 50]) && !inside(x, y, [40, 30, 60, 50]));
    expect(bent).toHaveLength(6);
    expect(polygonArea({ points: bent })).toBeCloseTo(16, 6);
  });

  it("are square in a building that is turned", () => {
    const angle = 0.4;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const points = outlineOf((x, y) => {
      const [u, v] = [c * (x - 40) + s * (y - 40), c * (y - 40) - s * (x - 40)];
      return Math.abs(u) <= 25 && Math.abs(v) <= 15;
    });
    expect(points).toHaveLength(4);
    expect(Math.abs(polygonArea({ points }) - 15)).toBeLessThan(0.6);
    const [a, b] = points;
    const direction = (Math.atan2(b!.y - a!.y, b!.x - a!.x) - angle) / (Math.PI / 2);
    expect(Math.abs(direction - Math.round(direction))).toBeLessThan(0.02);
  });

  it("are simple and hold about what they enclose, whatever the shape", () => {
    const disc = fc.record({
      x: fc.integer({ min: 6, max: 34 }),
      y: fc.integer({ min: 6, max: 34 }),
      r: fc.integer({ min: 3, max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(disc, { minLength: 1, maxLength: 4 }), (discs) => {
        const has = (u: number, v: number) => discs.some(({ x, y, r }) => Math.hypot(u - x, v - y) <= r);
        const points = outlineOf(has);
        expect(isSimplePolygon({ points })).toBe(true);
        expect(polygonArea({ points })).toBeGreaterThan(0);
        if (discs.length > 1) return;
        const [{ x, y }] = [discs[0]!];
        expect(polygonContains({ points }, { x: -1 + (x + 0.5) * 0.1, y: 2 + (y + 0.5) * 0.1, z: 0 })).toBe(
          true,
        );
        const cells = labelled(has).filter((label) => label === 1).length * 0.01;
        expect(Math.abs(polygonArea({ points }) - cells)).toBeLessThan(0.35 * cells + 0.1);
      }),
      { numRuns: 80 },
    );
  });
});

describe("how far rooms reach", () => {
  /** An isolated room of 4 × 3 m whose walls are three cells thick. */
  function roomWith(change: {
    unknown?: readonly number[];
    gap?: readonly number[];
    glimpse?: readonly number[];
  }) {
    const { unknown = [], gap = [], glimpse = [] } = change;
    const at = (has: (x: number, y: number) => boolean) =>
      Uint8Array.from({ length: SIDE * SIDE }, (_, i) => (has(i % SIDE, Math.floor(i / SIDE)) ? 1 : 0));
    const isRoom = (x: number, y: number) =>
      (inside(x, y, [20, 20, 60, 50]) && !inside(x, y, unknown)) || inside(x, y, glimpse);
    const wall = at(
      (x, y) => inside(x, y, [17, 17, 63, 53]) && !inside(x, y, [20, 20, 60, 50]) && !inside(x, y, gap),
    );
    const known = at((x, y) => isRoom(x, y) || wall[y * SIDE + x] === 1);
    const state = at(isRoom).map((free) => (free ? FREE : 0));
    const { labels, rooms } = segmentRooms({ ...PLAN, storey: 0, floorZ: 0, wall, known, state });
    expect(rooms).toBe(1);
    return polygonArea({ points: outlinesOf(labels, 1, PLAN)[1]! });
  }
  /** Its floor, and half of the three cells of wall around it: at most two. */
  const least = 12;
  const most = 4.4 * 3.4;

  it("is to the middle of their walls", () => {
    const area = roomWith({});
    expect(area).toBeGreaterThan(least);
    expect(area).toBeLessThanOrEqual(most + 1e-9);
  });

  it("takes in a corner that nobody saw", () => {
    expect(roomWith({ unknown: [20, 20, 28, 30] })).toBeGreaterThan(least);
  });

  it("is not out of a hole in the wall, nor to what shows behind it", () => {
    expect(roomWith({ gap: [17, 30, 20, 34] })).toBeLessThanOrEqual(most + 1e-9);
    expect(roomWith({ gap: [17, 30, 20, 33], glimpse: [5, 30, 20, 33] })).toBeLessThanOrEqual(most + 1e-9);
  });

  it("is not to where the outside comes in", () => {
    const area = roomWith({ gap: [17, 17, 20, 35], unknown: [17, 17, 30, 35] });
    expect(area).toBeLessThan(roomWith({}) - 1);
  });
});

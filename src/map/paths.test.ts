import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distanceTransform } from "./distance-transform.ts";
import { FloorPlan } from "./paths.ts";
import { pathByPlaces } from "./place-path.ts";
import type { Place } from "./places.ts";
import { type FloorRaster, FREE, OCCUPIED } from "./raster.ts";

/** A raster of one-metre cells from a drawing: # is occupied, everything else free. */
function rasterFrom(rows: readonly string[]): FloorRaster {
  const [height, width] = [rows.length, rows[0]!.length];
  const state = Uint8Array.from({ length: width * height }, (_, i) =>
    rows[Math.floor(i / width)]![i % width] === "#" ? OCCUPIED : FREE,
  );
  return {
    storey: 0,
    floorZ: 0,
    originX: 0,
    originY: 0,
    cellM: 1,
    width,
    height,
    state,
    wall: new Uint8Array(width * height),
    known: new Uint8Array(width * height).fill(1),
  };
}

const middle = (x: number, y: number) => ({ x: x + 0.5, y: y + 0.5, z: 0 });

/** Shortest ways by relaxing every step until nothing improves (Bellman–Ford). */
function bruteForce(raster: FloorRaster, start: number): Float64Array {
  const { width, height, state } = raster;
  const cost = new Float64Array(state.length).fill(Infinity);
  const open = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && state[y * width + x] === FREE;
  cost[start] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (let dy = -1; dy <= 1; dy++)
          for (let dx = -1; dx <= 1; dx++) {
            if (!open(x, y) || !open(x + dx, y + dy) || !open(x + dx, y) || !open(x, y + dy)) continue;
            const reached = cost[y * width + x]! + Math.hypot(dx, dy);
            if (reached < cost[(y + dy) * width + x + dx]! - 1e-9) {
              cost[(y + dy) * width + x + dx] = reached;
              changed = true;
            }
          }
  }
  return cost;
}

const drawing = fc
  .tuple(fc.integer({ min: 3, max: 14 }), fc.integer({ min: 3, max: 14 }))
  .chain(([width, height]) =>
    fc.array(fc.array(fc.constantFrom("#", ".", ".", "."), { minLength: width, maxLength: width }), {
      minLength: height,
      maxLength: height,
    }),
  )
  .map((rows) => rows.map((row) => row.join("")));

describe("distance transform", () => {
  it("is the distance to the nearest mark", () => {
    fc.assert(
      fc.property(drawing, (rows) => {
        const [height, width] = [rows.length, rows[0]!.length];
        const marked = Uint8Array.from(rows.join(""), (cell) => (cell === "#" ? 1 : 0));
        const distance = distanceTransform(marked, width, height);
        for (let i = 0; i < marked.length; i++) {
          let nearest = Infinity;
          for (let j = 0; j < marked.length; j++)
            if (marked[j])
              nearest = Math.min(
                nearest,
                Math.hypot((i % width) - (j % width), Math.floor(i / width) - Math.floor(j / width)),
              );
          if (nearest < Infinity) expect(distance[i]).toBeCloseTo(nearest, 4);
          else expect(distance[i]).toBeGreaterThan(1e5);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("ways between storeys", () => {
  const place = (id: string, x: number, z: number, to: readonly string[]): Place => ({
    id,
    author: "robot",
    labels: [],
    submap: "world",
    positionInSubmap: { x, y: 0.5, z },
    positionInWorld: { x, y: 0.5, z },
    yawRad: 0,
    sinceUs: 0,
    edges: new Map(to.map((other) => [other, { costM: 1, type: "traversed" as const }])),
    views: [],
    captions: [],
    lines: [],
  });

  it("go by the stairs that were walked, or not at all", () => {
    const fromPlan = new FloorPlan(rasterFrom(["........"]), 0.2);
    const toPlan = new FloorPlan({ ...rasterFrom(["........"]), floorZ: 3 }, 0.2);
    const stairs = [
      place("foot", 6.5, 0, ["half"]),
      place("half", 7, 1.5, ["foot", "head"]),
      place("head", 6.5, 3, ["half"]),
    ];
    const path = pathByPlaces(middle(0, 0), { ...middle(1, 0), z: 3 }, stairs, { fromPlan, toPlan })!;
    expect(path.points.map(({ z }) => z)).toContain(1.5);
    expect(path.lengthM).toBeCloseTo(6 + 2 * Math.hypot(0.5, 1.5) + 5, 6);
    expect(
      pathByPlaces(middle(0, 0), middle(1, 0), stairs.slice(0, 2), { fromPlan, toPlan }),
    ).toBeUndefined();
  });
});

describe("ways on the grid", () => {
  it("are as short as brute force finds, and straightened ones are open and not longer", () => {
    fc.assert(
      fc.property(drawing, fc.nat(), fc.nat(), (rows, a, b) => {
        const raster = rasterFrom(rows);
        const free = [...raster.state.keys()].filter((i) => raster.state[i] === FREE);
        fc.pre(free.length > 1);
        const [start, goal] = [free[a % free.length]!, free[b % free.length]!];
        const at = (cell: number) => middle(cell % raster.width, Math.floor(cell / raster.width));
        const plan = new FloorPlan(raster, 0.4);
        const truth = bruteForce(raster, start);
        const field = plan.distanceField(at(start));
        for (const cell of free) {
          if (truth[cell] === Infinity) expect(field.at(at(cell))).toBe(Infinity);
          else expect(field.at(at(cell))).toBeCloseTo(truth[cell]!, 6);
        }
        const path = plan.path(at(start), at(goal));
        if (truth[goal] === Infinity) {
          expect(path).toBeUndefined();
          return;
        }
        expect(path!.lengthM).toBeLessThanOrEqual(truth[goal]! + 1e-9);
        expect(path!.lengthM).toBeGreaterThanOrEqual(
          Math.hypot(at(goal).x - at(start).x, at(goal).y - at(start).y) - 1e-9,
        );
        for (let i = 1; i < path!.points.length; i++)
          expect(plan.isClear(path!.points[i - 1]!, path!.points[i]!)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("keep the body's radius from what is occupied", () => {
    const raster = rasterFrom(["......", "..#...", "......", "......", "......"]);
    expect(new FloorPlan(raster, 0.4).isOpen(middle(1, 1))).toBe(true);
    expect(new FloorPlan(raster, 0.6).isOpen(middle(1, 1))).toBe(false);
    expect(new FloorPlan(raster, 0.6).nearestOpen(middle(2, 1))).not.toBeUndefined();
    expect(new FloorPlan(raster, 0.4).isClear(middle(1, 1), middle(3, 1))).toBe(false);
    expect(new FloorPlan(raster, 0.4).isClear(middle(1, 0), middle(3, 0))).toBe(true);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Box, boxesIntersect, boxFromCentre } from "../../geometry/index.ts";
import { SpatialHash } from "./spatial-hash.ts";

const coordinate = fc.double({ min: -20, max: 20, noNaN: true });
const side = fc.oneof(
  fc.double({ min: 0, max: 2, noNaN: true }),
  fc.double({ min: 0, max: 30, noNaN: true }),
);
const box = fc
  .tuple(coordinate, coordinate, coordinate, side, side, side)
  .map(([x, y, z, a, b, c]) => boxFromCentre({ x, y, z }, { x: a, y: b, z: c }));

const item = (worldBox: Box): { worldBox: Box } => ({ worldBox });

describe("SpatialHash", () => {
  it("finds all that brute force finds, each once, after moves and removals", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(box, box, fc.nat(2)), { maxLength: 40 }), box, (entries, query) => {
        const hash = new SpatialHash<{ worldBox: Box }>(1);
        const kept: { worldBox: Box }[] = [];
        for (const [first, second, what] of entries) {
          const one = item(first);
          hash.add(one);
          if (what === 1) hash.remove(one);
          if (what === 2) {
            one.worldBox = second;
            hash.add(one);
          }
          if (what !== 1) kept.push(one);
        }
        const found = hash.near(query);
        expect(new Set(found).size).toBe(found.length);
        expect(hash.size).toBe(kept.length);
        for (const one of kept) {
          if (boxesIntersect(one.worldBox, query)) expect(found).toContain(one);
        }
      }),
    );
  });

  it("does not look at things far away", () => {
    const hash = new SpatialHash<{ worldBox: Box }>(1);
    for (let x = 0; x < 1_000; x++)
      hash.add(item(boxFromCentre({ x, y: 0, z: 0 }, { x: 0.5, y: 0.5, z: 0.5 })));
    expect(hash.near(boxFromCentre({ x: 500, y: 0, z: 0 }, { x: 1, y: 1, z: 1 })).length).toBeLessThan(5);
  });
});

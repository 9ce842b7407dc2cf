import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Box } from "../../geometry/index.ts";
import { FreeTop } from "./free-top.ts";

const rectangle = (x0: number, y0: number, x1: number, y1: number): Box => ({
  min: { x: x0, y: y0, z: 0.8 },
  max: { x: x1, y: y1, z: 1 },
});
const TABLE = rectangle(1, 1, 2, 1.5);

describe("the free part of a top", () => {
  it("holds what is as large as itself, either way round, and nothing larger", () => {
    const top = new FreeTop(TABLE, []);
    expect(top.fits(1, 0.5)).toBe(true);
    expect(top.fits(0.5, 1)).toBe(true);
    expect(top.fits(1.1, 0.5)).toBe(false);
    expect(top.freeM2()).toBeCloseTo(0.5, 2);
  });

  it("counts places, not area: a vase in the middle leaves no room for a tray", () => {
    const top = new FreeTop(TABLE, [rectangle(1.45, 1.2, 1.55, 1.3)]);
    expect(top.freeM2()).toBeGreaterThan(0.48);
    expect(top.fits(0.6, 0.4)).toBe(false);
    expect(top.fits(0.4, 0.5)).toBe(true);
  });

  it("holds four plates of a quarter, and then none", () => {
    const top = new FreeTop(TABLE, []);
    expect(top.howMany(0.5, 0.24)).toBe(4);
    expect(top.fits(0.2, 0.2)).toBe(false);
  });

  it("never gives more than there was", () => {
    const side = fc.double({ min: 0.05, max: 0.6, noNaN: true });
    const spot = fc.tuple(side, side).map(([x, y]) => rectangle(1 + x, 1 + y / 2, 1.1 + x, 1.1 + y / 2));
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 5 }), side, side, (on, width, depth) => {
        const top = new FreeTop(TABLE, on);
        const free = top.freeM2();
        expect(top.howMany(width, depth) * width * depth).toBeLessThanOrEqual(free + 1e-6);
      }),
    );
  });
});

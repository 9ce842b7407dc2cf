import * as fc from "fast-check";
import { expect, test } from "vitest";
import { normalQuantile, portableLog } from "./normal-quantile.ts";
import { real } from "./testing/arbitraries.ts";

// From Python's statistics.NormalDist().inv_cdf, one for each of the three rational pieces and beyond.
test("known quantiles in the middle, the shoulders and the tails", () => {
  for (const [p, z] of [
    [0.5, 0],
    [0.3, -0.5244005127080407],
    [0.025, -1.9599639845400538],
    [1e-10, -6.361340902404056],
    [2 ** -54, -8.292361075813595],
  ] as const) {
    expect(Math.abs(normalQuantile(p) - z)).toBeLessThanOrEqual(4e-16 * Math.abs(z));
  }
});

test("symmetric and increasing across the joints of the pieces", () => {
  for (const joint of [0.075, 0.5, Math.exp(-25)]) {
    const [below, at, above] = [joint * (1 - 1e-9), joint, joint * (1 + 1e-9)].map(normalQuantile);
    expect(below!).toBeLessThan(at!);
    expect(at!).toBeLessThan(above!);
    expect(above! - below!).toBeLessThan(1e-7);
  }
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 30 - 1 }), (k) => {
      const p = k / 2 ** 30;
      expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(p), 14);
    }),
  );
});

test("the logarithm is Math.log to its last bits", () => {
  fc.assert(
    fc.property(fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true }), (value) => {
      const expected = Math.log(value);
      expect(Math.abs(portableLog(value) - expected)).toBeLessThanOrEqual(
        1e-15 * Math.max(1, Math.abs(expected)),
      );
    }),
  );
});

test("the series has all its terms where they count most", () => {
  fc.assert(
    fc.property(real(0.7, 1.42), (value) => {
      expect(Math.abs(portableLog(value) - Math.log(value))).toBeLessThanOrEqual(2 ** -52);
    }),
  );
});

test("what has no answer throws instead of looping", () => {
  for (const p of [0, 1, -1, Number.NaN]) expect(() => normalQuantile(p)).toThrow(RangeError);
  for (const value of [0, -1, Infinity, Number.NaN]) expect(() => portableLog(value)).toThrow(RangeError);
});

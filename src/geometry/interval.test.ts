import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  durationUs,
  type Interval,
  instant,
  intersectIntervals,
  intervalContains,
  intervalsOverlap,
  isValidInterval,
  mergeIntervals,
} from "./interval.ts";

const span = (fromUs: number, toUs: number | null): Interval => ({ fromUs, toUs });
const anyInterval: fc.Arbitrary<Interval> = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.option(fc.integer({ min: 0, max: 8 }), { freq: 6 }))
  .map(([fromUs, length]) => span(fromUs, length === null ? null : fromUs + length));
const ticks = Array.from({ length: 50 }, (_, i) => i);

test("half-open at the end, open when null", () => {
  expect([9, 10, 19, 20].map((t) => intervalContains(span(10, 20), t))).toEqual([false, true, true, false]);
  expect(intervalContains(span(10, null), Number.MAX_SAFE_INTEGER)).toBe(true);
  expect(intervalContains(span(10, null), 9)).toBe(false);
  expect(intervalContains(span(10, 10), 10)).toBe(false);
});

test("an instant is one microsecond", () => {
  expect(instant(5)).toEqual(span(5, 6));
  expect(durationUs(instant(5))).toBe(1);
  expect(durationUs(span(5, null))).toBe(Infinity);
});

test("validity: whole, ordered, not empty", () => {
  expect(isValidInterval(span(0, 1))).toBe(true);
  expect(isValidInterval(span(-5, null))).toBe(true);
  expect(isValidInterval(span(1, 1))).toBe(false);
  expect(isValidInterval(span(2, 1))).toBe(false);
  expect(isValidInterval(span(0.5, 2))).toBe(false);
  expect(isValidInterval(span(0, 1.5))).toBe(false);
  expect(isValidInterval(span(0, Infinity))).toBe(false);
  expect(isValidInterval(span(Number.NaN, null))).toBe(false);
});

test("overlap and intersection against counting microseconds, empty intervals included", () => {
  fc.assert(
    fc.property(anyInterval, anyInterval, (a, b) => {
      const both = ticks.filter((t) => intervalContains(a, t) && intervalContains(b, t));
      expect(intervalsOverlap(a, b)).toBe(both.length > 0);
      const shared = intersectIntervals(a, b);
      expect(ticks.filter((t) => shared !== undefined && intervalContains(shared, t))).toEqual(both);
      if (shared !== undefined) expect(shared.toUs === null).toBe(a.toUs === null && b.toUs === null);
    }),
    { numRuns: 500 },
  );
});

test("merge covers the same microseconds plus holes of at most the gap, sorted and apart", () => {
  fc.assert(
    fc.property(fc.array(anyInterval.filter(isValidInterval), { maxLength: 8 }), fc.nat(4), (list, gapUs) => {
      const merged = mergeIntervals(list, gapUs);
      const covered = ticks.map((t) => list.some((interval) => intervalContains(interval, t)));
      const expected = ticks.filter((t) => {
        if (covered[t]) return true;
        const before = covered.lastIndexOf(true, t);
        const after = covered.indexOf(true, t);
        return before >= 0 && after >= 0 && after - before - 1 <= gapUs;
      });
      expect(ticks.filter((t) => merged.some((interval) => intervalContains(interval, t)))).toEqual(expected);
      for (let i = 1; i < merged.length; i++) {
        expect(merged[i]!.fromUs - merged[i - 1]!.toUs!).toBeGreaterThan(gapUs);
      }
    }),
    { numRuns: 500 },
  );
});

test("merge joins what meets, keeps an open end, and leaves its input alone", () => {
  const input = [span(10, 20), span(0, 10), span(30, null), span(35, 40)];
  expect(mergeIntervals(input)).toEqual([span(0, 20), span(30, null)]);
  expect(mergeIntervals(input, 10)).toEqual([span(0, null)]);
  expect(input[0]).toEqual(span(10, 20));
  expect(mergeIntervals([])).toEqual([]);
});

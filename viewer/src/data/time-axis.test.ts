import fc from "fast-check";
import { expect, it } from "vitest";
import { TimeAxis } from "./time-axis.ts";

const DAY_S = 86_400;

/** Two visits of two minutes, a day apart. */
const visits = () => {
  const looks = Array.from({ length: 240 }, (_, n) => (n < 120 ? n : DAY_S + n - 120));
  return new TimeAxis(Float64Array.from(looks), 0, DAY_S + 119);
};

it("draws visits wide and the night between them short", () => {
  const { stretches } = visits();
  expect(stretches.map(({ isGap }) => isGap)).toEqual([false, true, false]);
  const [first, gap, second] = stretches.map(({ x0, x1 }) => x1 - x0) as [number, number, number];
  expect(gap).toBeLessThan(0.1);
  expect(first).toBeCloseTo(second, 2);
  expect(first + gap + second).toBeCloseTo(1);
});

it("is even where somebody looked all the time", () => {
  const axis = new TimeAxis(
    Float64Array.from({ length: 1_000 }, (_, n) => n * 10),
    0,
    9_990,
  );
  expect(axis.stretches).toHaveLength(1);
  expect(axis.shareOf(4_995)).toBeCloseTo(0.5);
});

it("is an axis even of one moment", () => {
  const axis = new TimeAxis(new Float64Array(), 5, 5);
  expect(axis.shareOf(5)).toBe(0);
  expect(axis.timeAt(0)).toBe(5);
});

it("finds every time again, whatever was looked at when", () => {
  const looks = fc.array(fc.integer({ min: 0, max: 10 * DAY_S }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(looks, fc.double({ min: 0, max: 1, noNaN: true }), (times, share) => {
      const axis = new TimeAxis(Float64Array.from(times), 0, 10 * DAY_S);
      const time = axis.timeAt(share);
      expect(axis.timeAt(axis.shareOf(time))).toBeCloseTo(time, 3);
      expect(axis.stretches.at(-1)!.x1).toBeCloseTo(1);
    }),
  );
});

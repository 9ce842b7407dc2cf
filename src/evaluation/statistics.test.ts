import { expect, it } from "vitest";
import { bootstrap, groupedBootstrap, meanOf, pairedBootstrap, ranksOf, spearman } from "./statistics.ts";

it("shares ranks between equals", () => {
  expect(ranksOf([10, 20, 20, 5])).toEqual([2, 3.5, 3.5, 1]);
});

it("knows Spearman by hand", () => {
  expect(spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7])).toBeCloseTo(0.820_783, 6);
  expect(spearman([1, 2, 3], [3, 2, 1])).toBe(-1);
  expect(spearman([1, 1, 1], [1, 2, 3])).toBe(0);
});

it("gives an interval that holds the value, narrows with more items and repeats itself", () => {
  const few = Array.from({ length: 20 }, (_, i) => i % 2);
  const many = Array.from({ length: 2_000 }, (_, i) => i % 2);
  const [a, b] = [bootstrap(few, meanOf), bootstrap(many, meanOf)];
  expect(a).toEqual(bootstrap(few, meanOf));
  expect(a.low).toBeLessThan(0.5);
  expect(a.high).toBeGreaterThan(0.5);
  expect(b.high - b.low).toBeLessThan((a.high - a.low) / 5);
});

it("sees a small steady gain through large common noise, which unpaired intervals do not", () => {
  const hard = Array.from({ length: 40 }, (_, i) => (i * 37) % 100);
  const pairs = hard.map((h, i) => [{ a: h + 1 + (i % 2), b: h }]);
  const gain = pairedBootstrap(pairs);
  expect(gain.value).toBeCloseTo(1.5, 12);
  expect(gain.low).toBeGreaterThan(1.3);
  expect(gain.high).toBeLessThan(1.7);
  expect(gain).toMatchObject({ n: 40, notBetter: 0 });
  const [a, b] = [
    bootstrap(
      pairs.flat().map((p) => p.a),
      meanOf,
    ),
    bootstrap(hard, meanOf),
  ];
  expect(a.low).toBeLessThan(b.high);
});

it("says that nothing was gained when nothing was", () => {
  const none = pairedBootstrap(Array.from({ length: 30 }, () => [{ a: 1, b: 1 }]));
  expect(none).toEqual({ value: 0, low: 0, high: 0, n: 30, notBetter: 1 });
});

it("draws groups as a whole: equal items of few groups do not narrow the interval", () => {
  const groups = [0, 0, 1, 1, 1].map((v) => new Array<number>(100).fill(v));
  const grouped = groupedBootstrap(groups);
  const single = bootstrap(groups.flat(), meanOf);
  expect(grouped.value).toBeCloseTo(0.6, 12);
  expect(single.value).toBeCloseTo(0.6, 12);
  expect(grouped.high - grouped.low).toBeGreaterThan(5 * (single.high - single.low));
});

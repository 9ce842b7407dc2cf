import { expect, it } from "vitest";
import { bootstrap, meanOf, ranksOf, spearman } from "./statistics.ts";

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

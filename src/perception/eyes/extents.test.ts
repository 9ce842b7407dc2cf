import { expect, test } from "vitest";
import { extentOf } from "./extents.ts";
import { boardOf, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.05;
const [ACROSS, UP] = [40, 10];
const BOARD = boardOf(SIZE_M, [1, 3, 0.5], ACROSS, UP, () => ({ surface: [0, 1, 0] }));
/** One outlier among four hundred points. */
const SPECK = boardOf(SIZE_M, [6, 3, 0.7], 1, 1, () => ({ surface: [0, 1, 0] }));

function boxOf(points: ArrayLike<number>) {
  const all = Array.from(points);
  const axis = (k: number) => all.filter((_, n) => n % 3 === k);
  return [0, 1, 2].map((k) => [Math.min(...axis(k)), Math.max(...axis(k))] as const);
}

test("points around a thing have its box, along its own axes and along others, without a speck far off", () => {
  const map = mapOf(SIZE_M, [...BOARD, ...SPECK]);
  const voxels = [...BOARD, ...SPECK].map(({ at }) => map.at(...at));
  const points = extentOf(map, voxels);
  const [x, y, z] = boxOf(points);
  expect(x![0]).toBeCloseTo(1, 1);
  expect(x![1]).toBeCloseTo(3, 1);
  expect(y![1] - y![0]).toBeLessThan(SIZE_M);
  expect(z![0]).toBeCloseTo(0.5, 1);
  expect(z![1]).toBeCloseTo(1, 1);
  const c = Math.SQRT1_2;
  const turned = Array.from(points, (_, n) => {
    const [at, k] = [n - (n % 3), n % 3];
    return k === 2 ? points[n]! : c * points[at]! + (k === 0 ? -c : c) * points[at + 1]!;
  });
  const [across] = boxOf(turned);
  expect(across![1] - across![0]).toBeCloseTo(2 * c, 1);
});

test("what a thing reaches unseen belongs to its box", () => {
  const map = mapOf(SIZE_M, BOARD);
  const voxels = BOARD.map(({ at }) => map.at(...at));
  const [, y] = boxOf(extentOf(map, voxels, [1, 3.6, 0.7, 3, 3.6, 0.7]));
  expect(y![1] - y![0]).toBeCloseTo(0.6, 1);
});

import { expect, test } from "vitest";
import { fillOf } from "./tubs.ts";

const SIZE_M = 0.025;
const [LONG_M, WIDE_M, HIGH_M, RIM_M] = [1.6, 0.75, 0.58, 0.08];

/** A tub from above: its rim, its outer sides, and a level surface inside. */
function tub(levelM: number, isInsideSeen = true): Parameters<typeof fillOf> {
  const [point, normal]: [number[], number[]] = [[], []];
  const add = (at: number[], up: number[]) => {
    point.push(...at);
    normal.push(...up);
  };
  for (let x = 0; x < LONG_M; x += SIZE_M) {
    for (let y = 0; y < WIDE_M; y += SIZE_M) {
      const isRim = Math.min(x, LONG_M - x, y, WIDE_M - y) < RIM_M;
      if (isRim || isInsideSeen) add([x, y, isRim ? HIGH_M : levelM], [0, 0, 1]);
    }
    for (let z = 0; z < HIGH_M; z += SIZE_M) add([x, 0, z], [0, -1, 0]);
  }
  const members = Array.from({ length: point.length / 3 }, (_, n) => n);
  const surface = { point: Float32Array.from(point), normal: Float32Array.from(normal) };
  return [surface, { members }, SIZE_M, 0] as never;
}

test("a tub is full where the level inside is near its rim, and empty where it is deep", () => {
  expect(fillOf(...tub(0.44))).toBe("full");
  expect(fillOf(...tub(0.15))).toBe("empty");
});

test("nothing is said of one whose inside nobody saw, nor of one that is half full", () => {
  expect(fillOf(...tub(0.15, false))).toBeUndefined();
  expect(fillOf(...tub(0.28))).toBeUndefined();
});

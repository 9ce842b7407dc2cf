import { expect, test } from "vitest";
import type { KnownThing } from "../../../belief/thing.ts";
import { vec3 } from "../../../geometry/index.ts";
import { isAcross } from "./across.ts";

const boxOf = (min: readonly [number, number], max: readonly [number, number], topM = 0.8) => ({
  min: vec3(...min, 0),
  max: vec3(...max, topM),
});
const ROOMS = new Map([["living-room", boxOf([0, 0], [5, 4], 2.5)]]);
const thing = (category: string, min: [number, number], max: [number, number], roomId = "living-room") =>
  ({ category, roomId, box: boxOf(min, max) }) as unknown as KnownThing;

/** At the wall where y begins. */
const SOFA = thing("sofa", [1, 0.1], [3, 1]);

test("across from a sofa is what stands at the other wall, side by side with it", () => {
  const score = (one: KnownThing) => isAcross(one, SOFA, ROOMS) ?? -1;
  const stand = score(thing("tv stand", [1.2, 3.5], [2.8, 3.9]));
  expect(stand).toBeCloseTo(0.9);
  expect(score(thing("coffee table", [1.5, 1.6], [2.5, 2.1]))).toBeLessThan(0.2);
  expect(score(thing("window", [1.5, 3.9], [2.5, 4]))).toBeLessThan(stand);
  expect(score(thing("plant", [4.2, 3.4], [4.6, 3.8]))).toBe(0);
  expect(score(thing("armchair", [3.2, 0.2], [4, 1]))).toBe(0);
  expect(score(thing("fridge", [1, 4.2], [2, 4.8], "kitchen"))).toBe(0);
});

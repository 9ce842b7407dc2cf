import { expect, test } from "vitest";
import { standingLampsIn } from "./lamps.ts";
import { partition } from "./regions.ts";
import { boardOf, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.025;

/** The lamps found in a map with a shade at 1.2 m, and something on the floor at this lateral distance. */
function lampsWith(besideM: number, { words = ["other", "lamp"], named = 0.9 } = {}) {
  const piece = (x: number, z: number, up: number) =>
    boardOf(SIZE_M, [x, 3, z], 10, up, () => ({ surface: [0, 1, 0], named }));
  const map = mapOf(SIZE_M, [...piece(0, 1.2, 6), ...piece(besideM, 0, 3)]);
  const cut = partition(map, words.length, 1);
  return standingLampsIn(cut, words, { seen: cut.seen, sizeM: SIZE_M, floorZ: 0 });
}

test("a foot and a shade above it are one lamp, though nothing joins them, and likely a thing", () => {
  const [lamp, ...none] = lampsWith(0.05);
  expect(none).toEqual([]);
  expect(lamp!.regions).toHaveLength(2);
  expect(lamp!.highM).toBeGreaterThan(1.1);
  expect(lamp!.score).toBeGreaterThan(0.5);
});

test("what stands beside a shade, or is not called a lamp, is no foot of it", () => {
  expect(lampsWith(0.6)).toEqual([]);
  expect(lampsWith(0.05, { named: 0.3 })).toEqual([]);
  expect(lampsWith(0.05, { words: ["other", "mug"] })).toEqual([]);
});

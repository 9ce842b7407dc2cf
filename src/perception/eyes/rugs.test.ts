import { expect, test } from "vitest";
import { surfaceOf } from "./links.ts";
import { rugName, rugsIn } from "./rugs.ts";
import { mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.05;
const WORDS = ["other", "rug"];

/** A floor of three metres square with these votes for "rug". */
function rugsOn(named: (x: number, y: number) => number, isTaken = () => false) {
  const places = Array.from({ length: 60 * 60 }, (_, n) => [(n % 60) * SIZE_M, Math.floor(n / 60) * SIZE_M]);
  const map = mapOf(
    SIZE_M,
    places.map(([x, y]) => ({
      at: [x! + SIZE_M / 2, y! + SIZE_M / 2, 0.01],
      normal: [0, 0, 1],
      surface: [0.9, 0.1, 0],
      named: named(x!, y!),
    })),
  );
  const seen = surfaceOf(map, 1);
  return rugsIn(map, seen, WORDS, { seen, sizeM: SIZE_M, floorZ: 0 }, isTaken);
}

const isWithin = (x: number, y: number, longM: number, wideM: number) =>
  x >= 1 && x < 1 + longM && y >= 0.5 && y < 0.5 + wideM;

test("a patch of the floor that the eyes call a rug is one, as large as it is", () => {
  const [rug, ...others] = rugsOn((x, y) => (isWithin(x, y, 1.5, 1) ? 0.8 : 0.1));
  expect(others).toEqual([]);
  expect(rug!.longM).toBeCloseTo(1.5, 0);
  expect(rug!.wideM).toBeCloseTo(1, 0);
  expect(rug!.middle[0]).toBeCloseTo(1.75, 1);
  expect(rug!.middle[1]).toBeCloseTo(1, 1);
});

test("a mat is one too, but no floor that is called so by half of the votes, nor a speck", () => {
  expect(rugsOn((x, y) => (isWithin(x, y, 0.7, 0.5) ? 0.8 : 0.1))).toHaveLength(1);
  expect(rugsOn((x, y) => (isWithin(x, y, 1.5, 1) ? 0.55 : 0.1))).toEqual([]);
  expect(rugsOn((x, y) => (isWithin(x, y, 0.2, 0.2) ? 0.9 : 0.1))).toEqual([]);
});

test("two patches that nowhere meet are two, and without a floor there is none", () => {
  const two = rugsOn((x, y) => (isWithin(x, y, 1.8, 1) && Math.abs(x - 1.9) > 0.2 ? 0.8 : 0.1));
  expect(two).toHaveLength(2);
  const map = mapOf(SIZE_M, []);
  const seen = surfaceOf(map, 1);
  expect(rugsIn(map, seen, WORDS, { seen, sizeM: SIZE_M, floorZ: Number.NaN }, () => false)).toEqual([]);
});

test("it is a rug unless it is surely a special one", () => {
  expect(["bath mat", "book", undefined].map(rugName)).toEqual(["bath mat", "rug", "rug"]);
});

import { expect, test } from "vitest";
import { surfaceOf } from "./links.ts";
import { byStoreys } from "./storeys.ts";
import { type KnownVoxel, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.025;
const CATEGORIES = 4;

type Cells = readonly [x: number, y: number, z: number];

/** A box in voxels: its corner and its size. */
interface Body {
  readonly from: Cells;
  readonly span: Cells;
  readonly named?: number;
  /** Without a top, like an open box. */
  readonly isOpen?: boolean;
}

/** Top and sides of a body. */
function shellOf({ from, span, named = 0.2, isOpen = false }: Body): KnownVoxel[] {
  const out: KnownVoxel[] = [];
  const last = span.map((length) => length - 1);
  for (let x = 0; x < span[0]; x++)
    for (let y = 0; y < span[1]; y++)
      for (let z = 0; z < span[2]; z++) {
        const side = x === 0 ? [-1, 0, 0] : x === last[0] ? [1, 0, 0] : y === 0 ? [0, -1, 0] : [0, 1, 0];
        const isSide = x === 0 || x === last[0] || y === 0 || y === last[1];
        const isTop = z === last[2] && !isOpen;
        if (!isSide && !isTop) continue;
        const normal = (isTop ? [0, 0, 1] : side) as unknown as KnownVoxel["normal"];
        const at = [x, y, z].map((n, k) => (n + from[k]! + 0.5) * SIZE_M) as unknown as KnownVoxel["at"];
        out.push({ at, normal, surface: [0, 0, 1], named });
      }
  return out;
}

/** The heights of the storeys of some bodies, in voxels: lowest and highest of each, the lower storey first. */
function storeysOf(...bodies: readonly Body[]) {
  const map = mapOf(SIZE_M, bodies.flatMap(shellOf));
  const seen = surfaceOf(map, 1);
  const members = Array.from({ length: seen.count }, (_, n) => n);
  const found = byStoreys(members, seen, map, CATEGORIES);
  return (
    found &&
    [found.lower, ...found.uppers].map((part) => {
      const heights = part.map((n) => Math.floor(seen.point[3 * n + 2]! / SIZE_M));
      return [Math.min(...heights), Math.max(...heights)];
    })
  );
}

const PLINTH: Body = { from: [-6, 40, 20], span: [12, 11, 4] };
const MODEL: Body = { from: [-2, 44, 24], span: [4, 3, 5] };

test("a model on a plinth is a thing of its own, and so is each of two", () => {
  expect(storeysOf(PLINTH, MODEL)).toEqual([
    [20, 23],
    [24, 28],
  ]);
  const wide: Body = { ...PLINTH, span: [24, 11, 4] };
  expect(storeysOf(wide, MODEL, { ...MODEL, from: [8, 44, 24] })).toHaveLength(3);
});

test("what lies lower than two voxels carries nothing: laptops, saucers, feet of lamps", () => {
  expect(storeysOf({ ...PLINTH, from: [-6, 40, 23], span: [12, 11, 1] }, MODEL)).toBeUndefined();
  expect(storeysOf(PLINTH, { ...MODEL, span: [4, 3, 1] })).toBeUndefined();
});

test("what ends where the top does is of one body: the back of a chair, the tank of a coffee machine", () => {
  expect(storeysOf(PLINTH, { from: [-6, 49, 24], span: [12, 2, 6] })).toBeUndefined();
});

test("shoulders of a bottle are no top, nor is what is hardly larger than what stands on it", () => {
  expect(
    storeysOf({ from: [-2, 40, 20], span: [5, 5, 6] }, { from: [-1, 41, 26], span: [2, 2, 5] }),
  ).toBeUndefined();
  expect(storeysOf(PLINTH, { from: [-5, 41, 24], span: [10, 9, 5] })).toBeUndefined();
});

test("a box that is open has no top", () => {
  expect(
    storeysOf({ ...PLINTH, isOpen: true }, { ...MODEL, from: [-2, 44, 20], span: [4, 3, 9] }),
  ).toBeUndefined();
});

test("storeys that the eyes call by one name are of one thing", () => {
  expect(storeysOf({ ...PLINTH, named: 0.6 }, { ...MODEL, named: 0.6 })).toBeUndefined();
  expect(storeysOf({ ...PLINTH, named: 0.6 }, MODEL)).toHaveLength(2);
});

test("a handle over a toolbox does not stand on it", () => {
  const ends: Body[] = [-4, 3].map((x) => ({ from: [x, 44, 24], span: [2, 2, 3] }));
  const bar: Body = { from: [-4, 44, 27], span: [9, 2, 2] };
  expect(storeysOf(PLINTH, ...ends, bar)).toBeUndefined();
  expect(storeysOf(PLINTH, { from: [-4, 44, 24], span: [9, 2, 5] })).toHaveLength(2);
});

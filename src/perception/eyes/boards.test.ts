import { expect, test } from "vitest";
import { boardsIn } from "./boards.ts";
import { unite } from "./pieces.ts";
import { boxRegions, type NamedBox } from "./testing/box-regions.ts";

const SIZE_M = 0.025;
const box = (low: readonly number[], high: readonly number[]): NamedBox => ({ word: "other", low, high });
const BOARD = box([0, 0, 1], [1.2, 0.2, 1.05]);
const BOOKS = [0.2, 0.6].map((x) => box([x, 0.05, 1.02], [x + 0.2, 0.15, 1.3]));

const WORDS = ["other", "shelf"];
const CALLED = (word: string): readonly NamedBox[] => [
  { ...BOARD, word },
  { ...box([1.1, 0, 0.4], [1.2, 0.1, 1.6]), word },
];

/**
 * The ranges in height, or along x, of the boards found; one of the first `hidden` regions may consist of several
 * parts, and the others are reported things.
 */
function boards(boxes: readonly NamedBox[], one = 1, hidden = 1, axis = 2): (readonly [number, number])[] {
  const { regions, seen } = boxRegions(boxes, WORDS, SIZE_M);
  const first = regions[0]!;
  for (const other of regions.splice(1, one - 1)) unite(first, other);
  const none = new Float32Array();
  const cut = { seen, regions, regionOf: new Int32Array(), nearlyOne: none, closeness: none };
  const shown = new Set([...regions.keys()].slice(hidden));
  return boardsIn(cut, shown, WORDS, SIZE_M, 0).map((members) => {
    const places = members.map((n) => Math.round(100 * seen.point[3 * n + axis]!) / 100);
    return [Math.min(...places), Math.max(...places)];
  });
}

test("a thin level board on which two things stand is a thing", () => {
  expect(boards([BOARD, ...BOOKS])).toEqual([[1, 1.05]]);
});

test("a board that is one region with its posts is a thing without them, where the eyes call all of it a shelf", () => {
  const [from, to] = boards([...CALLED("shelf"), ...BOOKS], 2)[0]!;
  expect(from).toBeGreaterThan(0.9);
  expect(to).toBeLessThan(1.15);
  expect(boards([...CALLED("other"), ...BOOKS], 2)).toEqual([]);
});

test("it is none with one thing on it, on the floor, on a counter, as a block, or within a bookcase that is shown", () => {
  expect(boards([BOARD, BOOKS[0]!])).toEqual([]);
  const lower = ({ low, high }: NamedBox) =>
    box([low[0]!, low[1]!, low[2]! - 0.9], [high[0]!, high[1]!, high[2]! - 0.9]);
  expect(boards([BOARD, ...BOOKS].map(lower))).toEqual([]);
  expect(boards([BOARD, ...BOOKS, box([-0.5, -0.3, 0.2], [2, 0.3, 0.95])])).toEqual([]);
  expect(boards([box([0, 0, 0.8], [1.2, 0.2, 1.05]), ...BOOKS])).toEqual([]);
  expect(boards([BOARD, ...BOOKS, box([0, 0, 0], [1.2, 0.3, 1.8])])).toEqual([]);
});

test("boards that go on in each other are one, and one at another height is not of it", () => {
  const [left, right] = [box([0, 0, 1], [0.55, 0.2, 1.05]), box([0.6, 0, 1], [1.2, 0.2, 1.05])];
  expect(boards([left, right, ...BOOKS], 1, 2, 0)).toEqual([[0, 1.2]]);
  const higher = box([0.6, 0, 1.1], [1.2, 0.2, 1.15]);
  expect(boards([left, higher, ...BOOKS], 1, 2, 0)).toEqual([]);
});

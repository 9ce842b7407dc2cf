import { expect, test } from "vitest";
import { boardsIn } from "./boards.ts";
import { boxRegions, type NamedBox } from "./testing/box-regions.ts";

const SIZE_M = 0.025;
const box = (low: readonly number[], high: readonly number[]): NamedBox => ({ word: "other", low, high });
const BOARD = box([0, 0, 1], [1.2, 0.2, 1.05]);
const BOOKS = [0.2, 0.6].map((x) => box([x, 0.05, 1.02], [x + 0.2, 0.15, 1.3]));

/** Which regions are boards, where all but the first are shown. */
function boards(boxes: readonly NamedBox[]): number[] {
  const { regions, seen } = boxRegions(boxes, [], SIZE_M);
  const cut = { seen, regions, regionOf: new Int32Array(), nearlyOne: new Float32Array() };
  return boardsIn(cut, new Set(boxes.map((_, n) => n).slice(1)), SIZE_M, 0);
}

test("a thin level board on which two things stand is a thing", () => {
  expect(boards([BOARD, ...BOOKS])).toEqual([0]);
});

test("it is none with one thing on it, on the floor, as a block, or within a bookcase that is shown", () => {
  expect(boards([BOARD, BOOKS[0]!])).toEqual([]);
  const lower = ({ low, high }: NamedBox) =>
    box([low[0]!, low[1]!, low[2]! - 0.9], [high[0]!, high[1]!, high[2]! - 0.9]);
  expect(boards([BOARD, ...BOOKS].map(lower))).toEqual([]);
  expect(boards([box([0, 0, 0.8], [1.2, 0.2, 1.05]), ...BOOKS])).toEqual([]);
  expect(boards([BOARD, ...BOOKS, box([0, 0, 0], [1.2, 0.3, 1.8])])).toEqual([]);
});

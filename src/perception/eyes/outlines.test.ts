import { expect, test } from "vitest";
import { linksOf, surfaceOf } from "./links.ts";
import { neighboursIn } from "./middles.ts";
import { byOutlines } from "./outlines.ts";
import { boardOf, type KnownVoxel, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.025;
const [ACROSS, UP] = [20, 12];
const SMALL: KnownVoxel["surface"] = [0, 0, 1];
const DARK = [60, 50, 60];
const WHITE = [230, 230, 230];

interface Print {
  /** Strength of the predicted outline in the middle of the board. */
  readonly line: number;
  readonly colourOf?: (column: number) => readonly number[];
  /** The column of the predicted centre, by column. */
  readonly middleOf?: (column: number) => number;
  /** Rows in which the outline is drawn. */
  readonly rows?: number;
}

/** Columns of the parts of a board of print in one plane, with an outline between columns 9 and 10. */
function columnsOf({ line, colourOf = twoColours, middleOf = twoMiddles, rows = UP }: Print) {
  const isLine = (column: number, row: number) => (column === 9 || column === 10) && row < rows;
  const voxels = boardOf(SIZE_M, [0, 3, 0], ACROSS, UP, (column, row) => ({
    surface: SMALL,
    boundary: isLine(column, row) ? line : 0.1,
  }));
  const map = mapOf(SIZE_M, voxels);
  const { centre, weight } = map.columns;
  const columns = new Map<number, number>();
  voxels.forEach(({ at }, n) => {
    const voxel = map.at(...at);
    columns.set(voxel, n % ACROSS);
    [middleOf(n % ACROSS) * SIZE_M, 3, (UP / 2) * SIZE_M].forEach((value, k) => {
      centre[3 * voxel + k] = value * weight[voxel]!;
    });
  });
  const seen = surfaceOf(map, 1);
  const members = Array.from({ length: seen.count }, (_, n) => n);
  const neighbours = neighboursIn(new Int32Array(seen.count), new Set([0]), linksOf(map, seen));
  const columnOf = (n: number) => columns.get(seen.voxels[n]!)!;
  const parts = byOutlines(members, seen, (n) => colourOf(columnOf(n)), neighbours, SIZE_M);
  return parts
    ?.map((part) => [Math.min(...part.map(columnOf)), Math.max(...part.map(columnOf))])
    .sort((a, b) => a[0]! - b[0]!);
}

const twoColours = (column: number) => (column < 10 ? DARK : WHITE);
const twoMiddles = (column: number) => (column < 10 ? 5 : 15);

test("two magazines in one plane are parted where the eyes draw an outline and the colour changes", () => {
  const [left, right] = columnsOf({ line: 0.35 })!;
  expect(left![0]).toBe(0);
  expect(right![1]).toBe(ACROSS - 1);
  expect(Math.abs(left![1]! - 9.5)).toBeLessThan(2);
  expect(Math.abs(right![0]! - 9.5)).toBeLessThan(2);
});

test("a picture on a page is of the page: colours without an outline part nothing", () => {
  expect(columnsOf({ line: 0.1 })).toBeUndefined();
});

test("a fold in a page is no outline: it parts neither colours nor middles", () => {
  expect(columnsOf({ line: 0.5, colourOf: () => WHITE })).toBeUndefined();
  expect(columnsOf({ line: 0.9, middleOf: () => 10 })).toBeUndefined();
});

test("two of one colour are parted where the outline is strong", () => {
  expect(columnsOf({ line: 0.9, colourOf: () => WHITE })).toHaveLength(2);
});

test("an outline along a third of the border is none", () => {
  expect(columnsOf({ line: 0.9, rows: UP / 3 })).toBeUndefined();
});

/** An upright board and a level one that begins at its upper or lower edge, each with its own colour and centre. */
function sidesOf(levelRow: number): number[][] | undefined {
  const rim = (row: number) => (Math.abs(row - levelRow) < 1.5 ? 0.9 : 0.1);
  const front = boardOf(SIZE_M, [0, 3, 0], ACROSS, UP, (_, row) => ({
    surface: SMALL,
    boundary: rim(row + 0.5),
  }));
  const level = Array.from({ length: ACROSS * UP }, (_, n): KnownVoxel => {
    const [column, row] = [n % ACROSS, Math.floor(n / ACROSS)];
    // Seen from the south, a top lies behind its front, and a tray in front of what stands at its back.
    const y = levelRow > 0 ? 3 + (row + 0.5) * SIZE_M : 3 - (row + 0.5) * SIZE_M;
    return {
      at: [(column + 0.5) * SIZE_M, y, (levelRow + (levelRow > 0 ? 0.5 : -0.5)) * SIZE_M],
      normal: [0, 0, 1],
      surface: SMALL,
      boundary: row === 0 ? 0.9 : 0.1,
    };
  });
  const map = mapOf(SIZE_M, [...front, ...level]);
  const { centre, weight, point } = map.columns;
  const isLevel = (voxel: number) =>
    point[3 * voxel + 2]! / weight[voxel]! > UP * SIZE_M || point[3 * voxel + 2]! < 0;
  for (let voxel = 0; voxel < map.count; voxel++)
    [0.25, isLevel(voxel) ? 3.3 : 2.9, 0.1].forEach((value, k) => {
      centre[3 * voxel + k] = value * weight[voxel]!;
    });
  const seen = surfaceOf(map, 1);
  const members = Array.from({ length: seen.count }, (_, n) => n);
  const neighbours = neighboursIn(new Int32Array(seen.count), new Set([0]), linksOf(map, seen));
  return byOutlines(members, seen, (n) => (isLevel(seen.voxels[n]!) ? WHITE : DARK), neighbours, SIZE_M);
}

test("the top of a body and its front are one, whatever colours they have and wherever their middles are expected", () => {
  expect(sidesOf(UP)).toBeUndefined();
});

test("a tray and what stands at its back are two", () => {
  expect(sidesOf(0)).toHaveLength(2);
});

import type { Point2 } from "../../geometry/index.ts";
import type { DrawnGround } from "./drawing.ts";

/**
 * The outlines of all cells of one value, as closed loops along cell edges with the value on their left; collinear
 * edges are merged. Filled by the even-odd rule they cover exactly those cells.
 */
export function outlinesOf({ originM, cellM, columns, rows, cells }: DrawnGround, value: number): Point2[][] {
  const is = (column: number, row: number) =>
    column >= 0 && row >= 0 && column < columns && row < rows && cells[row * columns + column] === value;
  const stride = columns + 1;
  // Each corner has at most two edges that start there (two cells that touch at a corner).
  const next = new Map<number, number[]>();
  const edge = (fromColumn: number, fromRow: number, toColumn: number, toRow: number) => {
    const from = fromRow * stride + fromColumn;
    const list = next.get(from);
    const to = toRow * stride + toColumn;
    if (list) list.push(to);
    else next.set(from, [to]);
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!is(column, row)) continue;
      if (!is(column, row - 1)) edge(column, row, column + 1, row);
      if (!is(column + 1, row)) edge(column + 1, row, column + 1, row + 1);
      if (!is(column, row + 1)) edge(column + 1, row + 1, column, row + 1);
      if (!is(column - 1, row)) edge(column, row + 1, column, row);
    }
  }
  const loops: Point2[][] = [];
  for (const start of next.keys()) {
    while (next.get(start)!.length > 0) loops.push(straightened(walk(next, start), stride, originM, cellM));
  }
  return loops;
}

function walk(next: ReadonlyMap<number, number[]>, start: number): number[] {
  const loop: number[] = [];
  let at = start;
  do {
    loop.push(at);
    at = next.get(at)!.pop()!;
  } while (at !== start);
  return loop;
}

function straightened(loop: readonly number[], stride: number, originM: Point2, cellM: number): Point2[] {
  const corners = loop.filter((corner, i) => {
    const before = loop[(i + loop.length - 1) % loop.length]!;
    const after = loop[(i + 1) % loop.length]!;
    return corner - before !== after - corner;
  });
  return corners.map((corner) => ({
    x: originM.x + (corner % stride) * cellM,
    y: originM.y + Math.floor(corner / stride) * cellM,
  }));
}

import type { Rect } from "../plan/rect.ts";

const CELL_M = 0.05;
/** Wider than the robot's 0.2 m by more than half a cell's diagonal: what is connected here is also connected there. */
const WIDE_M = 0.25;
/** The robot's own radius: shows the pockets that only it fits into. */
const NARROW_M = 0.2;
/** Allowed loss of floor in unreachable corners, in cells, for the two radii. */
const LOST_WIDE = 40;
const LOST_NARROW = 80;

/**
 * Where the robot's centre can be in one room, on a fine grid that fills up as furniture is placed. Paths use the
 * wide radius; the narrow one only tells whether floor would be cut off.
 */
export class RoomGrid {
  readonly #inner: Rect;
  readonly #columns: number;
  readonly #rows: number;
  readonly #wide: Uint8Array;
  readonly #narrow: Uint8Array;

  constructor(inner: Rect) {
    this.#inner = inner;
    this.#columns = Math.max(1, Math.floor((inner.x1 - inner.x0) / CELL_M));
    this.#rows = Math.max(1, Math.floor((inner.y1 - inner.y0) / CELL_M));
    this.#wide = new Uint8Array(this.#columns * this.#rows);
    this.#narrow = new Uint8Array(this.#columns * this.#rows);
    const { x0, y0, x1, y1 } = inner;
    for (const wall of [
      { x0: x0 - 1, y0, x1: x0, y1 },
      { x0: x1, y0, x1: x1 + 1, y1 },
      { x0, y0: y0 - 1, x1, y1: y0 },
      { x0, y0: y1, x1, y1: y1 + 1 },
    ]) {
      this.add(wall);
    }
  }

  /** Takes the rectangle with a berth, and for the narrow radius only what really stands on the floor there. */
  add(rect: Rect, solid: readonly Rect[] = [rect]): void {
    this.#mark(this.#wide, rect, WIDE_M);
    for (const part of solid) this.#mark(this.#narrow, part, NARROW_M);
  }

  /**
   * Whether, with the additional rectangles, all given points can still reach each other and every given zone, and
   * almost no floor is cut off. `solid` is the part of the rectangles that is not air.
   */
  stays(
    more: readonly Rect[],
    points: readonly { x: number; y: number }[],
    zones: readonly Rect[],
    solid: readonly Rect[] = more,
  ): boolean {
    const start = points[0];
    if (start === undefined) return true;
    const wide = this.#with(this.#wide, more, WIDE_M);
    const reached = this.#flood(wide, start);
    if (reached === undefined || !points.every(({ x, y }) => reached[this.#cellAt(x, y)] === 1)) return false;
    if (lost(wide, reached) > LOST_WIDE || !zones.every((zone) => this.#any(reached, zone))) return false;
    const narrow = this.#with(this.#narrow, solid, NARROW_M);
    return lost(narrow, this.#flood(narrow, start)!) <= LOST_NARROW;
  }

  #with(cells: Uint8Array, more: readonly Rect[], radiusM: number): Uint8Array {
    const copy = cells.slice();
    for (const rect of more) this.#mark(copy, rect, radiusM);
    return copy;
  }

  #flood(blocked: Uint8Array, start: { x: number; y: number }): Uint8Array | undefined {
    const first = this.#cellAt(start.x, start.y);
    if (blocked[first] !== 0) return undefined;
    const columns = this.#columns;
    const reached = new Uint8Array(blocked.length);
    const stack = new Int32Array(blocked.length);
    let top = 0;
    const visit = (cell: number): void => {
      if (blocked[cell] === 0 && reached[cell] === 0) {
        reached[cell] = 1;
        stack[top++] = cell;
      }
    };
    visit(first);
    while (top > 0) {
      const cell = stack[--top]!;
      const column = cell % columns;
      if (column > 0) visit(cell - 1);
      if (column < columns - 1) visit(cell + 1);
      if (cell >= columns) visit(cell - columns);
      if (cell < blocked.length - columns) visit(cell + columns);
    }
    return reached;
  }

  #mark(cells: Uint8Array, rect: Rect, radiusM: number): void {
    const [c0, c1] = this.#span(
      rect.x0 - radiusM - this.#inner.x0,
      rect.x1 + radiusM - this.#inner.x0,
      this.#columns,
    );
    const [r0, r1] = this.#span(
      rect.y0 - radiusM - this.#inner.y0,
      rect.y1 + radiusM - this.#inner.y0,
      this.#rows,
    );
    for (let row = r0; row < r1; row++)
      cells.fill(1, row * this.#columns + c0, row * this.#columns + Math.max(c0, c1));
  }

  #any(reached: Uint8Array, zone: Rect): boolean {
    const [c0, c1] = this.#span(zone.x0 - this.#inner.x0, zone.x1 - this.#inner.x0, this.#columns);
    const [r0, r1] = this.#span(zone.y0 - this.#inner.y0, zone.y1 - this.#inner.y0, this.#rows);
    for (let row = r0; row < r1; row++)
      for (let c = c0; c < c1; c++) if (reached[row * this.#columns + c] === 1) return true;
    return false;
  }

  /** First and last + 1 of the cells whose middle lies between. */
  #span(low: number, high: number, count: number): [number, number] {
    return [Math.max(0, Math.ceil(low / CELL_M - 0.5)), Math.min(count, Math.floor(high / CELL_M - 0.5) + 1)];
  }

  #cellAt(x: number, y: number): number {
    const column = Math.min(this.#columns - 1, Math.max(0, Math.floor((x - this.#inner.x0) / CELL_M)));
    const row = Math.min(this.#rows - 1, Math.max(0, Math.floor((y - this.#inner.y0) / CELL_M)));
    return row * this.#columns + column;
  }
}

/** Free cells that were not reached. */
function lost(blocked: Uint8Array, reached: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < blocked.length; i++) if (blocked[i] === 0 && reached[i] === 0) count++;
  return count;
}

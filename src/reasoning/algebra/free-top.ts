import type { Box, Point2 } from "../../geometry/index.ts";

/** The side of a cell of the top. */
const CELL_M = 0.02;
/** The most cells a side; larger tops get larger cells. */
const MOST_CELLS = 200;

/**
 * The free part of a top: the rectangle of its box without those of things on it, as a grid; of a floor its outline.
 */
export class FreeTop {
  readonly #cellM: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #taken: Uint8Array;

  constructor(top: Box, on: readonly Box[], isTop?: (point: Point2) => boolean) {
    const [width, depth] = [top.max.x - top.min.x, top.max.y - top.min.y];
    this.#cellM = Math.max(CELL_M, width / MOST_CELLS, depth / MOST_CELLS);
    this.#columns = Math.max(1, Math.round(width / this.#cellM));
    this.#rows = Math.max(1, Math.round(depth / this.#cellM));
    this.#taken = new Uint8Array(this.#columns * this.#rows);
    if (isTop)
      this.#taken.forEach((_, n) => {
        const u = n % this.#columns;
        const middle = {
          x: top.min.x + (u + 0.5) * this.#cellM,
          y: top.min.y + ((n - u) / this.#columns + 0.5) * this.#cellM,
        };
        if (!isTop(middle)) this.#taken[n] = 1;
      });
    for (const { min, max } of on)
      this.#fill(
        Math.floor((min.x - top.min.x) / this.#cellM),
        Math.floor((min.y - top.min.y) / this.#cellM),
        Math.ceil((max.x - top.min.x) / this.#cellM),
        Math.ceil((max.y - top.min.y) / this.#cellM),
      );
  }

  freeM2(): number {
    return this.#taken.reduce((free, cell) => free + (cell === 0 ? 1 : 0), 0) * this.#cellM ** 2;
  }

  /** Whether a rectangle has room somewhere, along the sides of the top, either way round. */
  fits(widthM: number, depthM: number): boolean {
    return this.#place(widthM, depthM) !== undefined;
  }

  /** How many such rectangles fit, placed one after another; marks them as taken. */
  howMany(widthM: number, depthM: number): number {
    let n = 0;
    for (let spot = this.#place(widthM, depthM); spot; spot = this.#place(widthM, depthM)) {
      this.#fill(...spot);
      n++;
    }
    return n;
  }

  #place(widthM: number, depthM: number): [number, number, number, number] | undefined {
    const cells = (m: number) => Math.max(1, Math.ceil(m / this.#cellM - 1e-6));
    for (const [w, d] of [
      [cells(widthM), cells(depthM)],
      [cells(depthM), cells(widthM)],
    ] as const) {
      for (let v = 0; v + d <= this.#rows; v++)
        for (let u = 0; u + w <= this.#columns; u++) {
          const blocked = this.#blocked(u, v, w, d);
          if (blocked < 0) return [u, v, u + w, v + d];
          u = blocked;
        }
    }
    return undefined;
  }

  /** The rightmost column that is taken within a rectangle; -1 when it is free. */
  #blocked(u: number, v: number, w: number, d: number): number {
    let most = -1;
    for (let row = v; row < v + d; row++)
      for (let column = u + w - 1; column >= Math.max(u, most + 1); column--)
        if (this.#taken[row * this.#columns + column] === 1) {
          most = column;
          break;
        }
    return most;
  }

  #fill(left: number, top: number, right: number, bottom: number): void {
    const from = Math.max(0, left);
    const to = Math.min(this.#columns, right);
    if (to <= from) return;
    for (let row = Math.max(0, top); row < Math.min(this.#rows, bottom); row++)
      this.#taken.fill(1, row * this.#columns + from, row * this.#columns + to);
  }
}

import type { PointsBlock } from "../../../src/exchange/feed/decode.ts";

/** Side of the cells in which points are counted, and the least count of a surface cell with its neighbours. */
const CELL_M = 0.5;
const LEAST = 10;
/** Two cells may collide in the table: then a stray point is kept, without further harm. */
const PLACES = 1 << 20;

/**
 * Isolated points: seen through a window or at the edge of glass. They are not surfaces and would be specks in the
 * air. Only in complete chunks; coarse ones have too few points to judge.
 */
export class Strays {
  readonly #counts = new Uint16Array(PLACES);

  constructor(blocks: readonly PointsBlock[]) {
    for (const block of blocks)
      for (let n = 0; n < block.count; n++) {
        const at = placeOf(cell(block, n, 0), cell(block, n, 1), cell(block, n, 2));
        if (this.#counts[at]! < 0xffff) this.#counts[at]!++;
      }
  }

  isStray(block: PointsBlock, n: number): boolean {
    const [x, y, z] = [cell(block, n, 0), cell(block, n, 1), cell(block, n, 2)];
    let found = this.#counts[placeOf(x, y, z)]!;
    for (let axis = 0; axis < 3 && found < LEAST; axis++)
      for (const by of [-1, 1])
        found +=
          this.#counts[
            placeOf(x + (axis === 0 ? by : 0), y + (axis === 1 ? by : 0), z + (axis === 2 ? by : 0))
          ]!;
    return found < LEAST;
  }
}

const AXES = ["x", "y", "z"] as const;

function cell({ origin, unitM, position }: PointsBlock, n: number, axis: 0 | 1 | 2): number {
  return Math.floor((origin[AXES[axis]] + unitM * position[3 * n + axis]!) / CELL_M);
}

function placeOf(x: number, y: number, z: number): number {
  return (Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663) ^ Math.imul(z, 83_492_791)) & (PLACES - 1);
}

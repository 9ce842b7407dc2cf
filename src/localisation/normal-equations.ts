/** Places of unknowns: rotation about x, y, z, then translation along them. */
export type Freedom = readonly number[];
/** All six unknowns; over the ground; and over the ground with height. */
export const FREE: Freedom = [0, 1, 2, 3, 4, 5];
export const PLANAR: Freedom = [2, 3, 4];
export const LEVEL: Freedom = [2, 3, 4, 5];

/** The sums of a least-squares problem in six unknowns: rotation, then translation. */
export class NormalEquations {
  /** JᵀWJ, row-major. */
  readonly matrix = new Float64Array(36);
  readonly #right = new Float64Array(6);
  readonly #row = new Float64Array(6);

  /** Adds the residual of a point at (x, y, z) from the centre against a plane with a normal. */
  add(x: number, y: number, z: number, nx: number, ny: number, nz: number, residual: number, weight: number) {
    const row = this.#row;
    row[0] = y * nz - z * ny;
    row[1] = z * nx - x * nz;
    row[2] = x * ny - y * nx;
    row[3] = nx;
    row[4] = ny;
    row[5] = nz;
    for (let i = 0; i < 6; i++) {
      const weighted = row[i]! * weight;
      this.#right[i]! -= weighted * residual;
      for (let j = i; j < 6; j++) this.matrix[i * 6 + j]! += weighted * row[j]!;
    }
  }

  /** Adds a prior on the unknowns: `target` with the given information on the diagonal. */
  addPrior(target: ArrayLike<number>, information: ArrayLike<number>): void {
    for (let i = 0; i < 6; i++) {
      this.matrix[i * 7]! += information[i]!;
      this.#right[i]! += information[i]! * target[i]!;
    }
  }

  /** The six unknowns by Cholesky, 0 where not free; undefined where the problem has no single answer. */
  solve(free: Freedom = FREE): Float64Array | undefined {
    const right = Float64Array.from(free, (axis) => this.#right[axis]!);
    const factor = cholesky(this.#block(free), free.length);
    if (!factor) return undefined;
    const solved = backward(factor, forward(factor, right));
    const out = new Float64Array(6);
    free.forEach((axis, n) => {
      out[axis] = solved[n]!;
    });
    return out;
  }

  /** The reduction of the sum of squares by a step: about one per unknown from noise alone, hardly ever sixteen. */
  gain(step: ArrayLike<number>): number {
    return this.#right.reduce((sum, value, axis) => sum + value * step[axis]!, 0);
  }

  /** The inverse of the matrix; undefined as for `solve`. */
  covariance(): Float64Array | undefined {
    const factor = cholesky(this.#block(FREE), 6);
    if (!factor) return undefined;
    const inverse = new Float64Array(36);
    for (let column = 0; column < 6; column++) {
      const unit = new Float64Array(6);
      unit[column] = 1;
      const solved = backward(factor, forward(factor, unit));
      for (let row = 0; row < 6; row++) inverse[row * 6 + column] = solved[row]!;
    }
    return inverse;
  }

  /** The rows and columns of some unknowns; the matrix itself has only its upper half. */
  #block(free: Freedom): Float64Array {
    const side = free.length;
    const out = new Float64Array(side * side);
    free.forEach((a, i) => {
      free.forEach((b, j) => {
        out[i * side + j] = this.matrix[Math.min(a, b) * 6 + Math.max(a, b)]!;
      });
    });
    return out;
  }
}

/**
 * The direction in which the translation is least certain, by power iteration on its covariance, and its variance
 * relative to the other two on average.
 */
export function weakestDirection(covariance: Float64Array): {
  x: number;
  y: number;
  z: number;
  ratio: number;
} {
  const at = (row: number, column: number) => covariance[(row + 3) * 6 + column + 3]!;
  let direction = [0.6, 0.5, 0.62];
  let variance = 0;
  for (let round = 0; round < 30; round++) {
    const next = [0, 1, 2].map((row) =>
      direction.reduce((sum, value, column) => sum + at(row, column) * value, 0),
    );
    variance = Math.hypot(...next);
    if (!(variance > 0)) break;
    direction = next.map((value) => value / variance);
  }
  const rest = Math.max(at(0, 0) + at(1, 1) + at(2, 2) - variance, 1e-18) / 2;
  return { x: direction[0]!, y: direction[1]!, z: direction[2]!, ratio: variance / rest };
}

function cholesky(matrix: Float64Array, side: number): Float64Array | undefined {
  const lower = new Float64Array(side * side);
  for (let i = 0; i < side; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * side + j]!;
      for (let k = 0; k < j; k++) sum -= lower[i * side + k]! * lower[j * side + k]!;
      if (i === j) {
        if (!(sum > 1e-12)) return undefined;
        lower[i * side + i] = Math.sqrt(sum);
      } else lower[i * side + j] = sum / lower[j * side + j]!;
    }
  }
  return lower;
}

function forward(lower: Float64Array, right: Float64Array): Float64Array {
  const side = right.length;
  const out = new Float64Array(side);
  for (let i = 0; i < side; i++) {
    let sum = right[i]!;
    for (let k = 0; k < i; k++) sum -= lower[i * side + k]! * out[k]!;
    out[i] = sum / lower[i * side + i]!;
  }
  return out;
}

function backward(lower: Float64Array, right: Float64Array): Float64Array {
  const side = right.length;
  const out = new Float64Array(side);
  for (let i = side - 1; i >= 0; i--) {
    let sum = right[i]!;
    for (let k = i + 1; k < side; k++) sum -= lower[k * side + i]! * out[k]!;
    out[i] = sum / lower[i * side + i]!;
  }
  return out;
}

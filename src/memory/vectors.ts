import { LIMITS, LociError } from "../schema/core.ts";

const UNIT_TOLERANCE = 1e-5;

/**
 * The exact score of two unit vectors: products summed in double precision, in index order. Every engine and
 * the oracle use this one function for what they report, so that equal means equal to the last bit.
 */
export function cosineOf(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/**
 * Checks a vector at the edge and returns it with unit length. One that is already of unit length keeps its
 * bits, so that copying a memory does not change it.
 */
export function unitVector(vector: Float32Array, dim: number, what: string): Float32Array {
  if (dim > LIMITS.vectorDim || vector.length !== dim) {
    throw new LociError(
      "embedder-mismatch",
      `${what}: expected a vector of ${dim} numbers as this memory's embedder makes them, got ${vector.length}`,
    );
  }
  let sum = 0;
  for (let i = 0; i < dim; i++) sum += vector[i]! * vector[i]!;
  if (!Number.isFinite(sum) || sum === 0) {
    throw new LociError("invalid-input", `${what}: expected finite numbers that are not all zero`);
  }
  if (Math.abs(sum - 1) <= UNIT_TOLERANCE) return vector;
  const scale = 1 / Math.sqrt(sum);
  return vector.map((value) => value * scale);
}

import { assert } from "../schema/core.ts";

/** The size of a view's signature (docs/formulas.md#signature). */
export const SIGNATURE_WIDTH = 64;
export const SIGNATURE_HEIGHT = 48;

const WINDOW = 8;
const STRIDE = 4;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** Luma of a picture, averaged over the area of each of 64×48 cells. */
export function signatureOf(picture: {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}): Uint8Array {
  const { width, height, data } = picture;
  const out = new Uint8Array(SIGNATURE_WIDTH * SIGNATURE_HEIGHT);
  for (let row = 0, at = 0; row < SIGNATURE_HEIGHT; row++) {
    const [top, bottom] = cell(row, SIGNATURE_HEIGHT, height);
    for (let column = 0; column < SIGNATURE_WIDTH; column++, at++) {
      const [left, right] = cell(column, SIGNATURE_WIDTH, width);
      let sum = 0;
      for (let y = top; y < bottom; y++) {
        for (let from = 3 * (y * width + left); from < 3 * (y * width + right); from += 3) {
          sum += 77 * data[from]! + 150 * data[from + 1]! + 29 * data[from + 2]!;
        }
      }
      out[at] = Math.round(sum / 256 / ((bottom - top) * (right - left)));
    }
  }
  return out;
}

/**
 * Structural similarity of two signatures (Wang et al. 2004): 1 for the same, near 0 for nothing alike, the mean over
 * 8×8 windows at a stride of 4, cut to [0, 1].
 */
export function ssim(a: Uint8Array, b: Uint8Array): number {
  const size = SIGNATURE_WIDTH * SIGNATURE_HEIGHT;
  assert(a.length === size && b.length === size, `a signature has ${size} bytes`);
  let [sum, windows] = [0, 0];
  for (let top = 0; top + WINDOW <= SIGNATURE_HEIGHT; top += STRIDE) {
    for (let left = 0; left + WINDOW <= SIGNATURE_WIDTH; left += STRIDE) {
      sum += windowSimilarity(a, b, top * SIGNATURE_WIDTH + left);
      windows++;
    }
  }
  return Math.min(1, Math.max(0, sum / windows));
}

function windowSimilarity(a: Uint8Array, b: Uint8Array, start: number): number {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let row = 0; row < WINDOW; row++) {
    const from = start + row * SIGNATURE_WIDTH;
    for (let at = from; at < from + WINDOW; at++) {
      const [x, y] = [a[at]!, b[at]!];
      sumA += x;
      sumB += y;
      squaresA += x * x;
      squaresB += y * y;
      products += x * y;
    }
  }
  const count = WINDOW * WINDOW;
  const [meanA, meanB] = [sumA / count, sumB / count];
  const varianceA = squaresA / count - meanA * meanA;
  const varianceB = squaresB / count - meanB * meanB;
  const covariance = products / count - meanA * meanB;
  const top = (2 * meanA * meanB + C1) * (2 * covariance + C2);
  return top / ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2));
}

/** The pixels under one cell: at least one, even if the picture has fewer pixels than cells. */
function cell(index: number, cells: number, size: number): [number, number] {
  const from = Math.min(size - 1, Math.floor((index * size) / cells));
  return [from, Math.max(from + 1, Math.floor(((index + 1) * size) / cells))];
}

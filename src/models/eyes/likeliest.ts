import type { Likeliest } from "./eyes.ts";

/** Names a cell that are worth telling. */
export const TOP = 3;
/** Less likely names than this say nothing. */
const LEAST = 0.03;

/** Planes of probabilities, a name each, of which rows may be wider than what is looked at. */
export interface NamePlanes {
  readonly numbers: Float32Array;
  /** Numbers from one plane to the next, and from one row to the next. */
  readonly stride: number;
  readonly width: number;
}

/** The likeliest names of each cell, so that not every name of every cell has to be handed on. */
export function likeliestOf(
  { numbers, stride, width: rowLength }: NamePlanes,
  count: number,
  width: number,
  height: number,
): Likeliest {
  const names = new Uint8Array(TOP * width * height);
  const odds = new Float32Array(TOP * width * height);
  for (let name = 0; name < count; name++) {
    for (let y = 0, cell = 0; y < height; y++) {
      const row = name * stride + y * rowLength;
      for (let x = 0; x < width; x++, cell++) {
        const p = numbers[row + x]!;
        const last = TOP * cell + TOP - 1;
        if (p < LEAST || p <= odds[last]!) continue;
        let k = last;
        for (; k > TOP * cell && odds[k - 1]! < p; k--) {
          odds[k] = odds[k - 1]!;
          names[k] = names[k - 1]!;
        }
        odds[k] = p;
        names[k] = name;
      }
    }
  }
  return { names, odds };
}

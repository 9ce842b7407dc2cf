import type { Likeliest } from "./eyes.ts";

/** Names kept per cell; the kernels depend on three. */
export const TOP = 3;

/** The names of the covered cells of a grid whose rows may be wider. */
export function likeliestOf(
  { names, odds }: Likeliest,
  rowLength: number,
  width: number,
  height: number,
): Likeliest {
  if (rowLength === width)
    return { names: names.slice(0, TOP * width * height), odds: odds.slice(0, TOP * width * height) };
  const cut = {
    names: new Uint8Array(TOP * width * height),
    odds: new Float32Array(TOP * width * height),
  };
  for (let y = 0; y < height; y++) {
    const [from, to] = [TOP * y * rowLength, TOP * y * width];
    cut.names.set(names.subarray(from, from + TOP * width), to);
    cut.odds.set(odds.subarray(from, from + TOP * width), to);
  }
  return cut;
}

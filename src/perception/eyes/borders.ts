import type { RgbImage } from "../../schema/core.ts";
import { settings } from "../../schema/settings.ts";
import type { Sight } from "./sight.ts";

/** Value, unit, minimum, maximum, source. */
const BORDERS = settings("eyes.borders", {
  /** Greatest width of a border without depth, as a share of the picture: some cameras see colour wider than depth. */
  widest: [0.15, "share", 0.075, 0.3, "experiment"],
  /** Greatest difference between colours of one surface in red, green and blue, of 255. */
  alike: [40, "level", 20, 80, "experiment"],
  /** Number of cells inside the depth area whose mean colour is compared. */
  inner: [4, "cells", 2, 8, "experiment"],
});

/**
 * Extends masks beyond the depth image: depth cameras often cover less on all sides than the colour camera, so that a
 * cupboard at the upper edge of a picture appears as its lower rim only. From where the depth of a whole row or
 * column ends, each mask continues towards the edge of the picture as long as the colour does. Only for masks where
 * this is safe: below a magazine the colour of the table would continue.
 */
export function overBorders(
  grid: Uint16Array,
  { width, height, depthM }: Sight,
  rgb: RgbImage,
  mayGoOn: (number: number) => boolean,
): void {
  const colourAt = (at: number, k: number) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const [px, py] = [
      Math.floor(((x + 0.5) * rgb.width) / width),
      Math.floor(((y + 0.5) * rgb.height) / height),
    ];
    return rgb.data[3 * (py * rgb.width + px) + k]!;
  };
  const isEmpty = (from: number, step: number, count: number) => {
    for (let n = 0; n < count; n++) if (depthM[from + n * step]! > 0) return false;
    return true;
  };
  /** Extends the mask from the outermost cell with depth, outwards by up to `most` cells. */
  const growOut = (first: number, inwards: number, most: number) => {
    const number = grid[first]!;
    if (number === 0 || !mayGoOn(number)) return;
    const own = Array.from({ length: BORDERS.inner }, (_, k) => first + k * inwards).filter(
      (at) => grid[at] === number,
    );
    const mean = [0, 1, 2].map((k) => own.reduce((sum, at) => sum + colourAt(at, k), 0) / own.length);
    const isAlike = (at: number) =>
      mean.every((value, k) => Math.abs(colourAt(at, k) - value) <= BORDERS.alike);
    for (let out = 1; out <= most && isAlike(first - out * inwards); out++)
      grid[first - out * inwards] = number;
  };
  /**
   * The number of lines without any depth, counted from `edge` in steps of `inwards`; each has `count` cells, `step`
   * apart.
   */
  const goOn = (edge: number, inwards: number, deep: number, step: number, count: number) => {
    let empty = 0;
    while (empty <= BORDERS.widest * deep && isEmpty(edge + empty * inwards, step, count)) empty++;
    if (empty === 0 || empty > BORDERS.widest * deep) return;
    for (let n = 0; n < count; n++) growOut(edge + n * step + empty * inwards, inwards, empty);
  };
  goOn(0, width, height, 1, width);
  goOn((height - 1) * width, -width, height, 1, width);
  goOn(0, 1, width, width, height);
  goOn(width - 1, -1, width, width, height);
}

import type { RgbImage } from "../../schema/core.ts";
import type { Sight } from "./sight.ts";

/** A border without depth is no wider than this share of the picture: cameras that see colour wider than depth. */
const WIDEST = 0.15;
/** Colours are of one surface that differ by no more than this in red, green and blue, of 255. */
const ALIKE = 40;
/** Places within the depth whose mean colour is compared with. */
const INNER = 4;

/**
 * Masks end where depth does, and depth cameras often see less to all sides than the colour beside them: a cupboard at the upper edge of
 * a picture shows as its lower rim. From where the depth of a whole row or column ends, each mask goes on towards the edge of the
 * picture as long as the colour does. Asked of those that may: of a magazine the colour of the table goes on.
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
  /** The mask at the last place with depth, up to so many places outwards. */
  const growOut = (first: number, inwards: number, most: number) => {
    const number = grid[first]!;
    if (number === 0 || !mayGoOn(number)) return;
    const own = Array.from({ length: INNER }, (_, k) => first + k * inwards).filter(
      (at) => grid[at] === number,
    );
    const mean = [0, 1, 2].map((k) => own.reduce((sum, at) => sum + colourAt(at, k), 0) / own.length);
    const isAlike = (at: number) => mean.every((value, k) => Math.abs(colourAt(at, k) - value) <= ALIKE);
    for (let out = 1; out <= most && isAlike(first - out * inwards); out++)
      grid[first - out * inwards] = number;
  };
  /** From `edge` inwards by `inwards`: how many lines of `count` places, `step` apart, have no depth at all. */
  const goOn = (edge: number, inwards: number, deep: number, step: number, count: number) => {
    let empty = 0;
    while (empty <= WIDEST * deep && isEmpty(edge + empty * inwards, step, count)) empty++;
    if (empty === 0 || empty > WIDEST * deep) return;
    for (let n = 0; n < count; n++) growOut(edge + n * step + empty * inwards, inwards, empty);
  };
  goOn(0, width, height, 1, width);
  goOn((height - 1) * width, -width, height, 1, width);
  goOn(0, 1, width, width, height);
  goOn(width - 1, -1, width, width, height);
}

import type { MaskImage } from "../../schema/index.ts";
import type { FoundThing } from "../detector.ts";
import { overlapOf } from "../overlaps.ts";

type Box = FoundThing["bbox"];

/** Several masks of one thing, each an image of zeros and ones, consecutive. */
export interface Cuts {
  readonly width: number;
  readonly height: number;
  readonly count: number;
  readonly data: Uint8Array;
}

/** A mask whose own box overlaps the detector's by less than this shows something else. */
const MIN_FIT = 0.3;

/**
 * For a point SAM returns a part, the thing, and what it stands on. The detector's box selects the mask whose own box
 * fits it best. Pixels outside the box are removed. Undefined if none fits.
 */
export function bestCut({ width, height, count, data }: Cuts, box: Box): number[] | undefined {
  let best: { readonly from: number; readonly fit: number } | undefined;
  for (let n = 0; n < count; n++) {
    const from = n * width * height;
    const bounds = boundsOf(data, from, width, height);
    const fit = bounds ? overlapOf(bounds, box) : 0;
    if (fit >= MIN_FIT && fit > (best?.fit ?? 0)) best = { from, fit };
  }
  if (!best) return undefined;
  const pixels: number[] = [];
  const [right, bottom] = [Math.min(width, Math.ceil(box[2])), Math.min(height, Math.ceil(box[3]))];
  for (let row = Math.max(0, Math.floor(box[1])); row < bottom; row++) {
    for (let column = Math.max(0, Math.floor(box[0])); column < right; column++) {
      const at = row * width + column;
      if (data[best.from + at]) pixels.push(at);
    }
  }
  return pixels.length === 0 ? undefined : pixels;
}

/** The masks of all boxes in one image; small things lie on large ones, so they are painted last. */
export function paint(
  cuts: readonly (readonly number[] | undefined)[],
  width: number,
  height: number,
): MaskImage {
  const data = new Uint16Array(width * height);
  const order = cuts
    .flatMap((pixels, n) => (pixels ? [{ pixels, n }] : []))
    .sort((a, b) => b.pixels.length - a.pixels.length || a.n - b.n);
  for (const { pixels, n } of order) for (const at of pixels) data[at] = n + 1;
  return { width, height, data };
}

function boundsOf(data: Uint8Array, from: number, width: number, height: number): Box | undefined {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let row = 0, at = from; row < height; row++) {
    for (let column = 0; column < width; column++, at++) {
      if (!data[at]) continue;
      left = Math.min(left, column);
      right = Math.max(right, column + 1);
      top = Math.min(top, row);
      bottom = row + 1;
    }
  }
  return left < right ? [left, top, right, bottom] : undefined;
}

import type { RgbImage } from "../schema/core.ts";
import { drawBox, drawNumber } from "./overlay.ts";
import { loadSharp } from "./pictures.ts";

/** Left, top, right, bottom as shares of a picture's sides. */
export type Shares = readonly [number, number, number, number];

export interface MarkOptions {
  /** What is outlined, and the number beside it. */
  readonly marks?: readonly { readonly number: number; readonly box: Shares }[];
  /** What is cut out; the whole picture where absent. */
  readonly crop?: Shares | undefined;
  /** The longer side is enlarged to this where it is shorter, and never made longer than `mostPx`. */
  readonly leastPx?: number | undefined;
  readonly mostPx?: number | undefined;
}

const QUALITY = 85;
/** Cut-outs with a side shorter than this show nothing. */
const LEAST_SIDE_PX = 4;

/** A stored picture with boxes and numbers drawn in, or a part of it; undefined where it cannot be read or nothing is left. */
export async function markedJpeg(
  picture: Uint8Array,
  { marks = [], crop = [0, 0, 1, 1], leastPx = 0, mostPx = Infinity }: MarkOptions,
): Promise<Uint8Array | undefined> {
  const sharp = await loadSharp();
  try {
    const { data, info } = await sharp(picture)
      .removeAlpha()
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3) return undefined;
    const { width, height } = info;
    const canvas: RgbImage = { width, height, data: new Uint8Array(data) };
    for (const { number, box } of marks) drawBox(canvas, pixelsOf(box, width, height), number);
    // Numbers last: no outline runs through one.
    for (const { number, box } of marks) {
      const [left, top, right] = pixelsOf(box, width, height);
      drawNumber(canvas, number, (left + right) >> 1, top);
    }
    const [left, top, right, bottom] = pixelsOf(crop, width, height);
    const [w, h] = [right - left, bottom - top];
    if (w < LEAST_SIDE_PX || h < LEAST_SIDE_PX) return undefined;
    const side = Math.min(mostPx, Math.max(leastPx, w, h));
    const out = sharp(canvas.data, { raw: { width, height, channels: 3 } })
      .extract({ left, top, width: w, height: h })
      .resize({ width: side, height: side, fit: "inside" })
      .jpeg({ quality: QUALITY });
    return new Uint8Array(await out.toBuffer());
  } catch {
    return undefined;
  }
}

function pixelsOf([left, top, right, bottom]: Shares, width: number, height: number) {
  const at = (share: number, size: number) => Math.round(Math.min(1, Math.max(0, share)) * size);
  return [at(left, width), at(top, height), at(right, width), at(bottom, height)] as const;
}

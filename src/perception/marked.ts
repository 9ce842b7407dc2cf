import type { RgbImage } from "../schema/core.ts";
import { drawBox, drawNumber } from "./overlay.ts";
import { loadSharp } from "./pictures.ts";

/** Left, top, right, bottom as shares of a picture's sides. */
export type Shares = readonly [number, number, number, number];

export interface MarkOptions {
  /** Outlined boxes with their numbers, as shares of the whole picture. */
  readonly marks?: readonly { readonly number: number; readonly box: Shares }[];
  /** The part to crop; default the whole picture. */
  readonly crop?: Shares | undefined;
  /** The longer side is enlarged to this if shorter, and never made longer than `mostPx`. */
  readonly leastPx?: number | undefined;
  readonly mostPx?: number | undefined;
}

const QUALITY = 85;
/** Crops with a shorter side show nothing. */
const LEAST_SIDE_PX = 4;

/**
 * A stored picture, or a part of it, with boxes and numbers drawn in; undefined if it is unreadable or nothing is
 * left.
 */
export async function markedJpeg(
  picture: Uint8Array,
  { marks = [], crop = [0, 0, 1, 1], leastPx = 0, mostPx = Infinity }: MarkOptions,
): Promise<Uint8Array | undefined> {
  const sharp = await loadSharp();
  try {
    const { width = 0, height = 0 } = await sharp(picture).metadata();
    const [left, top, right, bottom] = pixelsOf(crop, width, height);
    const [w, h] = [right - left, bottom - top];
    if (w < LEAST_SIDE_PX || h < LEAST_SIDE_PX) return undefined;
    const side = Math.min(mostPx, Math.max(leastPx, w, h));
    // Enlarged first, so that numbers cover no more of a small picture than of a large one.
    const { data, info } = await sharp(picture)
      .extract({ left, top, width: w, height: h })
      .resize({ width: side, height: side, fit: "inside" })
      .removeAlpha()
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3) return undefined;
    const canvas: RgbImage = { width: info.width, height: info.height, data: new Uint8Array(data) };
    const [sx, sy] = [info.width / w, info.height / h];
    const boxes = marks.map(({ number, box }) => {
      const [x0, y0, x1, y1] = [
        box[0] * width - left,
        box[1] * height - top,
        box[2] * width - left,
        box[3] * height - top,
      ];
      return {
        number,
        at: [x0 * sx, y0 * sy, x1 * sx, y1 * sy].map(Math.round) as [number, number, number, number],
      };
    });
    for (const { number, at } of boxes) drawBox(canvas, at, number);
    // Numbers last, so that no outline crosses one.
    for (const { number, at } of boxes) drawNumber(canvas, number, (at[0] + at[2]) >> 1, at[1]);
    const raw = { width: info.width, height: info.height, channels: 3 } as const;
    return new Uint8Array(await sharp(canvas.data, { raw }).jpeg({ quality: QUALITY }).toBuffer());
  } catch {
    return undefined;
  }
}

function pixelsOf([left, top, right, bottom]: Shares, width: number, height: number) {
  const at = (share: number, size: number) => Math.round(Math.min(1, Math.max(0, share)) * size);
  return [at(left, width), at(top, height), at(right, width), at(bottom, height)] as const;
}

import type { ThingToDescribe } from "../models/index.ts";
import type { Frame, RgbImage } from "../schema/core.ts";
import { encodeJpeg } from "./pictures.ts";
import type { Attributes } from "./words.ts";

interface CropSource {
  readonly label?: string | undefined;
  readonly attributes?: Attributes | undefined;
  readonly bbox: readonly [number, number, number, number];
  readonly pixels: Int32Array;
}

const MARGIN = 0.1;
const SIDE_PX = 320;
/** Share of the colour kept outside a mask: enough for context, too little to be described. */
const OUTSIDE = 0.3;
const GREY = 127;

/** Things of a frame for a describer; their crops are cut on demand. */
export function thingsToDescribe(frame: Frame, things: readonly CropSource[]): ThingToDescribe[] {
  return things.map(({ label, attributes, bbox, pixels }) => ({
    label,
    attributes,
    image: async () => {
      const crop = frame.rgb && maskedCrop(frame.rgb, frame.intrinsics, bbox, pixels);
      return crop && { bytes: await encodeJpeg(crop, SIDE_PX) };
    },
  }));
}

/**
 * The box with a margin, in the pixels of the colour image, with everything outside the mask greyed; every second or
 * third pixel only where a side would be longer than `sidePx`.
 */
export function maskedCrop(
  rgb: RgbImage,
  size: { readonly width: number; readonly height: number },
  bbox: CropSource["bbox"],
  pixels: Int32Array,
  sidePx = Infinity,
): RgbImage | undefined {
  const crop = plainCrop(rgb, size, bbox, pixels, sidePx);
  if (!crop || pixels.length === 0) return crop?.picture;
  const { picture, inside } = crop;
  inside.forEach((own, at) => {
    if (own === 1) return;
    for (let k = 3 * at; k < 3 * at + 3; k++)
      picture.data[k] = Math.round(OUTSIDE * picture.data[k]! + (1 - OUTSIDE) * GREY);
  });
  return picture;
}

/** The same without greying, with a map of the mask's pixels: 1, or all if there is no mask. */
export function plainCrop(
  rgb: RgbImage,
  size: { readonly width: number; readonly height: number },
  [left, top, right, bottom]: CropSource["bbox"],
  pixels: Int32Array,
  sidePx = Infinity,
): { readonly picture: RgbImage; readonly inside: Uint8Array } | undefined {
  const [scaleX, scaleY] = [rgb.width / size.width, rgb.height / size.height];
  const [marginX, marginY] = [MARGIN * (right - left), MARGIN * (bottom - top)];
  const x0 = Math.max(0, Math.floor((left - marginX) * scaleX));
  const y0 = Math.max(0, Math.floor((top - marginY) * scaleY));
  const across = Math.min(rgb.width, Math.ceil((right + marginX) * scaleX)) - x0;
  const down = Math.min(rgb.height, Math.ceil((bottom + marginY) * scaleY)) - y0;
  if (across < 1 || down < 1) return undefined;
  const step = Math.ceil(Math.max(across, down) / sidePx) || 1;
  const [width, height] = [Math.ceil(across / step), Math.ceil(down / step)];
  const own = new Set(pixels);
  const data = new Uint8Array(width * height * 3);
  const inside = new Uint8Array(width * height);
  for (let j = 0, to = 0; j < height; j++) {
    const y = y0 + j * step;
    const row = Math.floor((y + 0.5) / scaleY) * size.width;
    for (let i = 0; i < width; i++, to++) {
      const x = x0 + i * step;
      const from = 3 * (y * rgb.width + x);
      if (own.size === 0 || own.has(row + Math.floor((x + 0.5) / scaleX))) inside[to] = 1;
      for (let k = 0; k < 3; k++) data[3 * to + k] = rgb.data[from + k]!;
    }
  }
  return { picture: { width, height, data }, inside };
}

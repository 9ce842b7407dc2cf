import { settings } from "./settings.ts";

/** Three bytes per pixel, row by row from the top left. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Depth along the optical axis in units of `unitM`; 0 means no measurement. */
export interface DepthImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint16Array;
  readonly unitM: number;
}

/** The segment number at each pixel, 0 for none. Numbers are local to this frame and do not identify things. */
export interface MaskImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint16Array;
}

const DARK = settings("schema.dark", {
  /** A pixel with a channel above this level is bright. */
  brightLevel: [24, "level", 8, 64, "recording"],
  /** A picture with a smaller share of bright pixels shows a lens cap, or night. */
  brightShare: [0.05, "share", 0.01, 0.2, "recording"],
  /** Pixels that are looked at. */
  pixels: [4_096, "count", 1_024, 65_536, "limit"],
});

/** A picture that shows nothing: a lens cap, or night. */
export function isDark({ width, height, data }: RgbImage): boolean {
  if (data.length !== 3 * width * height) return true;
  const step = 3 * Math.max(1, Math.floor(data.length / 3 / DARK.pixels));
  let [bright, all] = [0, 0];
  for (let at = 0; at + 2 < data.length; at += step, all++)
    if (Math.max(data[at]!, data[at + 1]!, data[at + 2]!) > DARK.brightLevel) bright++;
  return bright < DARK.brightShare * all;
}

import type { RgbImage } from "../schema/core.ts";
import { settings } from "../schema/settings.ts";

/** Value, unit, minimum, maximum, source. */
const APPEARANCE = settings("perception.appearance", {
  hues: [12, "count", 6, 24, "experiment"],
  greys: [4, "count", 2, 8, "experiment"],
  pixels: [192, "px", 96, 384, "limit"],
  /** From this saturation on a colour counts as fully coloured; below, partly as grey. */
  fullSaturation: [0.35, "share", 0.175, 0.7, "experiment"],
  strongSaturation: [0.6, "share", 0.3, 0.8, "experiment"],
});

/** Hues, once for pale and once for saturated colours, then greys from dark to light. */
const BINS = 2 * APPEARANCE.hues + APPEARANCE.greys;

/**
 * A square-rooted histogram of a segment's colours, so that it has unit length and its cosine is the Bhattacharyya
 * coefficient. Hue and saturation are independent of brightness, so coloured pixels ignore it; only grey ones
 * separate dark from light. Each pixel is shared between neighbouring bins. Undefined without pixels.
 */
export function appearanceOf(
  rgb: RgbImage,
  pixels: Int32Array,
  size: { readonly width: number; readonly height: number },
): Float32Array | undefined {
  if (pixels.length === 0) return undefined;
  const bins = new Float64Array(BINS);
  const count = Math.min(APPEARANCE.pixels, pixels.length);
  const [scaleX, scaleY] = [rgb.width / size.width, rgb.height / size.height];
  for (let n = 0; n < count; n++) {
    const at = pixels[Math.floor((n * pixels.length) / count)]!;
    const column = at % size.width;
    const row = (at - column) / size.width;
    const x = Math.floor((column + 0.5) * scaleX);
    const y = Math.floor((row + 0.5) * scaleY);
    const from = 3 * (y * rgb.width + x);
    addPixel(bins, rgb.data[from]!, rgb.data[from + 1]!, rgb.data[from + 2]!);
  }
  return Float32Array.from(bins, (value) => Math.sqrt(value / count));
}

function addPixel(bins: Float64Array, r: number, g: number, b: number): void {
  const high = Math.max(r, g, b);
  const chroma = high - Math.min(r, g, b);
  // A few steps of noise make a dark grey look saturated; the offset keeps it grey.
  const saturation = chroma / (high + 24);
  const coloured = Math.min(1, saturation / APPEARANCE.fullSaturation);
  if (coloured < 1)
    share(bins, 2 * APPEARANCE.hues, APPEARANCE.greys, (high / 255) * (APPEARANCE.greys - 1), 1 - coloured);
  if (chroma === 0) return;
  const sixth = high === r ? (g - b) / chroma : high === g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma;
  const hue = ((sixth + 6) % 6) * (APPEARANCE.hues / 6);
  const strong = Math.min(
    1,
    Math.max(0, saturation - APPEARANCE.fullSaturation) /
      (APPEARANCE.strongSaturation - APPEARANCE.fullSaturation),
  );
  shareHue(bins, 0, hue, coloured * (1 - strong));
  shareHue(bins, APPEARANCE.hues, hue, coloured * strong);
}

function share(bins: Float64Array, start: number, count: number, place: number, weight: number): void {
  const low = Math.min(count - 1, Math.floor(place));
  const part = place - low;
  bins[start + low]! += weight * (1 - part);
  if (part > 0) bins[start + Math.min(count - 1, low + 1)]! += weight * part;
}

function shareHue(bins: Float64Array, start: number, hue: number, weight: number): void {
  const low = Math.floor(hue) % APPEARANCE.hues;
  const part = hue - Math.floor(hue);
  bins[start + low]! += weight * (1 - part);
  bins[start + ((low + 1) % APPEARANCE.hues)]! += weight * part;
}

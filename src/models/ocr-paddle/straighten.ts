import type { RgbImage } from "../../schema/index.ts";
import type { LineBox } from "./find-lines.ts";

/** Colour planes in the networks' order: blue, green, red. */
export interface Planes {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** A network's colour normalisation: (value / 255 − mean) / deviation, in the order blue, green, red. */
export interface Taught {
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/** ImageNet's numbers, which PaddleOCR applies to blue, green, red in this order. */
export const FINDER: Taught = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };
export const SPELLER: Taught = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] };

/** Most samples along each side of an output pixel. */
const MOST_SAMPLES = 4;

/**
 * Resamples a rotated box of a picture to a level one of another size, by bilinear samples; when shrinking, by the
 * mean of several. Outside the picture its edge is extended. Columns from `width` on are left at 0, the grey that the
 * networks were trained with.
 */
export function straighten(
  picture: RgbImage,
  { x, y, length, height: high, angleRad }: Omit<LineBox, "score">,
  { width, height, padded = width }: { width: number; height: number; padded?: number },
  { mean, deviation }: Taught,
): Planes {
  const data = new Float32Array(3 * padded * height);
  const [c, s] = [Math.cos(angleRad), Math.sin(angleRad)];
  const [stepX, stepY] = [length / width, high / height];
  const samples = Math.min(MOST_SAMPLES, Math.max(1, Math.round(Math.max(stepX, stepY))));
  const rgb = new Float64Array(3);
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      rgb.fill(0);
      for (let q = 0; q < samples; q++) {
        const v = (j + (q + 0.5) / samples) * stepY - high / 2;
        for (let p = 0; p < samples; p++) {
          const u = (i + (p + 0.5) / samples) * stepX - length / 2;
          addAt(picture, x + c * u - s * v - 0.5, y + s * u + c * v - 0.5, rgb);
        }
      }
      for (let k = 0; k < 3; k++) {
        const value = rgb[2 - k]! / (samples * samples * 255);
        data[(k * height + j) * padded + i] = (value - mean[k]!) / deviation[k]!;
      }
    }
  }
  return { width: padded, height, data };
}

function addAt({ width, height, data }: RgbImage, x: number, y: number, rgb: Float64Array): void {
  const left = Math.min(width - 1, Math.max(0, x));
  const top = Math.min(height - 1, Math.max(0, y));
  const [i, j] = [Math.floor(left), Math.floor(top)];
  const [u, v] = [left - i, top - j];
  const [right, below] = [i + 1 < width ? 3 : 0, j + 1 < height ? 3 * width : 0];
  const at = 3 * (j * width + i);
  for (let k = 0; k < 3; k++) {
    const upper = data[at + k]! * (1 - u) + data[at + right + k]! * u;
    const lower = data[at + below + k]! * (1 - u) + data[at + below + right + k]! * u;
    rgb[k]! += upper * (1 - v) + lower * v;
  }
}

import type { RgbImage, SegmentImage } from "../schema/core.ts";
import { scaled } from "./pictures.ts";

/** Rows of three bits, the leftmost pixel highest; our own font, since a bare machine has none. */
const DIGITS = [
  [7, 5, 5, 5, 7],
  [2, 6, 2, 2, 7],
  [7, 1, 7, 4, 7],
  [7, 1, 3, 1, 7],
  [5, 5, 7, 1, 1],
  [7, 4, 7, 1, 7],
  [7, 4, 7, 5, 7],
  [7, 1, 2, 2, 2],
  [7, 5, 7, 5, 7],
  [7, 5, 7, 1, 7],
] as const;
const GLYPH_WIDTH = 3;
const GLYPH_HEIGHT = 5;
const DOT_PX = 2;

/** Distinguishable with any kind of colour vision (Okabe and Ito 2008). */
const COLOURS = [
  [230, 159, 0],
  [86, 180, 233],
  [0, 158, 115],
  [240, 228, 66],
  [0, 114, 178],
  [213, 94, 0],
  [204, 121, 167],
] as const;

/**
 * The picture with the outline and the number of each marked detection drawn in, at about `sidePx` on its longer
 * side, for a person or a model to refer to things. `numbers` gives the number by detection id; other segments are
 * not marked.
 */
export function drawOverlay(
  picture: RgbImage,
  segments: SegmentImage,
  numbers: ReadonlyMap<string, number>,
  sidePx: number,
): RgbImage {
  const longer = Math.max(picture.width, picture.height);
  // Integer upscaling keeps the pixels of small pictures square.
  const factor = longer > sidePx ? sidePx / longer : Math.max(1, Math.floor(sidePx / longer));
  const width = Math.max(1, Math.round(picture.width * factor));
  const height = Math.max(1, Math.round(picture.height * factor));
  const canvas = scaled(picture, width, height);
  const labels = scaledLabels(segments, width, height);
  const marked = segments.ids.map((id) => numbers.get(id));
  drawOutlines(canvas, labels, marked);
  for (const [index, at] of middles(labels, width, marked))
    drawNumber(canvas, marked[index]!, at % width, Math.floor(at / width));
  return canvas;
}

function drawOutlines(canvas: RgbImage, labels: Uint16Array, marked: readonly (number | undefined)[]): void {
  const { width, height, data } = canvas;
  for (let j = 0, at = 0; j < height; j++) {
    for (let i = 0; i < width; i++, at++) {
      const label = labels[at]!;
      const number = label === 0 ? undefined : marked[label - 1];
      if (number === undefined) continue;
      const edge =
        (i > 0 && labels[at - 1] !== label) ||
        (i + 1 < width && labels[at + 1] !== label) ||
        (j > 0 && labels[at - width] !== label) ||
        (j + 1 < height && labels[at + width] !== label);
      if (edge) data.set(colourOf(number), 3 * at);
    }
  }
}

/** For each marked label a pixel well inside: the middle of its middle row. */
function middles(
  labels: Uint16Array,
  width: number,
  marked: readonly (number | undefined)[],
): Map<number, number> {
  const counts = new Uint32Array(marked.length);
  for (const label of labels) if (label !== 0) counts[label - 1]!++;
  const passed = new Uint32Array(marked.length);
  const found = new Map<number, number>();
  for (let at = 0; at < labels.length; at++) {
    const index = labels[at]! - 1;
    if (index < 0 || marked[index] === undefined) continue;
    if (passed[index]!++ !== counts[index]! >> 1) continue;
    const start = at - (at % width);
    const row: number[] = [];
    for (let other = start; other < start + width; other++) if (labels[other] === index + 1) row.push(other);
    found.set(index, row[row.length >> 1]!);
  }
  return found;
}

/** A number in its colour on black, centred on a pixel as far as the picture allows. */
export function drawNumber(canvas: RgbImage, number: number, centreX: number, centreY: number): void {
  const digits = [...String(number)].map(Number);
  const width = (digits.length * (GLYPH_WIDTH + 1) + 1) * DOT_PX;
  const height = (GLYPH_HEIGHT + 2) * DOT_PX;
  const left = Math.max(0, Math.min(canvas.width - width, centreX - (width >> 1)));
  const top = Math.max(0, Math.min(canvas.height - height, centreY - (height >> 1)));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const column = Math.floor(x / DOT_PX) - 1;
      const row = Math.floor(y / DOT_PX) - 1;
      const digit = digits[Math.floor(column / (GLYPH_WIDTH + 1))];
      const bit = GLYPH_WIDTH - 1 - (column % (GLYPH_WIDTH + 1));
      const lit = digit !== undefined && bit >= 0 && ((DIGITS[digit]?.[row] ?? 0) >> bit) & 1;
      const [i, j] = [left + x, top + y];
      if (i >= canvas.width || j >= canvas.height) continue;
      canvas.data.set(lit ? colourOf(number) : [0, 0, 0], 3 * (j * canvas.width + i));
    }
  }
}

/** The edge of a box, two pixels wide, in the colour of its number. */
export function drawBox(
  canvas: RgbImage,
  [left, top, right, bottom]: readonly [number, number, number, number],
  number: number,
): void {
  const { width, height, data } = canvas;
  const colour = colourOf(number);
  for (let j = Math.max(0, top); j < Math.min(height, bottom); j++) {
    for (let i = Math.max(0, left); i < Math.min(width, right); i++) {
      const isInside = i >= left + DOT_PX && i < right - DOT_PX && j >= top + DOT_PX && j < bottom - DOT_PX;
      if (isInside) i = right - DOT_PX - 1;
      else data.set(colour, 3 * (j * width + i));
    }
  }
}

function colourOf(number: number): readonly [number, number, number] {
  return COLOURS[number % COLOURS.length]!;
}

function scaledLabels(image: SegmentImage, width: number, height: number): Uint16Array {
  const out = new Uint16Array(width * height);
  for (let j = 0, at = 0; j < height; j++) {
    const row = Math.floor(((j + 0.5) * image.height) / height) * image.width;
    for (let i = 0; i < width; i++, at++) {
      out[at] = image.data[row + Math.floor(((i + 0.5) * image.width) / width)]!;
    }
  }
  return out;
}

import type { MaskImage } from "../schema/core.ts";
import { settings } from "../schema/settings.ts";
import type { Clusters, Rectangle } from "./clusters.ts";

/** One segment's pixels, as indices into the image, in raster order. */
export interface Segment {
  readonly pixels: Int32Array;
  /** The tightest rectangle around them. */
  readonly bounds: Rectangle;
}

/** Maps every possible mask number to the index of the wanted one: reading beyond a shorter array is slow. */
const LABELS = new Uint16Array(65_536);

/**
 * The pixels of the wanted mask numbers, gathered in one pass, and an image of their indices in `numbers` plus one.
 * Numbers that do not occur have no segment.
 */
export function gatherSegments(
  masks: MaskImage,
  numbers: readonly number[],
): { labels: Uint16Array; segments: (Segment | undefined)[] } {
  const labelOf = LABELS;
  numbers.forEach((number, place) => {
    labelOf[number] = place + 1;
  });
  const { data, width } = masks;
  const labels = new Uint16Array(data.length);
  const counts = new Uint32Array(numbers.length + 1);
  const bounds = numbers.map(() => ({ left: Infinity, top: Infinity, right: 0, bottom: 0 }));
  // Runs of one number in a row, which are long: first pixel, end, label.
  const runs: number[] = [];
  for (let start = 0, row = 0; start < data.length; start += width, row++) {
    const end = Math.min(start + width, data.length);
    for (let at = start; at < end; ) {
      const number = data[at]!;
      const from = at;
      do at++;
      while (at < end && data[at] === number);
      const label = labelOf[number]!;
      if (label === 0) continue;
      runs.push(from, at, label);
      counts[label]! += at - from;
      const box = bounds[label - 1]!;
      if (from - start < box.left) box.left = from - start;
      if (at - start > box.right) box.right = at - start;
      if (row < box.top) box.top = row;
      box.bottom = row + 1;
    }
  }
  for (const number of numbers) labelOf[number] = 0;
  const starts = new Uint32Array(numbers.length + 2);
  for (let label = 1; label <= numbers.length; label++) starts[label + 1] = starts[label]! + counts[label]!;
  const all = new Int32Array(starts[numbers.length + 1]!);
  const next = Uint32Array.from(starts);
  for (let n = 0; n < runs.length; n += 3) {
    const [end, label] = [runs[n + 1]!, runs[n + 2]!];
    let to = next[label]!;
    for (let at = runs[n]!; at < end; at++) {
      labels[at] = label;
      all[to++] = at;
    }
    next[label] = to;
  }
  const segments = numbers.map((_, place) => {
    const pixels = all.subarray(starts[place + 1], starts[place + 2]);
    return pixels.length === 0 ? undefined : { pixels, bounds: bounds[place]! };
  });
  return { labels, segments };
}

/** The whole pixels that a detector's box covers, clipped to the image; undefined if none. */
export function rectangleOf(
  [left, top, right, bottom]: readonly [number, number, number, number],
  { width, height }: { readonly width: number; readonly height: number },
): Rectangle | undefined {
  const cut = {
    left: Math.max(0, Math.floor(left)),
    top: Math.max(0, Math.floor(top)),
    right: Math.min(width, Math.ceil(right)),
    bottom: Math.min(height, Math.ceil(bottom)),
  };
  return cut.left < cut.right && cut.top < cut.bottom ? cut : undefined;
}

/** Value, unit, minimum, maximum, source. */
const SEGMENTS = settings("perception.segments", {
  /** How far a thing may extend from the depth in the middle of its box, relative to the box's longer side. */
  boxReach: [0.6, "share", 0.3, 0.8, "experiment"],
  leastReachM: [0.1, "m", 0.05, 0.2, "experiment"],
  depths: [1_024, "count", 512, 2_050, "limit"],
});

/**
 * The thing inside a box without a mask: connected pixels at about the depth of the box's middle. A thing is assumed
 * to be no deeper than its box is wide or high, which excludes most of the wall and the floor.
 */
export function cutBox(
  box: Rectangle,
  depthM: Float32Array,
  width: number,
  focalPx: number,
  clusters: Clusters,
): Segment | undefined {
  const middleM = middleDepth(box, depthM, width);
  if (middleM === undefined) return undefined;
  const side = Math.max(box.right - box.left, box.bottom - box.top);
  const reachM = Math.max(SEGMENTS.leastReachM, (SEGMENTS.boxReach * side * middleM) / focalPx);
  const labels = new Uint16Array(depthM.length);
  const inside: number[] = [];
  for (let j = box.top; j < box.bottom; j++) {
    for (let i = box.left, at = j * width + i; i < box.right; i++, at++) {
      const z = depthM[at]!;
      if (!(z > 0) || Math.abs(z - middleM) > reachM) continue;
      labels[at] = 1;
      inside.push(at);
    }
  }
  clusters.look(labels, depthM, width, focalPx, box);
  const pixels = clusters.mainPart(Int32Array.from(inside));
  return pixels.length === 0 ? undefined : { pixels, bounds: boundsOf(pixels, width) };
}

/** The lower quartile of the depths in the inner half of a box: what is in the middle is also in front. */
function middleDepth({ left, top, right, bottom }: Rectangle, depthM: Float32Array, width: number) {
  const [w, h] = [right - left, bottom - top];
  const [x0, x1] = [left + Math.floor(w / 4), right - Math.floor(w / 4)];
  const [y0, y1] = [top + Math.floor(h / 4), bottom - Math.floor(h / 4)];
  const stride = Math.max(1, Math.ceil(Math.sqrt(((x1 - x0) * (y1 - y0)) / SEGMENTS.depths)));
  const depths: number[] = [];
  for (let j = y0; j < y1; j += stride) {
    for (let i = x0; i < x1; i += stride) {
      const z = depthM[j * width + i]!;
      if (z > 0) depths.push(z);
    }
  }
  depths.sort((a, b) => a - b);
  return depths[Math.floor(depths.length / 4)];
}

function boundsOf(pixels: Int32Array, width: number): Rectangle {
  const bounds = { left: Infinity, top: Infinity, right: 0, bottom: 0 };
  for (const at of pixels) {
    const column = at % width;
    const row = (at - column) / width;
    if (column < bounds.left) bounds.left = column;
    if (column >= bounds.right) bounds.right = column + 1;
    if (row < bounds.top) bounds.top = row;
    if (row >= bounds.bottom) bounds.bottom = row + 1;
  }
  return bounds;
}

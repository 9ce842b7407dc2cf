import type { Random } from "../../geometry/index.ts";
import { strength } from "./levels.ts";

/** Fewer pixels are not a detection even for a perfect detector. */
export const MIN_PIXELS = 16;
const HALF_MISSED_PX = 60;
const MARGIN_PX = 2;
const SPLIT = 0.03;
const MERGE = 0.03;
const FALSE_MASK = 0.01;

/** One segment of a frame: its pixels (indices into the image) and the thing behind it, 0 for a false one. */
export interface Segment {
  readonly thing: number;
  readonly pixels: readonly number[];
}

export interface SegmentOptions {
  readonly width: number;
  readonly height: number;
  /** Instance number at each pixel. */
  readonly instances: Uint16Array;
  /** False for walls and floors, which detectors do not report. */
  readonly isObject: (thing: number) => boolean;
  /** Touching things with the same category may be merged. */
  readonly categoryOf: (thing: number) => string;
}

/**
 * The segments that a detector would return for an image: at level 0 the true ones of at least 16 pixels; with noise
 * some are missed (half of those with 60 pixels at level 0.5), grown or shrunk by up to 2 pixels, split, merged with
 * a touching twin, or invented. In random order, since a number must not reveal an identity.
 */
export function segment(random: Random, level: number, options: SegmentOptions): Segment[] {
  let segments = trueSegments(options);
  const s = strength(level);
  if (s > 0) {
    segments = segments.filter(({ pixels }) => {
      const ratio = pixels.length / HALF_MISSED_PX;
      return !random.chance(Math.min(1, s) / (1 + ratio * ratio));
    });
    segments = merged(random, s, segments, options);
    segments = segments.flatMap((one) => (random.chance(SPLIT * s) ? split(one, options.width) : [one]));
    segments = segments.map((one) => resized(one, random.int(-MARGIN_PX, MARGIN_PX + 1), s, options));
    if (random.chance(FALSE_MASK * s * Math.max(1, segments.length))) segments.push(made(random, options));
  }
  return random.shuffle(segments.filter(({ pixels }) => pixels.length >= MIN_PIXELS));
}

/** The image of segment numbers, counted from 1; where segments overlap the smaller one wins. */
export function paintSegments(segments: readonly Segment[], width: number, height: number): Uint16Array {
  const image = new Uint16Array(width * height);
  const order = segments
    .map((_, index) => index)
    .sort((a, b) => segments[b]!.pixels.length - segments[a]!.pixels.length || a - b);
  for (const index of order) for (const pixel of segments[index]!.pixels) image[pixel] = index + 1;
  return image;
}

function trueSegments({ instances, isObject }: SegmentOptions): Segment[] {
  const pixelsOf = new Map<number, number[]>();
  for (let at = 0; at < instances.length; at++) {
    const thing = instances[at]!;
    if (thing === 0) continue;
    const list = pixelsOf.get(thing);
    if (list) list.push(at);
    else pixelsOf.set(thing, [at]);
  }
  return [...pixelsOf]
    .filter(([thing, pixels]) => pixels.length >= MIN_PIXELS && isObject(thing))
    .sort(([a], [b]) => a - b)
    .map(([thing, pixels]) => ({ thing, pixels }));
}

function merged(random: Random, s: number, segments: readonly Segment[], options: SegmentOptions): Segment[] {
  const out: Segment[] = [];
  const gone = new Set<Segment>();
  for (const one of segments) {
    if (gone.has(one)) continue;
    const twin = segments.find(
      (other) =>
        other !== one &&
        !gone.has(other) &&
        !out.includes(other) &&
        options.categoryOf(other.thing) === options.categoryOf(one.thing) &&
        touch(one, other, options.width),
    );
    if (twin && random.chance(MERGE * s)) {
      gone.add(twin);
      out.push({ thing: one.thing, pixels: [...one.pixels, ...twin.pixels] });
    } else out.push(one);
  }
  return out;
}

function touch(a: Segment, b: Segment, width: number): boolean {
  const others = new Set(b.pixels);
  return a.pixels.some(
    (pixel) =>
      others.has(pixel + 1) ||
      others.has(pixel - 1) ||
      others.has(pixel + width) ||
      others.has(pixel - width),
  );
}

/** Two halves along the longer side. */
function split(one: Segment, width: number): Segment[] {
  const columns = one.pixels.map((pixel) => pixel % width);
  const rows = one.pixels.map((pixel) => Math.floor(pixel / width));
  const wide = Math.max(...columns) - Math.min(...columns) >= Math.max(...rows) - Math.min(...rows);
  const keys = wide ? columns : rows;
  const middle = (Math.max(...keys) + Math.min(...keys)) / 2;
  const half = (low: boolean) => ({
    thing: one.thing,
    pixels: one.pixels.filter((_, i) => keys[i]! <= middle === low),
  });
  return [half(true), half(false)];
}

/** Grown (positive) or shrunk by whole pixels, four neighbours at a time. */
function resized(one: Segment, margin: number, s: number, { width, height }: SegmentOptions): Segment {
  const steps = Math.min(3, Math.round(Math.abs(margin) * Math.min(s, 1.5)));
  let pixels = new Set(one.pixels);
  for (let n = 0; n < steps; n++) {
    const next = new Set<number>();
    for (const pixel of pixels) {
      const column = pixel % width;
      const around = [
        column > 0 ? pixel - 1 : -1,
        column + 1 < width ? pixel + 1 : -1,
        pixel - width,
        pixel + width < width * height ? pixel + width : -1,
      ].filter((at) => at >= 0);
      if (margin > 0) {
        next.add(pixel);
        for (const at of around) next.add(at);
      } else if (around.length === 4 && around.every((at) => pixels.has(at))) next.add(pixel);
    }
    pixels = next;
  }
  return { thing: one.thing, pixels: [...pixels].sort((a, b) => a - b) };
}

function made(random: Random, { width, height }: SegmentOptions): Segment {
  const w = random.int(Math.min(6, width), Math.max(7, width >> 2));
  const h = random.int(Math.min(6, height), Math.max(7, height >> 2));
  const left = random.int(0, Math.max(1, width - w));
  const top = random.int(0, Math.max(1, height - h));
  const pixels: number[] = [];
  for (let j = top; j < Math.min(height, top + h); j++) {
    for (let i = left; i < Math.min(width, left + w); i++) pixels.push(j * width + i);
  }
  return { thing: 0, pixels };
}

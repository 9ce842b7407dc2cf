import type { Intrinsics } from "../../geometry/index.ts";
import { isLociError } from "../../schema/index.ts";
import { optionalBytes } from "../files.ts";
import type { RgbImage } from "../frame.ts";
import { decodeColour, decodeGrey16 } from "../images.ts";
import type { ReadOptions } from "../options.ts";
import { intrinsicsFor, type Registration } from "./develop.ts";
import type { Shot, ShotList } from "./shots.ts";

const FRAMES = 12;
const EDGES_PER_FRAME = 1_500;
/** A depth jump of this size, or this share of the distance, is an edge that usually has a colour edge beside it. */
const JUMP_M = 0.1;
const JUMP_SHARE = 0.06;
const FAR_M = 4;
/** Pixels from one side of an edge to the other. */
const ACROSS = 4;
/** The search ranges, from coarse to fine. */
const FOCAL = { most: 0.14, step: 0.01 };
const SHIFT_M = { most: 0.06, step: 0.004 };
/** How much better edges must coincide than without a change, in each half of the frames. */
const BETTER = 1.25;
const BETTER_IN_HALVES = 1.12;
const LEAST_EDGES = 2_000;
const MOST_GRADIENT = 4;

/**
 * Finds whether colour and depth are registered, from the edges of both over many frames; undefined if they are, or
 * without evidence to the contrary. A colour camera beside the depth camera sees a point at another pixel: in
 * 7-Scenes by a tenth of the picture, without any mention in its files.
 */
export async function findRegistration(
  list: ShotList,
  options: ReadOptions,
): Promise<{ readonly registration: Registration; readonly line: string } | undefined> {
  if (list.depthCamera) return undefined;
  const usable = list.shots.filter(({ colour, depth }) => colour !== undefined && depth !== undefined);
  const count = Math.min(FRAMES, usable.length);
  if (count < 4) return undefined;
  // Concurrently, because pictures are decoded in another thread.
  const views = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      edgeView(list, usable[Math.floor(((n + 0.5) * usable.length) / count)]!, options),
    ),
  );
  const found = registrationOf(views.filter((view) => view !== undefined));
  if (!found) return undefined;
  const { focalShare, shiftM, better } = found;
  const line = `Colour and depth do not lie on each other; mended by their edges: the colour camera has ${focalShare.toFixed(2)} of the focal length and is ${Math.abs(100 * shiftM).toFixed(1)} cm to the ${shiftM < 0 ? "right" : "left"} (edges agree ${better.toFixed(1)} times as well).`;
  return { registration: { focalShare, shiftM }, line };
}

/** Edges of a depth image relative to its centre, and the colour gradient at each pixel. */
export interface EdgeView {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly z: Float32Array;
  readonly gradient: Float32Array;
  readonly intrinsics: Intrinsics;
}

/** A shot's edges; nothing if it cannot be read. */
async function edgeView(list: ShotList, shot: Shot, options: ReadOptions): Promise<EdgeView | undefined> {
  const edges = await depthEdges(list, shot, options);
  const gradient = edges && (await colourGradient(shot, edges));
  return gradient && { ...edges, gradient };
}

/** The pixels at which the depth of a shot jumps. */
export async function depthEdges(
  list: ShotList,
  { depth, camera }: Pick<Shot, "depth" | "camera">,
  options: ReadOptions,
): Promise<Omit<EdgeView, "gradient"> | undefined> {
  return readable(async () => {
    const bytes = depth && (await optionalBytes(depth));
    const known = options.intrinsics ?? camera ?? list.camera;
    if (!bytes || !known) return undefined;
    const raw = await decodeGrey16(bytes);
    const intrinsics = intrinsicsFor(known, raw);
    return {
      ...edgesOf(raw, options.depthUnitM ?? list.depthUnitM, list.noDepth, intrinsics),
      intrinsics,
    };
  });
}

/** The colour gradient of a shot, if its picture has the depth's resolution. */
export async function colourGradient(
  { colour }: Pick<Shot, "colour">,
  { intrinsics }: Pick<EdgeView, "intrinsics">,
): Promise<Float32Array | undefined> {
  return readable(async () => {
    const bytes = colour && (await optionalBytes(colour));
    if (!bytes) return undefined;
    const rgb = await decodeColour(bytes);
    return rgb.width === intrinsics.width && rgb.height === intrinsics.height ? gradientOf(rgb) : undefined;
  });
}

/** An unreadable file counts as absent; the reader reports it when its turn comes. */
async function readable<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isLociError(error)) return undefined;
    throw error;
  }
}

function edgesOf(
  { width, height, data }: { readonly width: number; readonly height: number; readonly data: Uint16Array },
  unitM: number,
  noDepth: number | undefined,
  { cx, cy }: Intrinsics,
): Pick<EdgeView, "x" | "y" | "z"> {
  const metres = new Float64Array(data.length);
  for (let pixel = 0; pixel < data.length; pixel++)
    metres[pixel] = data[pixel] === noDepth ? 0 : data[pixel]! * unitM;
  const at: number[] = [];
  for (let j = ACROSS; j + ACROSS < height; j++) {
    for (let pixel = j * width + ACROSS, end = (j + 1) * width - ACROSS; pixel < end; pixel++) {
      const z = metres[pixel]!;
      if (z === 0 || z > FAR_M) continue;
      if (
        endsTowards(metres, pixel, -1) ||
        endsTowards(metres, pixel, 1) ||
        endsTowards(metres, pixel, -width) ||
        endsTowards(metres, pixel, width)
      )
        at.push(pixel);
    }
  }
  const kept = Math.min(EDGES_PER_FRAME, at.length);
  const out = { x: new Float32Array(kept), y: new Float32Array(kept), z: new Float32Array(kept) };
  for (let n = 0; n < kept; n++) {
    const pixel = at[Math.floor((n * at.length) / kept)]!;
    out.x[n] = (pixel % width) + 0.5 - cx;
    out.y[n] = Math.floor(pixel / width) + 0.5 - cy;
    out.z[n] = metres[pixel]!;
  }
  return out;
}

/**
 * Whether a surface ends in a direction. Looks over a few pixels, since cameras leave the edge itself unmeasured;
 * colours change on the nearer side.
 */
function endsTowards(metres: Float64Array, pixel: number, step: number): boolean {
  const z = metres[pixel]!;
  if (metres[pixel + ACROSS * step]! - z <= Math.max(JUMP_M, JUMP_SHARE * z)) return false;
  const next = metres[pixel + step]!;
  return next === 0 || Math.abs(next - z) >= JUMP_M / 2;
}

/** The luma gradient around each pixel, relative to the picture's mean. */
function gradientOf({ width, height, data }: RgbImage): Float32Array {
  const luma = new Float32Array(width * height);
  for (let at = 0; at < luma.length; at++)
    luma[at] = 0.299 * data[3 * at]! + 0.587 * data[3 * at + 1]! + 0.114 * data[3 * at + 2]!;
  const out = new Float32Array(luma.length);
  let sum = 0;
  for (let j = 2; j + 2 < height; j++) {
    for (let i = 2; i + 2 < width; i++) {
      const at = j * width + i;
      out[at] =
        Math.abs(luma[at + 2]! - luma[at - 2]!) + Math.abs(luma[at + 2 * width]! - luma[at - 2 * width]!);
      sum += out[at]!;
    }
  }
  const mean = sum / luma.length || 1;
  for (let at = 0; at < out.length; at++) out[at] = Math.min(MOST_GRADIENT, out[at]! / mean);
  return out;
}

/** The focal length and shift at which depth edges fall on colour edges, if clearly better than unchanged. */
export function registrationOf(
  views: readonly EdgeView[],
): (Registration & { readonly better: number }) | undefined {
  if (!hasEdges(views)) return undefined;
  const none = { focalShare: 1, shiftM: 0 };
  let best = { ...none, score: scoreOf(views, none) };
  const before = best.score;
  const steps = (most: number, step: number) =>
    Array.from({ length: 2 * Math.round(most / step) + 1 }, (_, n) => (n - Math.round(most / step)) * step);
  for (const focal of steps(FOCAL.most, FOCAL.step)) {
    for (const shiftM of steps(SHIFT_M.most, SHIFT_M.step)) {
      const tried = { focalShare: 1 + focal, shiftM };
      const score = scoreOf(views, tried);
      if (score > best.score) best = { ...tried, score };
    }
  }
  const found = (some: readonly EdgeView[]) => scoreOf(some, best);
  if (!isClearlyBetter({ views, scoreOf: found }, { views, scoreOf })) return undefined;
  return { focalShare: best.focalShare, shiftM: best.shiftM, better: best.score / before };
}

/** Whether there are enough edges for a verdict. */
export function hasEdges(views: readonly EdgeView[]): boolean {
  return views.reduce((sum, { z }) => sum + z.length, 0) >= LEAST_EDGES;
}

/** Frames, and how well their edges coincide. */
interface Fit {
  readonly views: readonly EdgeView[];
  readonly scoreOf: (views: readonly EdgeView[]) => number;
}

/**
 * Whether edges coincide clearly better than unchanged, over all frames and in each half of them. Black pictures have
 * no edges and give no verdict.
 */
export function isClearlyBetter(tried: Fit, now: Fit): boolean {
  const isBetter = (times: number, some: (views: readonly EdgeView[]) => readonly EdgeView[]) => {
    const before = now.scoreOf(some(now.views));
    return before > 0 && tried.scoreOf(some(tried.views)) >= times * before;
  };
  return (
    isBetter(BETTER, (views) => views) &&
    [0, 1].every((rest) => isBetter(BETTER_IN_HALVES, (views) => views.filter((_, n) => n % 2 === rest)))
  );
}

/** The colour gradient at depth edges, relative to the gradient at the same pixels moved elsewhere. */
export function scoreOf(
  views: readonly EdgeView[],
  { focalShare, shiftM }: Registration = { focalShare: 1, shiftM: 0 },
): number {
  let [sum, count] = [0, 0];
  for (const { x, y, z, gradient, intrinsics } of views) {
    const { fx, cx, cy, width, height } = intrinsics;
    for (let n = 0; n < z.length; n++) {
      const i = Math.floor(cx + focalShare * (x[n]! + (fx * shiftM) / z[n]!));
      const j = Math.floor(cy + focalShare * y[n]!);
      if (i < 0 || j < 0 || i >= width || j >= height) continue;
      sum += gradient[j * width + i]!;
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}

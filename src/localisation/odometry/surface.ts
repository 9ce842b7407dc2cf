import type { Intrinsics } from "../../geometry/index.ts";
import type { DepthImage, RgbImage } from "../../schema/core.ts";
import { ODOMETRY } from "../settings.ts";

/** Points and normals of one picture, at one resolution, x y z in sequence in camera axes; NaN for none. */
export interface Surface {
  readonly intrinsics: Intrinsics;
  readonly points: Float32Array;
  readonly normals: Float32Array;
  /** Pixels with a point and a normal. */
  readonly valid: Int32Array;
  /** Brightness from 0 to 1, smoothed with each halving; undefined without a picture. */
  readonly luma: Float32Array | undefined;
}

/**
 * The surfaces of a depth image, finest first, each half as wide as the one before. A plane is linear in inverse
 * depth over the picture: 1/z = (n·ray)/d. So normals come from the gradient of inverse depth over a window, and
 * edges appear as its second difference, at any slant.
 */
export function surfacesOf(
  depth: DepthImage,
  intrinsics: Intrinsics,
  levels: number,
  rgb?: RgbImage | undefined,
): Surface[] {
  const step = Math.max(1, Math.round(depth.width / ODOMETRY.widthPx));
  const fine = inverseDepth(depth, step);
  const scaled = scaleIntrinsics(intrinsics, fine.width / depth.width, fine.width, fine.height);
  const isSame = rgb?.width === depth.width && rgb.height === depth.height;
  const luma = isSame ? lumaOf(rgb, step) : undefined;
  const base = { ...surfaceOf(fine, scaled), luma };
  const surfaces: Surface[] = [base];
  for (let level = 1; level < levels; level++) surfaces.push(halved(surfaces[level - 1]!));
  return surfaces;
}

interface InverseDepth {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Inverse metres; 0 without a measurement. Blocks are averaged where they lie on one surface. */
function inverseDepth({ width, height, data, unitM }: DepthImage, step: number): InverseDepth {
  const w = Math.floor(width / step);
  const h = Math.floor(height / step);
  const out = new Float32Array(w * h);
  for (let v = 0; v < h; v++) {
    for (let u = 0; u < w; u++) {
      let sum = 0;
      let count = 0;
      let min = Infinity;
      let max = 0;
      for (let dv = 0; dv < step; dv++) {
        for (let du = 0; du < step; du++) {
          const raw = data[(v * step + dv) * width + u * step + du]!;
          if (raw === 0) continue;
          const inverse = 1 / (raw * unitM);
          sum += inverse;
          count++;
          min = Math.min(min, inverse);
          max = Math.max(max, inverse);
        }
      }
      const isOne =
        count * 2 >= step * step && max - min < ODOMETRY.blockShare * max && sum * ODOMETRY.farM > count;
      out[v * w + u] = isOne ? sum / count : 0;
    }
  }
  return { width: w, height: h, data: out };
}

/** Brightness (Rec. 601) of blocks of so many pixels. */
function lumaOf({ width, height, data }: RgbImage, step: number): Float32Array {
  const w = Math.floor(width / step);
  const h = Math.floor(height / step);
  const out = new Float32Array(w * h);
  for (let v = 0; v < h; v++) {
    for (let u = 0; u < w; u++) {
      let sum = 0;
      for (let dv = 0; dv < step; dv++) {
        for (let du = 0; du < step; du++) {
          const at = ((v * step + dv) * width + u * step + du) * 3;
          sum += 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
        }
      }
      out[v * w + u] = sum / (255 * step * step);
    }
  }
  return out;
}

/** Means of two by two. */
function halvedLuma(luma: Float32Array, width: number, w: number, h: number): Float32Array {
  const out = new Float32Array(w * h);
  for (let v = 0; v < h; v++) {
    for (let u = 0; u < w; u++) {
      const at = 2 * v * width + 2 * u;
      out[v * w + u] = (luma[at]! + luma[at + 1]! + luma[at + width]! + luma[at + width + 1]!) / 4;
    }
  }
  return out;
}

function surfaceOf({ width, height, data }: InverseDepth, intrinsics: Intrinsics): Omit<Surface, "luma"> {
  const { fx, fy, cx, cy } = intrinsics;
  const points = new Float32Array(width * height * 3).fill(Number.NaN);
  const normals = new Float32Array(width * height * 3).fill(Number.NaN);
  const valid: number[] = [];
  for (let v = 2; v < height - 2; v++) {
    for (let u = 2; u < width - 2; u++) {
      const at = v * width + u;
      const centre = data[at]!;
      if (centre === 0) continue;
      const du = slope(data, at, 1, width, centre);
      const dv = slope(data, at, width, 1, centre);
      if (Number.isNaN(du) || Number.isNaN(dv)) continue;
      const x = (u + 0.5 - cx) / fx;
      const y = (v + 0.5 - cy) / fy;
      const a = du * fx;
      const b = dv * fy;
      const c = centre - a * x - b * y;
      const length = Math.sqrt(a * a + b * b + c * c);
      const z = 1 / centre;
      points[at * 3] = x * z;
      points[at * 3 + 1] = y * z;
      points[at * 3 + 2] = z;
      normals[at * 3] = a / length;
      normals[at * 3 + 1] = b / length;
      normals[at * 3 + 2] = c / length;
      valid.push(at);
    }
  }
  return { intrinsics, points, normals, valid: Int32Array.from(valid) };
}

/** The gradient along one direction, over three rows and five steps; NaN where the surface bends or ends. */
function slope(data: Float32Array, at: number, along: number, across: number, centre: number): number {
  let sum = 0;
  for (let row = -1; row <= 1; row++) {
    const middle = at + row * across;
    const b2 = data[middle - 2 * along]!;
    const b1 = data[middle - along]!;
    const m = data[middle]!;
    const a1 = data[middle + along]!;
    const a2 = data[middle + 2 * along]!;
    if (b2 === 0 || b1 === 0 || m === 0 || a1 === 0 || a2 === 0) return Number.NaN;
    const limit = ODOMETRY.edgeShare * centre;
    if (Math.abs(b1 + a1 - 2 * m) > limit || Math.abs(b2 + a2 - 2 * m) > 2 * limit) return Number.NaN;
    // Least squares over −2…2: (−2 b2 − b1 + a1 + 2 a2) / 10.
    sum += (2 * (a2 - b2) + (a1 - b1)) / 10;
  }
  return sum / 3;
}

/** Every second pixel of every second row: points and normals stay exact, and none is averaged over an edge. */
function halved({ intrinsics, points, normals, luma }: Surface): Surface {
  const { width } = intrinsics;
  const w = Math.floor(intrinsics.width / 2);
  const h = Math.floor(intrinsics.height / 2);
  const smaller = {
    points: new Float32Array(w * h * 3).fill(Number.NaN),
    normals: new Float32Array(w * h * 3).fill(Number.NaN),
  };
  const valid: number[] = [];
  for (let v = 0; v < h; v++) {
    for (let u = 0; u < w; u++) {
      const to = v * w + u;
      for (const from of [2 * v * width + 2 * u, 2 * v * width + 2 * u + 1, (2 * v + 1) * width + 2 * u]) {
        if (Number.isNaN(normals[from * 3]!)) continue;
        for (let k = 0; k < 3; k++) {
          smaller.points[to * 3 + k] = points[from * 3 + k]!;
          smaller.normals[to * 3 + k] = normals[from * 3 + k]!;
        }
        valid.push(to);
        break;
      }
    }
  }
  const scaled = scaleIntrinsics(intrinsics, 0.5, w, h);
  const dim = luma && halvedLuma(luma, width, w, h);
  return { intrinsics: scaled, ...smaller, valid: Int32Array.from(valid), luma: dim };
}

function scaleIntrinsics(
  { fx, fy, cx, cy }: Intrinsics,
  factor: number,
  width: number,
  height: number,
): Intrinsics {
  return { fx: fx * factor, fy: fy * factor, cx: cx * factor, cy: cy * factor, width, height };
}

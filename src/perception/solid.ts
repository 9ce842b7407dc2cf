import { type Intrinsics, type Transform, toMatrix, type Vec3 } from "../geometry/index.ts";
import type { LiftedSolid } from "../schema/core.ts";
import { settings } from "../schema/settings.ts";
import { depthSdM } from "./depth-model.ts";

/** Which points make a solid, and the uncertainty of the camera pose. */
export interface LiftLimits {
  /** Fewer points with a depth than this make no solid (docs/formulas.md#taking-in). */
  readonly minPoints: number;
  /** For segments that are small themselves (under twice `minPoints`): fewer points are enough, with a larger `sdM`. */
  readonly minPointsOfSmall: number;
  readonly maxDepthM: number;
  readonly poseSdM: number;
  readonly poseSdRad: number;
}

export const LIFT_LIMITS: LiftLimits = {
  minPoints: 30,
  minPointsOfSmall: 8,
  maxDepthM: 20,
  poseSdM: 0.01,
  poseSdRad: 0.003,
};

/** Value, unit, minimum, maximum, source. */
const SOLID = settings("perception.solid", {
  samples: [32, "count", 16, 64, "limit"],
  /** More points hardly change order statistics; pixels are sampled with a stride. */
  statisticPoints: [512, "count", 256, 1_024, "limit"],
  sampleCandidates: [96, "count", 48, 192, "limit"],
  /** Neighbouring depths have correlated errors, so more points do not improve a centroid. */
  independentPoints: [64, "count", 32, 128, "experiment"],
  /** The median of a normal sample has 1.25 times the deviation of its mean. */
  medianFactor: [1.2533, "ratio", 1.2, 1.3, "paper"],
  low: [0.02, "share", 0.01, 0.05, "paper"],
  high: [0.98, "share", 0.95, 0.99, "paper"],
});

/** One camera in one submap, with its depth in metres. */
export interface LiftCamera {
  readonly depthM: Float32Array;
  readonly intrinsics: Intrinsics;
  readonly submapFromCamera: Transform;
}

/** Turns pixels with depth into solids along the submap's axes; its buffers are reused. */
export class Lift {
  readonly #limits: LiftLimits;
  readonly #points = {
    at: new Int32Array(SOLID.statisticPoints),
    x: new Float64Array(SOLID.statisticPoints),
    y: new Float64Array(SOLID.statisticPoints),
    z: new Float64Array(SOLID.statisticPoints),
    depth: new Float64Array(SOLID.statisticPoints),
    count: 0,
  };

  constructor(limits: LiftLimits) {
    this.#limits = limits;
  }

  /**
   * The solid of the pixels of one surface, out of a segment of `areaPx` pixels, or undefined if they are too few or
   * too far. Centroid and box are order statistics (docs/formulas.md#fused-box).
   */
  solidOf(camera: LiftCamera, pixels: Int32Array, areaPx: number): LiftedSolid | undefined {
    const { minPoints, minPointsOfSmall, maxDepthM } = this.#limits;
    const small = areaPx < 2 * minPoints;
    if (pixels.length < (small ? Math.min(minPoints, minPointsOfSmall) : minPoints)) return undefined;
    this.#pick(camera.depthM, pixels);
    this.#gather(camera);
    const { x, y, z, depth, count } = this.#points;
    const depthM = rankOf(depth, count, 0.5);
    if (depthM > maxDepthM) return undefined;
    // Before each axis is sorted on its own, which destroys the points.
    const samples = spread(this.#points);
    const at = (q: number): Vec3 => ({
      x: rankOf(x, count, q),
      y: rankOf(y, count, q),
      z: rankOf(z, count, q),
    });
    const focalPx = Math.min(camera.intrinsics.fx, camera.intrinsics.fy);
    return {
      centroid: at(0.5),
      box: { min: at(SOLID.low), max: at(SOLID.high) },
      sdM: this.#sdM(depthM, depthM / focalPx, pixels.length, small && pixels.length < minPoints),
      depthM,
      count: pixels.length,
      samples,
    };
  }

  /**
   * Samples pixels evenly by the area they cover, which grows with the square of the depth: at a grazing angle the
   * near end of a table has most of its pixels but not most of its area. The effect is that of a voxel filter on a
   * cloud.
   */
  #pick(depthM: Float32Array, pixels: Int32Array): void {
    const points = this.#points;
    let area = 0;
    for (let k = 0; k < pixels.length; k++) {
      const z = depthM[pixels[k]!]!;
      area += z * z;
    }
    const count = Math.min(pixels.length, SOLID.statisticPoints);
    let passed = 0;
    let n = 0;
    for (let k = 0; k < pixels.length && n < count; k++) {
      const at = pixels[k]!;
      const z = depthM[at]!;
      passed += z * z;
      while (n < count && (n + 0.5) * area <= passed * count) points.at[n++] = at;
    }
    // Rounding may leave the last one unset.
    while (n < count) points.at[n++] = pixels[pixels.length - 1]!;
    points.count = count;
  }

  #gather({ depthM, intrinsics, submapFromCamera }: LiftCamera): void {
    const points = this.#points;
    const { fx, fy, cx, cy, width } = intrinsics;
    const { p } = submapFromCamera;
    const m = toMatrix(submapFromCamera.q);
    for (let n = 0; n < points.count; n++) {
      const at = points.at[n]!;
      const column = at % width;
      const row = (at - column) / width;
      const depth = depthM[at]!;
      // A pixel covers [i, i + 1), so its middle is at a half.
      const x = ((column + 0.5 - cx) / fx) * depth;
      const y = ((row + 0.5 - cy) / fy) * depth;
      points.x[n] = m[0] * x + m[1] * y + m[2] * depth + p.x;
      points.y[n] = m[3] * x + m[4] * y + m[5] * depth + p.y;
      points.z[n] = m[6] * x + m[7] * y + m[8] * depth + p.z;
      points.depth[n] = depth;
    }
  }

  /** Depth noise of the median, half a pixel laterally, and the pose; with a handful of pixels, a whole pixel more. */
  #sdM(depthM: number, pixelM: number, count: number, handful: boolean): number {
    const { poseSdM, poseSdRad } = this.#limits;
    const along =
      (SOLID.medianFactor * depthSdM(depthM)) / Math.sqrt(Math.min(count, SOLID.independentPoints));
    const across = (0.5 * pixelM) / Math.sqrt(Math.min(count, SOLID.independentPoints));
    const sum = along ** 2 + across ** 2 + poseSdM ** 2 + (poseSdRad * depthM) ** 2;
    return Math.sqrt(sum + (handful ? pixelM ** 2 : 0));
  }
}

interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  readonly count: number;
}

/**
 * The value of a rank among the first `count`, which it reorders: Hoare's selection, since three ranks do not need a
 * full sort.
 */
function rankOf(values: Float64Array, count: number, q: number): number {
  const rank = Math.round(q * (count - 1));
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const value = values[i]!;
      values[i++] = values[j]!;
      values[j--] = value;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else break;
  }
  return values[rank]!;
}

/** Up to 32 points, each the farthest from those before it (Gonzalez 1985), among candidates at a stride. */
function spread({ x, y, z, count: all }: Points): Float32Array {
  const count = Math.min(all, SOLID.sampleCandidates);
  const candidates = new Float64Array(3 * count);
  for (let n = 0; n < count; n++) {
    const from = Math.floor((n * all) / count);
    candidates[3 * n] = x[from]!;
    candidates[3 * n + 1] = y[from]!;
    candidates[3 * n + 2] = z[from]!;
  }
  const chosen = Math.min(SOLID.samples, count);
  const out = new Float32Array(chosen * 3);
  const gap = new Float64Array(count).fill(Infinity);
  let next = count >> 1;
  for (let n = 0; n < chosen; n++) {
    const px = candidates[3 * next]!;
    const py = candidates[3 * next + 1]!;
    const pz = candidates[3 * next + 2]!;
    out[3 * n] = px;
    out[3 * n + 1] = py;
    out[3 * n + 2] = pz;
    let widest = -1;
    for (let k = 0; k < count; k++) {
      const dx = candidates[3 * k]! - px;
      const dy = candidates[3 * k + 1]! - py;
      const dz = candidates[3 * k + 2]! - pz;
      const nearest = Math.min(gap[k]!, dx * dx + dy * dy + dz * dz);
      gap[k] = nearest;
      if (nearest > widest) {
        widest = nearest;
        next = k;
      }
    }
    // Only copies of chosen points are left.
    if (widest === 0) return out.slice(0, 3 * (n + 1));
  }
  return out;
}

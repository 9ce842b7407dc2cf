import { type Intrinsics, type Transform, toMatrix, ZERO } from "../../geometry/index.ts";
import { type DepthImage, LIMITS } from "../../schema/core.ts";
import { depthSdM } from "../depth-model.ts";
import type { PosedFrame } from "../posed-frame.ts";

/** Columns of the grid on which a frame is looked at: finer changes what is seen by little and costs by the square. */
const COLUMNS = 320;
/** Nearer and farther depths are no surface to cut things out of. */
const NEAR_M = 0.25;
const FAR_M = 5;
/** Neighbours farther apart than this are two surfaces, or one that nobody measured well. */
const JUMP_M = 0.03;
const JUMP_SD = 4;
/** Over how much of a surface its slope is taken. */
const SLOPE_M = 0.025;
const MOST_SLOPE_PX = 6;

/** A frame on its grid: points and normals along the axes of its map. */
export interface Sight {
  readonly width: number;
  readonly height: number;
  /** Pixels of the camera a step of the grid. */
  readonly stride: number;
  readonly intrinsics: Intrinsics;
  readonly mapFromCamera: Transform;
  readonly depthM: Float32Array;
  /** Three numbers a place; meaningless where there is no depth. */
  readonly points: Float32Array;
  /** Three numbers a place, towards the camera; 0 where the slope is not known. */
  readonly normals: Float32Array;
  /** 1 where a depth is of one surface, and not of the air between two. */
  readonly sound: Uint8Array;
}

/**
 * Takes a frame with depth onto its grid; undefined where it has no pose, no depth, or numbers that cannot be. Without its
 * shape (points, slopes, and which depths are sound) it is a quarter as dear: enough to look things up in the map.
 */
export function sightOf(
  { depth, intrinsics, worldFromCamera }: PosedFrame,
  isShaped = true,
): Sight | undefined {
  if (!depth || !worldFromCamera || !isPossible(depth, intrinsics, worldFromCamera)) return undefined;
  const stride = Math.max(1, Math.round(intrinsics.width / COLUMNS));
  const width = Math.floor(intrinsics.width / stride);
  const height = Math.floor(intrinsics.height / stride);
  const depthM = new Float32Array(width * height);
  const middle = stride >> 1;
  for (let j = 0, at = 0; j < height; j++) {
    const row = (j * stride + middle) * intrinsics.width + middle;
    for (let i = 0; i < width; i++, at++) {
      const z = depth.data[row + i * stride]! * depth.unitM;
      depthM[at] = z >= NEAR_M && z <= FAR_M ? z : 0;
    }
  }
  const grid = {
    fx: intrinsics.fx / stride,
    fy: intrinsics.fy / stride,
    cx: (intrinsics.cx - middle - 0.5) / stride + 0.5,
    cy: (intrinsics.cy - middle - 0.5) / stride + 0.5,
    width,
    height,
  };
  const inCamera = isShaped ? cameraPoints(depthM, grid) : new Float32Array(0);
  const sound = isShaped ? soundOf(depthM, width, height) : new Uint8Array(0);
  const normals = isShaped ? cameraNormals(depthM, inCamera, grid) : new Float32Array(0);
  turn(inCamera, worldFromCamera, true);
  turn(normals, worldFromCamera, false);
  return {
    width,
    height,
    stride,
    intrinsics: grid,
    mapFromCamera: worldFromCamera,
    depthM,
    points: inCamera,
    normals,
    sound,
  };
}

/**
 * The depth and the camera of a frame on the grid that it is looked at on, so that what follows works on as many pixels as
 * the masks have; its colour stays as fine as it is.
 */
export function onGrid(
  { depth }: PosedFrame,
  { width, height, stride, intrinsics }: Sight,
): Pick<PosedFrame, "depth" | "intrinsics"> | undefined {
  if (!depth || stride === 1) return undefined;
  const data = new Uint16Array(width * height);
  const middle = stride >> 1;
  for (let j = 0, at = 0; j < height; j++) {
    const row = (j * stride + middle) * depth.width + middle;
    for (let i = 0; i < width; i++) data[at++] = depth.data[row + i * stride]!;
  }
  return { intrinsics, depth: { width, height, data, unitM: depth.unitM } };
}

/** What the gate refuses is told by it; here it is only not looked at. */
function isPossible(depth: DepthImage, intrinsics: Intrinsics, { p, q }: Transform): boolean {
  const { fx, fy, cx, cy, width, height } = intrinsics;
  const isCamera = fx > 0 && fy > 0 && Number.isFinite(fx + fy + cx + cy);
  const isPose =
    Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z) < LIMITS.coordinateM &&
    Math.hypot(q.w, q.x, q.y, q.z) > 0.9;
  const isSized = depth.width === width && depth.height === height && depth.data.length === width * height;
  return isCamera && isPose && isSized && depth.unitM > 0;
}

function cameraPoints(depthM: Float32Array, { fx, fy, cx, cy, width, height }: Intrinsics): Float32Array {
  const points = new Float32Array(3 * width * height);
  const across = Float64Array.from({ length: width }, (_, i) => (i + 0.5 - cx) / fx);
  for (let j = 0, at = 0; j < height; j++) {
    const down = (j + 0.5 - cy) / fy;
    for (let i = 0; i < width; i++, at++) {
      const z = depthM[at]!;
      points[3 * at] = across[i]! * z;
      points[3 * at + 1] = down * z;
      points[3 * at + 2] = z;
    }
  }
  return points;
}

/**
 * A depth that lies between the two beside it, far from either, is of the air between two surfaces: cameras mix what one
 * pixel covers. Seen along, a surface does the same and its next step goes on.
 */
function soundOf(depthM: Float32Array, width: number, height: number): Uint8Array {
  const sound = new Uint8Array(width * height);
  for (let j = 1; j + 1 < height; j++) {
    for (let i = 1, at = j * width + 1; i + 1 < width; i++, at++) {
      const z = depthM[at]!;
      if (z === 0) continue;
      const most = jumpM(z) * 1.5;
      const across = isMixed(depthM[at - 1]!, z, depthM[at + 1]!, most);
      sound[at] = across || isMixed(depthM[at - width]!, z, depthM[at + width]!, most) ? 0 : 1;
    }
  }
  return sound;
}

function isMixed(before: number, z: number, after: number, mostM: number): boolean {
  if (before === 0 || after === 0) return before === 0 && after === 0;
  const down = z - before;
  const up = after - z;
  if (Math.abs(down) <= mostM && Math.abs(up) <= mostM) return false;
  // On a plane seen along both steps are alike.
  return Math.abs(up - down) > mostM;
}

/** Depths of two neighbours that differ by more are of two surfaces, unless it is seen along. */
export function jumpM(z: number): number {
  return Math.max(JUMP_M, JUMP_SD * depthSdM(z));
}

/** Slopes by differences over a few centimetres, so that the steps of a depth camera do not show. */
function cameraNormals(
  depthM: Float32Array,
  points: Float32Array,
  { fx, width, height }: Intrinsics,
): Float32Array {
  const normals = new Float32Array(points.length);
  for (let j = 0, at = 0; j < height; j++) {
    for (let i = 0; i < width; i++, at++) {
      const z = depthM[at]!;
      if (z === 0) continue;
      const reach = Math.max(SLOPE_M, 6 * depthSdM(z));
      const r = Math.max(1, Math.min(MOST_SLOPE_PX, Math.round((reach * fx) / z)));
      const most = 3 * jumpM(z) + (r * z) / fx;
      const down = r * width;
      const left = i >= r && isNear(depthM[at - r]!, z, most) ? at - r : at;
      const right = i + r < width && isNear(depthM[at + r]!, z, most) ? at + r : at;
      const top = j >= r && isNear(depthM[at - down]!, z, most) ? at - down : at;
      const bottom = j + r < height && isNear(depthM[at + down]!, z, most) ? at + down : at;
      if (left === right || top === bottom) continue;
      const ax = points[3 * right]! - points[3 * left]!;
      const ay = points[3 * right + 1]! - points[3 * left + 1]!;
      const az = points[3 * right + 2]! - points[3 * left + 2]!;
      const bx = points[3 * bottom]! - points[3 * top]!;
      const by = points[3 * bottom + 1]! - points[3 * top + 1]!;
      const bz = points[3 * bottom + 2]! - points[3 * top + 2]!;
      const nx = ay * bz - az * by;
      const ny = az * bx - ax * bz;
      const nz = ax * by - ay * bx;
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
      if (!(length > 0)) continue;
      const facing = nx * points[3 * at]! + ny * points[3 * at + 1]! + nz * z > 0 ? -length : length;
      normals[3 * at] = nx / facing;
      normals[3 * at + 1] = ny / facing;
      normals[3 * at + 2] = nz / facing;
    }
  }
  return normals;
}

/** Whether a depth is there and may be of the same surface. */
function isNear(depth: number, z: number, mostM: number): boolean {
  return depth > 0 && depth - z <= mostM && z - depth <= mostM;
}

/** Into the map, in place: points are turned and moved, directions only turned. */
function turn(values: Float32Array, { p, q }: Transform, moved: boolean): void {
  const [a, b, c, d, e, f, g, h, i] = toMatrix(q);
  const { x: px, y: py, z: pz } = moved ? p : ZERO;
  for (let k = 0; k < values.length; k += 3) {
    const x = values[k]!;
    const y = values[k + 1]!;
    const z = values[k + 2]!;
    values[k] = a * x + b * y + c * z + px;
    values[k + 1] = d * x + e * y + f * z + py;
    values[k + 2] = g * x + h * y + i * z + pz;
  }
}

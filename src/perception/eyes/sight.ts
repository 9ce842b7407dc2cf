import { type Intrinsics, type Transform, toMatrix } from "../../geometry/index.ts";
import { type DepthImage, type Frame, LIMITS } from "../../schema/core.ts";
import { settings } from "../../schema/settings.ts";
import { depthSdM } from "../depth-model.ts";

/** Value, unit, minimum, maximum, source. */
const SIGHT = settings("eyes.sight", {
  /** Columns of the processing grid: a finer one changes the results little and costs quadratically. */
  columns: [320, "count", 160, 640, "limit"],
  /** Nearer and farther depths are not used as surfaces. */
  nearM: [0.25, "m", 0.12, 0.5, "datasheet"],
  farM: [5, "m", 3, 8, "datasheet"],
  /** Neighbours farther apart than this are two surfaces, or one that was measured badly. */
  jumpM: [0.03, "m", 0.015, 0.06, "experiment"],
  jumpSd: [4, "sd", 2, 8, "experiment"],
  /** Baseline over which a surface's normal is computed. */
  slopeM: [0.025, "m", 0.0125, 0.05, "experiment"],
  mostSlopePx: [6, "px", 3, 12, "experiment"],
});

/** Read for every cell. */
const { jumpM: JUMP_M, jumpSd: JUMP_SD, slopeM: SLOPE_M, mostSlopePx: MOST_SLOPE_PX } = SIGHT;

export const { nearM: NEAR_M, farM: FAR_M } = SIGHT;

/** A frame on its grid: points and normals along the axes of its map. */
export interface Sight {
  readonly width: number;
  readonly height: number;
  /** Camera pixels per grid step. */
  readonly stride: number;
  readonly intrinsics: Intrinsics;
  readonly mapFromCamera: Transform;
  readonly depthM: Float32Array;
  /** Three numbers per cell; undefined without depth. */
  readonly points: Float32Array;
  /** Three numbers per cell, towards the camera; 0 if unknown. */
  readonly normals: Float32Array;
  /** 1 where a depth lies on one surface, and not in the air between two. */
  readonly sound: Uint8Array;
}

/** The arrays of a sight, reused: new ones for every frame would keep the garbage collector busy. */
export type SightRoom = Pick<Sight, "depthM" | "points" | "normals" | "sound">;

/**
 * Resamples a frame with depth onto its grid; undefined without a pose or depth, or with impossible numbers. Without
 * its shape (points, normals, and which depths are sound) it costs a quarter: enough for map lookups. With the room
 * of another sight of this size, it takes over that one's arrays.
 */
export function sightOf(
  { depth, intrinsics, worldFromCamera }: Frame,
  isShaped = true,
  room?: SightRoom,
): Sight | undefined {
  if (!depth || !worldFromCamera || !isPossible(depth, intrinsics, worldFromCamera)) return undefined;
  const stride = Math.max(1, Math.round(intrinsics.width / SIGHT.columns));
  const width = Math.floor(intrinsics.width / stride);
  const height = Math.floor(intrinsics.height / stride);
  const middle = stride >> 1;
  const grid = {
    fx: intrinsics.fx / stride,
    fy: intrinsics.fy / stride,
    cx: (intrinsics.cx - middle - 0.5) / stride + 0.5,
    cy: (intrinsics.cy - middle - 0.5) / stride + 0.5,
    width,
    height,
  };
  const isFitting = room?.depthM.length === width * height && (!isShaped || room.sound.length > 0);
  const arrays = isFitting ? room : roomOf(width * height, isShaped);
  for (let j = 0; j < height; j++)
    depthRow(
      depth,
      (j * stride + middle) * intrinsics.width + middle,
      stride,
      arrays.depthM,
      j * width,
      width,
    );
  if (isShaped) {
    const shaper = shaperOf(grid, worldFromCamera);
    for (let j = 0; j < height; j++) {
      soundRow(arrays.depthM, arrays.sound, width, height, j);
      shapeRow(arrays, shaper, j);
    }
  }
  const { depthM, points, normals, sound } = arrays;
  return {
    ...{ width, height, stride, intrinsics: grid, mapFromCamera: worldFromCamera },
    ...{ depthM, points, normals, sound },
  };
}

function roomOf(places: number, isShaped: boolean): SightRoom {
  const shaped = isShaped ? places : 0;
  return {
    // Shared with the network's thread, which reads it directly: there is no copy to collect.
    depthM: new Float32Array(new SharedArrayBuffer(4 * places)),
    points: new Float32Array(3 * shaped),
    normals: new Float32Array(3 * shaped),
    sound: new Uint8Array(shaped),
  };
}

// Loops over a picture are functions of one row: these are compiled once, while one over all rows would be recompiled
// during each frame.

function depthRow(
  { data, unitM }: DepthImage,
  from: number,
  stride: number,
  depthM: Float32Array,
  to: number,
  width: number,
): void {
  for (let i = 0; i < width; i++) {
    const z = data[from + i * stride]! * unitM;
    depthM[to + i] = z >= NEAR_M && z <= FAR_M ? z : 0;
  }
}

/**
 * The depth and camera of a frame on its grid, so that later stages work on as many pixels as the masks have; colour
 * keeps its resolution.
 */
export function onGrid(
  { depth }: Frame,
  { width, height, stride, intrinsics }: Sight,
  filled?: { readonly places: Int32Array; readonly depthM: Float32Array },
): Pick<Frame, "depth" | "intrinsics"> | undefined {
  if (!depth || (stride === 1 && !filled)) return undefined;
  const data = new Uint16Array(width * height);
  const middle = stride >> 1;
  for (let j = 0, at = 0; j < height; j++) {
    const row = (j * stride + middle) * depth.width + middle;
    for (let i = 0; i < width; i++) data[at++] = depth.data[row + i * stride]!;
  }
  filled?.places.forEach((place, n) => {
    const steps = Math.round(filled.depthM[n]! / depth.unitM);
    if (steps < 1 << 16) data[place] = steps;
  });
  return { intrinsics, depth: { width, height, data, unitM: depth.unitM } };
}

/** The gate reports what it refuses; here such a frame is only skipped. */
function isPossible(depth: DepthImage, intrinsics: Intrinsics, { p, q }: Transform): boolean {
  const { fx, fy, cx, cy, width, height } = intrinsics;
  const isCamera = fx > 0 && fy > 0 && Number.isFinite(fx + fy + cx + cy);
  const isPose =
    Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z) < LIMITS.coordinateM &&
    Math.hypot(q.w, q.x, q.y, q.z) > 0.9;
  const isSized = depth.width === width && depth.height === height && depth.data.length === width * height;
  return isCamera && isPose && isSized && depth.unitM > 0;
}

/**
 * A depth between its two neighbours, far from either, lies in the air between two surfaces: cameras mix what one
 * pixel covers. A surface at a grazing angle looks the same, but its next step continues.
 */
function soundRow(depthM: Float32Array, sound: Uint8Array, width: number, height: number, row: number): void {
  const start = row * width;
  sound.fill(0, start, start + width);
  if (row === 0 || row + 1 >= height) return;
  for (let at = start + 1; at + 1 < start + width; at++) {
    const z = depthM[at]!;
    if (z === 0) continue;
    const most = jumpM(z) * 1.5;
    const across = isMixed(depthM[at - 1]!, z, depthM[at + 1]!, most);
    sound[at] = across || isMixed(depthM[at - width]!, z, depthM[at + width]!, most) ? 0 : 1;
  }
}

function isMixed(before: number, z: number, after: number, mostM: number): boolean {
  if (before === 0 || after === 0) return before === 0 && after === 0;
  const down = z - before;
  const up = after - z;
  if (Math.abs(down) <= mostM && Math.abs(up) <= mostM) return false;
  // On a plane at a grazing angle both steps are equal.
  return Math.abs(up - down) > mostM;
}

/** Largest depth difference between neighbours of one surface, unless it is seen at a grazing angle. */
export function jumpM(z: number): number {
  return Math.max(JUMP_M, JUMP_SD * depthSdM(z));
}

/** Inputs of the row shaping: the rays of columns and rows at one metre, and the transform into the map. */
interface Shaper extends Pick<Intrinsics, "fx" | "width" | "height"> {
  readonly across: Float64Array;
  readonly down: Float64Array;
  readonly turn: Float64Array;
  readonly move: Float64Array;
}

function shaperOf({ fx, fy, cx, cy, width, height }: Intrinsics, { p, q }: Transform): Shaper {
  return {
    fx,
    width,
    height,
    across: Float64Array.from({ length: width }, (_, i) => (i + 0.5 - cx) / fx),
    down: Float64Array.from({ length: height }, (_, j) => (j + 0.5 - cy) / fy),
    turn: Float64Array.from(toMatrix(q)),
    move: Float64Array.of(p.x, p.y, p.z),
  };
}

/**
 * Points and normals of a row. Normals use differences over a few centimetres, so that a depth camera's quantisation
 * does not show. Points and normals are rounded to 32 bits before the transform into the map, as they are after it.
 */
function shapeRow(
  { depthM, points, normals }: SightRoom,
  { fx, width, height, across, down, turn, move }: Shaper,
  row: number,
): void {
  const f = Math.fround;
  const [a, b, c] = [turn[0]!, turn[1]!, turn[2]!];
  const [d, e, g] = [turn[3]!, turn[4]!, turn[5]!];
  const [h, k, l] = [turn[6]!, turn[7]!, turn[8]!];
  const [px, py, pz] = [move[0]!, move[1]!, move[2]!];
  const ry = down[row]!;
  for (let i = 0, at = row * width; i < width; i++, at++) {
    const z = depthM[at]!;
    const x = f(across[i]! * z);
    const y = f(ry * z);
    points[3 * at] = a * x + b * y + c * z + px;
    points[3 * at + 1] = d * x + e * y + g * z + py;
    points[3 * at + 2] = h * x + k * y + l * z + pz;
    normals[3 * at] = 0;
    normals[3 * at + 1] = 0;
    normals[3 * at + 2] = 0;
    if (z === 0) continue;
    const sd = depthSdM(z);
    const r = Math.max(1, Math.min(MOST_SLOPE_PX, Math.round((Math.max(SLOPE_M, 6 * sd) * fx) / z)));
    const most = 3 * Math.max(JUMP_M, JUMP_SD * sd) + (r * z) / fx;
    const rows = r * width;
    const left = i >= r && isNear(depthM[at - r]!, z, most) ? r : 0;
    const right = i + r < width && isNear(depthM[at + r]!, z, most) ? r : 0;
    const top = row >= r && isNear(depthM[at - rows]!, z, most) ? r : 0;
    const bottom = row + r < height && isNear(depthM[at + rows]!, z, most) ? r : 0;
    if (left + right === 0 || top + bottom === 0) continue;
    const leftZ = depthM[at - left]!;
    const rightZ = depthM[at + right]!;
    const topZ = depthM[at - top * width]!;
    const bottomZ = depthM[at + bottom * width]!;
    const ax = f(across[i + right]! * rightZ) - f(across[i - left]! * leftZ);
    const ay = f(ry * rightZ) - f(ry * leftZ);
    const az = rightZ - leftZ;
    const bx = f(across[i]! * bottomZ) - f(across[i]! * topZ);
    const by = f(down[row + bottom]! * bottomZ) - f(down[row - top]! * topZ);
    const bz = bottomZ - topZ;
    const nx = ay * bz - az * by;
    const ny = az * bx - ax * bz;
    const nz = ax * by - ay * bx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0)) continue;
    const facing = nx * x + ny * y + nz * z > 0 ? -length : length;
    const ux = f(nx / facing);
    const uy = f(ny / facing);
    const uz = f(nz / facing);
    normals[3 * at] = a * ux + b * uy + c * uz;
    normals[3 * at + 1] = d * ux + e * uy + g * uz;
    normals[3 * at + 2] = h * ux + k * uy + l * uz;
  }
}

/** Whether a depth exists and may be of the same surface. */
function isNear(depth: number, z: number, mostM: number): boolean {
  return depth > 0 && depth - z <= mostM && z - depth <= mostM;
}

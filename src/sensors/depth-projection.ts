import { type Intrinsics, type Transform, toMatrix } from "../geometry/index.ts";
import { type DepthImage, LociError } from "../schema/core.ts";
import type { RosPointCloud } from "./ros/messages.ts";

/** Lidars see farther than cameras: steps of 2 mm reach 131 m. */
const CLOUD_UNIT_M = 0.002;
const POINTS = 4_000_000;
/** Nearer points belong to the camera itself. */
const NEAREST_M = 0.01;
/** Datatypes of a point field that can hold a coordinate. */
const FLOAT32 = 7;
const FLOAT64 = 8;

/** The depth camera's pose relative to the colour camera, and its intrinsics. */
export interface DepthCamera {
  readonly intrinsics: Intrinsics;
  readonly colourFromDepth: Transform;
}

/**
 * Depth as the colour camera would see it: each pixel is lifted, transformed and projected; the nearest wins. A
 * coarser depth image would leave holes, so each point covers as many pixels as its own pixel does.
 */
export function registerDepth(depth: DepthImage, from: DepthCamera, to: Intrinsics): DepthImage {
  const buffer = zBuffer(to, depth.unitM, from.colourFromDepth);
  const { fx, fy, cx, cy } = from.intrinsics;
  const spread = Math.max(1, Math.min(4, Math.ceil(to.fx / fx)));
  const across = Float64Array.from({ length: depth.width }, (_, u) => (u + 0.5 - cx) / fx);
  // A function for one row is compiled once; one for all rows would be recompiled in every picture, in the middle of
  // its work.
  for (let v = 0; v < depth.height; v++) registerRow(buffer, depth, v, across, (v + 0.5 - cy) / fy, spread);
  return buffer.image;
}

function registerRow(
  { image, intrinsics: { fx, fy, cx, cy }, turn, move }: ZBuffer,
  depth: DepthImage,
  row: number,
  across: Float64Array,
  down: number,
  spread: number,
): void {
  const [a, b, c] = [turn[0]!, turn[1]!, turn[2]!];
  const [d, e, f] = [turn[3]!, turn[4]!, turn[5]!];
  const [g, h, k] = [turn[6]!, turn[7]!, turn[8]!];
  const [px, py, pz] = [move[0]!, move[1]!, move[2]!];
  const aside = (spread - 1) / 2;
  for (let i = 0, at = row * depth.width; i < depth.width; i++, at++) {
    const z = depth.data[at]! * depth.unitM;
    if (!(z > 0)) continue;
    const x = across[i]! * z;
    const y = down * z;
    const zc = g * x + h * y + k * z + pz;
    if (!(zc > NEAREST_M)) continue;
    const u = Math.floor(((a * x + b * y + c * z + px) / zc) * fx + cx - aside);
    const v = Math.floor(((d * x + e * y + f * z + py) / zc) * fy + cy - aside);
    put(image, u, v, zc, spread);
  }
}

/** A cloud as a sparse depth image of the camera. */
export function projectCloud(cloud: RosPointCloud, cameraFromCloud: Transform, to: Intrinsics): DepthImage {
  const buffer = zBuffer(to, CLOUD_UNIT_M, cameraFromCloud);
  eachPoint(cloud, (x, y, z) => addPoint(buffer, x, y, z));
  return buffer.image;
}

function eachPoint(cloud: RosPointCloud, visit: (x: number, y: number, z: number) => void): void {
  const { width, height, point_step: step, row_step: rowStep, data, fields, is_bigendian } = cloud;
  const axis = (name: string) => fields.find((field) => field.name === name);
  const axes = [axis("x"), axis("y"), axis("z")];
  const size = (datatype: number) => (datatype === FLOAT64 ? 8 : 4);
  const fits = axes.every(
    (field) =>
      field &&
      (field.datatype === FLOAT32 || field.datatype === FLOAT64) &&
      field.offset + size(field.datatype) <= step,
  );
  const stride = Math.max(rowStep, width * step);
  if (!fits || step === 0 || width * height > POINTS || data.length < stride * (height - 1) + width * step)
    throw new LociError("invalid-input", `expected a cloud with x, y and z, got ${width}×${height} points`);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const read = (at: number, field: { offset: number; datatype: number }) =>
    field.datatype === FLOAT64
      ? view.getFloat64(at + field.offset, !is_bigendian)
      : view.getFloat32(at + field.offset, !is_bigendian);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * stride + column * step;
      visit(read(at, axes[0]!), read(at, axes[1]!), read(at, axes[2]!));
    }
  }
}

/** The nearest point at each pixel of a camera, and the transform from the points' frame. */
interface ZBuffer {
  readonly image: DepthImage;
  readonly intrinsics: Intrinsics;
  readonly turn: Float64Array;
  readonly move: Float64Array;
}

function zBuffer(intrinsics: Intrinsics, unitM: number, { p, q }: Transform): ZBuffer {
  const { width, height } = intrinsics;
  const image = { width, height, data: new Uint16Array(width * height), unitM };
  return { image, intrinsics, turn: Float64Array.from(toMatrix(q)), move: Float64Array.of(p.x, p.y, p.z) };
}

function addPoint({ image, intrinsics, turn, move }: ZBuffer, x: number, y: number, z: number): void {
  const { fx, fy, cx, cy } = intrinsics;
  const along = (axis: number) =>
    turn[3 * axis]! * x + turn[3 * axis + 1]! * y + turn[3 * axis + 2]! * z + move[axis]!;
  const zc = along(2);
  if (!(zc > NEAREST_M)) return;
  put(image, Math.floor((along(0) / zc) * fx + cx), Math.floor((along(1) / zc) * fy + cy), zc, 1);
}

/** Writes a depth into a block of columns and rows from u, v on, where it is the nearest. */
function put(
  { data, width, height, unitM }: DepthImage,
  u: number,
  v: number,
  z: number,
  spread: number,
): void {
  if (!(u > -spread && u < width && v > -spread && v < height)) return;
  const value = Math.round(z / unitM);
  if (value < 1 || value > 65_534) return;
  // Integers from here on: loops over doubles are slow.
  const right = Math.min((u | 0) + spread, width);
  const bottom = Math.min((v | 0) + spread, height);
  for (let row = Math.max(v | 0, 0); row < bottom; row++) {
    for (let at = row * width + Math.max(u | 0, 0); at < row * width + right; at++) {
      const before = data[at]!;
      if (before === 0 || value < before) data[at] = value;
    }
  }
}

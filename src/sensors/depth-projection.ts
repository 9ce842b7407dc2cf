import { type Intrinsics, type Transform, toMatrix } from "../geometry/index.ts";
import { type DepthImage, LociError } from "../schema/core.ts";
import type { RosPointCloud } from "./ros/messages.ts";

/** Lidars see further than cameras: steps of 2 mm reach 131 m. */
const CLOUD_UNIT_M = 0.002;
const POINTS = 4_000_000;
/** Steps that sixteen bits hold, without the highest, which some cameras have for no depth. */
const FARTHEST_STEP = 65_534;
/** Datatypes of a point field that can hold a coordinate. */
const FLOAT32 = 7;
const FLOAT64 = 8;

/** Where a depth camera looks from, seen from the colour camera. */
export interface DepthCamera {
  readonly intrinsics: Intrinsics;
  readonly colourFromDepth: Transform;
}

/**
 * Depth as the colour camera would see it: each pixel is lifted, moved and projected, the nearest wins. A coarser
 * depth image leaves holes, so each point covers as many pixels as its own pixel does.
 */
export function registerDepth(depth: DepthImage, from: DepthCamera, to: Intrinsics): DepthImage {
  const { width, height, data, unitM } = depth;
  const { fx, fy, cx, cy } = from.intrinsics;
  const spread = Math.max(1, Math.min(4, Math.ceil(to.fx / fx)));
  const { put, image } = zBuffer(from.colourFromDepth, to, unitM, spread);
  const across = Float64Array.from({ length: width }, (_, u) => (u + 0.5 - cx) / fx);
  for (let v = 0; v < height; v++) {
    const down = (v + 0.5 - cy) / fy;
    for (let u = 0; u < width; u++) {
      const z = data[v * width + u]! * unitM;
      if (z > 0) put(across[u]! * z, down * z, z);
    }
  }
  return image;
}

/** A cloud as a sparse depth image of the camera. */
export function projectCloud(cloud: RosPointCloud, cameraFromCloud: Transform, to: Intrinsics): DepthImage {
  const { put, image } = zBuffer(cameraFromCloud, to, CLOUD_UNIT_M, 1);
  eachPoint(cloud, put);
  return image;
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

/** An image of the nearest of the points that are put into it, each `spread` pixels wide and high. */
function zBuffer(
  { p, q }: Transform,
  { fx, fy, cx, cy, width, height }: Intrinsics,
  unitM: number,
  spread: number,
): { readonly put: (x: number, y: number, z: number) => void; readonly image: DepthImage } {
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = toMatrix(q);
  const { x: px, y: py, z: pz } = p;
  const data = new Uint16Array(width * height);
  const half = (spread - 1) / 2;
  const put = (x: number, y: number, z: number): void => {
    const zc = m6 * x + m7 * y + m8 * z + pz;
    if (!(zc > 0.01)) return;
    const value = Math.round(zc / unitM);
    if (value < 1 || value > FARTHEST_STEP) return;
    const left = Math.floor(((m0 * x + m1 * y + m2 * z + px) / zc) * fx + cx - half);
    const top = Math.floor(((m3 * x + m4 * y + m5 * z + py) / zc) * fy + cy - half);
    for (let v = Math.max(0, top); v < top + spread && v < height; v++) {
      for (let u = Math.max(0, left); u < left + spread && u < width; u++) {
        const before = data[v * width + u]!;
        if (before === 0 || value < before) data[v * width + u] = value;
      }
    }
  };
  return { put, image: { width, height, data, unitM } };
}

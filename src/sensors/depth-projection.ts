import { type Intrinsics, type Transform, toMatrix } from "../geometry/index.ts";
import { type DepthImage, LociError } from "../schema/core.ts";
import type { RosPointCloud } from "./ros/messages.ts";

/** Lidars see further than cameras: steps of 2 mm reach 131 m. */
const CLOUD_UNIT_M = 0.002;
const POINTS = 4_000_000;
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
  const buffer = new ZBuffer(to, depth.unitM);
  const move = pointMover(from.colourFromDepth);
  const { fx, fy, cx, cy } = from.intrinsics;
  const spread = Math.max(1, Math.min(4, Math.ceil(to.fx / fx)));
  for (let v = 0; v < depth.height; v++) {
    for (let u = 0; u < depth.width; u++) {
      const z = depth.data[v * depth.width + u]! * depth.unitM;
      if (z > 0) move(((u + 0.5 - cx) / fx) * z, ((v + 0.5 - cy) / fy) * z, z, buffer, spread);
    }
  }
  return buffer.image();
}

/** A cloud as a sparse depth image of the camera. */
export function projectCloud(cloud: RosPointCloud, cameraFromCloud: Transform, to: Intrinsics): DepthImage {
  const buffer = new ZBuffer(to, CLOUD_UNIT_M);
  const move = pointMover(cameraFromCloud);
  eachPoint(cloud, (x, y, z) => move(x, y, z, buffer, 1));
  return buffer.image();
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

class ZBuffer {
  readonly intrinsics: Intrinsics;
  readonly #unitM: number;
  readonly #data: Uint16Array;

  constructor(intrinsics: Intrinsics, unitM: number) {
    this.intrinsics = intrinsics;
    this.#unitM = unitM;
    this.#data = new Uint16Array(intrinsics.width * intrinsics.height);
  }

  put(u: number, v: number, z: number): void {
    const { width, height } = this.intrinsics;
    if (u < 0 || v < 0 || u >= width || v >= height) return;
    const value = Math.round(z / this.#unitM);
    if (value < 1 || value > 65_534) return;
    const at = v * width + u;
    const before = this.#data[at]!;
    if (before === 0 || value < before) this.#data[at] = value;
  }

  image(): DepthImage {
    const { width, height } = this.intrinsics;
    return { width, height, data: this.#data, unitM: this.#unitM };
  }
}

function pointMover({ p, q }: Transform) {
  const m = toMatrix(q);
  return (x: number, y: number, z: number, buffer: ZBuffer, spread: number): void => {
    const zc = m[6] * x + m[7] * y + m[8] * z + p.z;
    if (!(zc > 0.01)) return;
    const { fx, fy, cx, cy } = buffer.intrinsics;
    const u = Math.floor(((m[0] * x + m[1] * y + m[2] * z + p.x) / zc) * fx + cx - (spread - 1) / 2);
    const v = Math.floor(((m[3] * x + m[4] * y + m[5] * z + p.y) / zc) * fy + cy - (spread - 1) / 2);
    for (let dv = 0; dv < spread; dv++) for (let du = 0; du < spread; du++) buffer.put(u + du, v + dv, zc);
  };
}

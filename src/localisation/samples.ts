import { type Intrinsics, type Quat, toMatrix } from "../geometry/index.ts";
import type { DepthImage } from "../schema/core.ts";
import { LOCALISE } from "./settings.ts";

/** Points of one frame on upright surfaces, sampled to a bounded number; valid until the next `read`. */
export interface Samples {
  readonly count: number;
  /** x, y, z from the camera, along the axes of the frame of its rotation. */
  readonly points: Float32Array;
  /** Horizontal direction that each surface faces, x and y, unit length. */
  readonly normals: Float32Array;
  /** One standard deviation of a point along its normal, in metres. */
  readonly sdM: Float32Array;
}

/** Reads points with normals from depth images. Floors and table tops say nothing about the horizontal position. */
export class SampleReader {
  readonly #points = new Float32Array(LOCALISE.samples * 3);
  readonly #normals = new Float32Array(LOCALISE.samples * 2);
  readonly #sdM = new Float32Array(LOCALISE.samples);

  read(depth: DepthImage, intrinsics: Intrinsics, levelFromCamera: Quat): Samples {
    const { width, height } = depth;
    const reach = Math.max(1, Math.round((LOCALISE.reachPx * width) / LOCALISE.reachOfWidthPx));
    const stride = Math.max(1, Math.ceil(Math.sqrt((width * height) / LOCALISE.samples)));
    const m = toMatrix(levelFromCamera);
    const at = backProjection(depth, intrinsics);
    const [middle, left, right, above, below] = [triple(), triple(), triple(), triple(), triple()];
    let count = 0;
    for (let v = reach; v < height - reach; v += stride) {
      for (let u = reach; u < width - reach && count < LOCALISE.samples; u += stride) {
        if (!at(u, v, middle) || !at(u - reach, v, left) || !at(u + reach, v, right)) continue;
        if (!at(u, v - reach, above) || !at(u, v + reach, below)) continue;
        const z = middle[2]!;
        const bend = 2 * (LOCALISE.bendM + LOCALISE.bendPerM2 * z * z);
        if (Math.abs(left[2]! + right[2]! - 2 * z) > bend) continue;
        if (Math.abs(above[2]! + below[2]! - 2 * z) > bend) continue;
        const [ax, ay, az] = [right[0]! - left[0]!, right[1]! - left[1]!, right[2]! - left[2]!];
        const [bx, by, bz] = [below[0]! - above[0]!, below[1]! - above[1]!, below[2]! - above[2]!];
        let [nx, ny, nz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
        const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
        const [x, y] = [middle[0]!, middle[1]!];
        const towards = nx * x + ny * y + nz * z;
        if (Math.abs(towards) < LOCALISE.leastFacing * length * Math.sqrt(x * x + y * y + z * z)) continue;
        const scale = (towards > 0 ? -1 : 1) / length;
        nx *= scale;
        ny *= scale;
        nz *= scale;
        const gx = m[0] * nx + m[1] * ny + m[2] * nz;
        const gy = m[3] * nx + m[4] * ny + m[5] * nz;
        const upright = Math.sqrt(gx * gx + gy * gy);
        if (!(upright > LOCALISE.leastUpright)) continue;
        this.#points[3 * count] = m[0] * x + m[1] * y + m[2] * z;
        this.#points[3 * count + 1] = m[3] * x + m[4] * y + m[5] * z;
        this.#points[3 * count + 2] = m[6] * x + m[7] * y + m[8] * z;
        this.#normals[2 * count] = gx / upright;
        this.#normals[2 * count + 1] = gy / upright;
        this.#sdM[count++] = LOCALISE.sampleSdM + LOCALISE.sampleSdPerM2 * z * z;
      }
    }
    return { count, points: this.#points, normals: this.#normals, sdM: this.#sdM };
  }
}

const triple = () => new Float64Array(3);

/** The point of a pixel, in the camera's frame; false without usable depth. */
function backProjection(
  { width, height, data, unitM }: DepthImage,
  { fx, fy, cx, cy, width: fullWidth, height: fullHeight }: Intrinsics,
): (u: number, v: number, out: Float64Array) => boolean {
  // Depth may have another size than the colours that the intrinsics describe.
  const [sx, sy] = [fullWidth / width, fullHeight / height];
  return (u, v, out) => {
    const z = data[v * width + u]! * unitM;
    if (!(z > LOCALISE.nearM && z < LOCALISE.farM)) return false;
    out[0] = (((u + 0.5) * sx - cx) / fx) * z;
    out[1] = (((v + 0.5) * sy - cy) / fy) * z;
    out[2] = z;
    return true;
  };
}

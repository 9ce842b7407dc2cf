import { type Intrinsics, type Quat, toMatrix } from "../geometry/index.ts";
import type { DepthImage } from "../schema/core.ts";

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

const MOST = 1_200;
const NEAR_M = 0.2;
const FAR_M = 6;
/** Pixels to either side used for a gradient, in an image of this width. */
const REACH_PX = 3;
const REACH_OF_WIDTH = 160;
/** A surface bends less than this between neighbours, otherwise there is an edge; grows with depth noise. */
const BEND_M = 0.01;
const BEND_PER_M2 = 0.006;
/** Least cosine of the viewing angle, and least horizontal share of a normal. */
const LEAST_FACING = 0.25;
const LEAST_UPRIGHT = 0.5;

/** Reads points with normals from depth images. Floors and table tops say nothing about the horizontal position. */
export class SampleReader {
  readonly #points = new Float32Array(MOST * 3);
  readonly #normals = new Float32Array(MOST * 2);
  readonly #sdM = new Float32Array(MOST);

  read(depth: DepthImage, intrinsics: Intrinsics, levelFromCamera: Quat): Samples {
    const { width, height } = depth;
    const reach = Math.max(1, Math.round((REACH_PX * width) / REACH_OF_WIDTH));
    const stride = Math.max(1, Math.ceil(Math.sqrt((width * height) / MOST)));
    const m = toMatrix(levelFromCamera);
    const at = backProjection(depth, intrinsics);
    const [middle, left, right, above, below] = [triple(), triple(), triple(), triple(), triple()];
    let count = 0;
    for (let v = reach; v < height - reach; v += stride) {
      for (let u = reach; u < width - reach && count < MOST; u += stride) {
        if (!at(u, v, middle) || !at(u - reach, v, left) || !at(u + reach, v, right)) continue;
        if (!at(u, v - reach, above) || !at(u, v + reach, below)) continue;
        const z = middle[2]!;
        const bend = 2 * (BEND_M + BEND_PER_M2 * z * z);
        if (Math.abs(left[2]! + right[2]! - 2 * z) > bend) continue;
        if (Math.abs(above[2]! + below[2]! - 2 * z) > bend) continue;
        const [ax, ay, az] = [right[0]! - left[0]!, right[1]! - left[1]!, right[2]! - left[2]!];
        const [bx, by, bz] = [below[0]! - above[0]!, below[1]! - above[1]!, below[2]! - above[2]!];
        let [nx, ny, nz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
        const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
        const [x, y] = [middle[0]!, middle[1]!];
        const towards = nx * x + ny * y + nz * z;
        if (Math.abs(towards) < LEAST_FACING * length * Math.sqrt(x * x + y * y + z * z)) continue;
        const scale = (towards > 0 ? -1 : 1) / length;
        nx *= scale;
        ny *= scale;
        nz *= scale;
        const gx = m[0] * nx + m[1] * ny + m[2] * nz;
        const gy = m[3] * nx + m[4] * ny + m[5] * nz;
        const upright = Math.sqrt(gx * gx + gy * gy);
        if (!(upright > LEAST_UPRIGHT)) continue;
        this.#points[3 * count] = m[0] * x + m[1] * y + m[2] * z;
        this.#points[3 * count + 1] = m[3] * x + m[4] * y + m[5] * z;
        this.#points[3 * count + 2] = m[6] * x + m[7] * y + m[8] * z;
        this.#normals[2 * count] = gx / upright;
        this.#normals[2 * count + 1] = gy / upright;
        this.#sdM[count++] = 0.006 + 0.003 * z * z;
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
    if (!(z > NEAR_M && z < FAR_M)) return false;
    out[0] = (((u + 0.5) * sx - cx) / fx) * z;
    out[1] = (((v + 0.5) * sy - cy) / fy) * z;
    out[2] = z;
    return true;
  };
}

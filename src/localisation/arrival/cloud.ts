import { type Intrinsics, type Transform, toMatrix } from "../../geometry/index.ts";
import type { DepthImage, RgbImage } from "../../schema/core.ts";

/** Points in an upright world, thinned to one per voxel, each with its surface normal and brightness. */
export interface Cloud {
  readonly count: number;
  /** x, y, z in metres. */
  readonly points: Float32Array;
  /** Unit normals; zero if the surface has no clear one. Their sign is arbitrary. */
  readonly normals: Float32Array;
  /** 0 to 255; -1 without colour. */
  readonly luma: Float32Array;
}

/** A frame of the arriving recording, in its own upright world. */
export interface ArrivalView {
  readonly worldFromCamera: Transform;
  readonly intrinsics: Intrinsics;
  readonly depth: DepthImage;
  readonly rgb?: RgbImage | undefined;
}

const NEAR_M = 0.2;
const FAR_M = 5;
/** Least neighbours for a normal, and their required flatness: variance ratio of the second to the third axis. */
const LEAST_NEIGHBOURS = 5;
const FLAT = 0.12;

/** Collects points, one per voxel, and estimates their normals. */
export class CloudMaker {
  readonly #voxelM: number;
  readonly #index = new Map<number, number>();
  readonly #points: number[] = [];
  readonly #luma: number[] = [];

  constructor(voxelM: number) {
    this.#voxelM = voxelM;
  }

  add(x: number, y: number, z: number, luma: number): void {
    const key = keyOf(x, y, z, this.#voxelM);
    if (this.#index.has(key)) return;
    this.#index.set(key, this.#luma.length);
    this.#points.push(x, y, z);
    this.#luma.push(luma);
  }

  /** Adds the pixels of a frame, a few thousand of them. */
  addView({ worldFromCamera: { p, q }, intrinsics, depth, rgb }: ArrivalView): void {
    const m = toMatrix(q);
    const { fx, fy, cx, cy } = intrinsics;
    const [sx, sy] = [intrinsics.width / depth.width, intrinsics.height / depth.height];
    const stride = Math.max(1, Math.floor(depth.width / 120));
    for (let v = stride >> 1; v < depth.height; v += stride)
      for (let u = stride >> 1; u < depth.width; u += stride) {
        const z = depth.data[v * depth.width + u]! * depth.unitM;
        if (!(z > NEAR_M && z < FAR_M)) continue;
        const [x, y] = [(((u + 0.5) * sx - cx) / fx) * z, (((v + 0.5) * sy - cy) / fy) * z];
        this.add(
          m[0] * x + m[1] * y + m[2] * z + p.x,
          m[3] * x + m[4] * y + m[5] * z + p.y,
          m[6] * x + m[7] * y + m[8] * z + p.z,
          lumaAt(rgb, (u + 0.5) / depth.width, (v + 0.5) / depth.height),
        );
      }
  }

  made(): Cloud {
    const count = this.#luma.length;
    const points = Float32Array.from(this.#points);
    const normals = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) {
      const n = this.#normalAt(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!);
      if (n) normals.set(n, 3 * i);
    }
    return { count, points, normals, luma: Float32Array.from(this.#luma) };
  }

  #normalAt(x: number, y: number, z: number): [number, number, number] | undefined {
    const side = this.#voxelM;
    let [n, sx, sy, sz, xx, xy, xz, yy, yz, zz] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = -1; i <= 1; i++)
      for (let j = -1; j <= 1; j++)
        for (let k = -1; k <= 1; k++) {
          const held = this.#index.get(keyOf(x + i * side, y + j * side, z + k * side, side));
          if (held === undefined) continue;
          const [a, b, c] = [
            this.#points[3 * held]! - x,
            this.#points[3 * held + 1]! - y,
            this.#points[3 * held + 2]! - z,
          ];
          n++;
          sx += a;
          sy += b;
          sz += c;
          xx += a * a;
          xy += a * b;
          xz += a * c;
          yy += b * b;
          yz += b * c;
          zz += c * c;
        }
    if (n < LEAST_NEIGHBOURS) return undefined;
    const [mx, my, mz] = [sx / n, sy / n, sz / n];
    return flattest([
      xx / n - mx * mx,
      xy / n - mx * my,
      xz / n - mx * mz,
      yy / n - my * my,
      yz / n - my * mz,
      zz / n - mz * mz,
    ]);
  }
}

function keyOf(x: number, y: number, z: number, side: number): number {
  const [a, b, c] = [Math.floor(x / side), Math.floor(y / side), Math.floor(z / side)];
  // Within 2^17 voxels each way, exact in a double.
  return ((a + 65_536) * 131_072 + (b + 65_536)) * 131_072 + (c + 65_536);
}

function lumaAt(rgb: RgbImage | undefined, u: number, v: number): number {
  if (!rgb) return -1;
  const at =
    3 *
    (Math.min(rgb.height - 1, Math.floor(v * rgb.height)) * rgb.width +
      Math.min(rgb.width - 1, Math.floor(u * rgb.width)));
  return 0.3 * rgb.data[at]! + 0.59 * rgb.data[at + 1]! + 0.11 * rgb.data[at + 2]!;
}

/**
 * The eigenvector of a symmetric matrix with the smallest eigenvalue, by inverse iteration; undefined if it is not
 * clearly the smallest.
 */
function flattest([a, b, c, d, e, f]: readonly number[]): [number, number, number] | undefined {
  const trace = a! + d! + f!;
  if (!(trace > 0)) return undefined;
  const lift = 1e-4 * trace;
  const [A, D, F] = [a! + lift, d! + lift, f! + lift];
  // The adjugate is the inverse up to scale.
  const [p, q, r] = [D * F - e! * e!, c! * e! - b! * F, b! * e! - c! * D];
  const [s, t, u] = [A * F - c! * c!, b! * c! - A * e!, A * D - b! * b!];
  let [x, y, z] = [1, 0.7, 0.4];
  for (let round = 0; round < 8; round++) {
    const [nx, ny, nz] = [p * x + q * y + r * z, q * x + s * y + t * z, r * x + t * y + u * z];
    const length = Math.hypot(nx, ny, nz);
    if (!(length > 0)) return undefined;
    [x, y, z] = [nx / length, ny / length, nz / length];
  }
  const least =
    x * (a! * x + b! * y + c! * z) + y * (b! * x + d! * y + e! * z) + z * (c! * x + e! * y + f! * z);
  return least < (FLAT * trace) / 2 ? [x, y, z] : undefined;
}

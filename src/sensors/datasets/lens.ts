import type { Intrinsics } from "../../geometry/index.ts";
import type { DepthImage, RgbImage } from "../../schema/core.ts";
import type { Developed } from "./developed.ts";

/** For each pixel of an undistorted picture its source pixel, by picture size. */
const maps = new Map<string, Int32Array>();
const MAPS = 8;

/** A picture and its depth without lens distortion (Brown 1966): each pixel is the nearest one of the original. */
export function straightened(
  { rgb, depth, intrinsics }: Developed,
  distortion: readonly number[],
): Developed {
  return {
    intrinsics,
    ...(rgb && { rgb: straightRgb(rgb, mapOf(intrinsics, rgb, distortion)) }),
    ...(depth && { depth: straightDepth(depth, mapOf(intrinsics, depth, distortion)) }),
  };
}

function straightRgb(rgb: RgbImage, map: Int32Array): RgbImage {
  const data = new Uint8Array(rgb.data.length);
  for (let at = 0; at < map.length; at++) {
    const from = map[at]!;
    if (from < 0) continue;
    data[3 * at] = rgb.data[3 * from]!;
    data[3 * at + 1] = rgb.data[3 * from + 1]!;
    data[3 * at + 2] = rgb.data[3 * from + 2]!;
  }
  return { ...rgb, data };
}

function straightDepth(depth: DepthImage, map: Int32Array): DepthImage {
  return { ...depth, data: Uint16Array.from(map, (from) => (from < 0 ? 0 : depth.data[from]!)) };
}

function mapOf(
  intrinsics: Intrinsics,
  { width, height }: { readonly width: number; readonly height: number },
  distortion: readonly number[],
): Int32Array {
  const key = JSON.stringify([intrinsics, width, height, distortion]);
  const known = maps.get(key);
  if (known) return known;
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0] = distortion;
  const [sx, sy] = [width / intrinsics.width, height / intrinsics.height];
  const [fx, fy, cx, cy] = [intrinsics.fx * sx, intrinsics.fy * sy, intrinsics.cx * sx, intrinsics.cy * sy];
  const map = new Int32Array(width * height).fill(-1);
  for (let v = 0; v < height; v++)
    for (let u = 0; u < width; u++) {
      const [x, y] = [(u + 0.5 - cx) / fx, (v + 0.5 - cy) / fy];
      const r2 = x * x + y * y;
      const radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
      const column = Math.floor(fx * (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) + cx);
      const row = Math.floor(fy * (y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y) + cy);
      if (column >= 0 && row >= 0 && column < width && row < height)
        map[v * width + u] = row * width + column;
    }
  if (maps.size >= MAPS) maps.delete(maps.keys().next().value!);
  maps.set(key, map);
  return map;
}

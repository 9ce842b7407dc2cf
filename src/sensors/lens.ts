import { distort, type Intrinsics, type Lens, reachOf, undistort } from "../geometry/index.ts";
import type { DepthImage, RgbImage } from "../schema/core.ts";

/** For each pixel of a new picture the place in the old one, in pixels; NaN where the old one shows nothing. */
export interface Remap {
  readonly width: number;
  readonly height: number;
  readonly columns: Float32Array;
  readonly rows: Float32Array;
}

/** Made once for each camera. */
const remaps = new Map<string, Remap>();
const REMAPS = 8;

/** From a picture through a lens to one of a pinhole camera of the same focal length, centre and size. */
export function straightening(lens: Lens, camera: Intrinsics): Remap {
  return cached(`straight ${JSON.stringify([lens, camera])}`, () => {
    const reach = reachOf(lens);
    return remapOf(camera, camera, (ray) =>
      Math.hypot(ray.x, ray.y) <= reach ? distort(lens, ray) : undefined,
    );
  });
}

/** The other way: from the picture of a pinhole camera to what a camera with the lens would take. */
export function bending(lens: Lens, pinhole: Intrinsics, camera: Intrinsics): Remap {
  return cached(`bent ${JSON.stringify([lens, pinhole, camera])}`, () => {
    const reach = reachOf(lens);
    return remapOf(camera, pinhole, (ray) => undistort(lens, ray, reach));
  });
}

/** Colours between pixels are mixed. */
export function remapRgb({ width, height, data }: RgbImage, remap: Remap): RgbImage {
  const out = new Uint8Array(remap.width * remap.height * 3);
  for (let at = 0; at < remap.columns.length; at++) {
    const column = remap.columns[at]! - 0.5;
    const row = remap.rows[at]! - 0.5;
    if (!(column >= -0.5 && row >= -0.5 && column < width - 0.5 && row < height - 0.5)) continue;
    const left = Math.floor(column);
    const top = Math.floor(row);
    const [right, down] = [column - left, row - top];
    const [x0, x1] = [Math.max(left, 0), Math.min(left + 1, width - 1)];
    const [y0, y1] = [Math.max(top, 0) * width, Math.min(top + 1, height - 1) * width];
    for (let k = 0; k < 3; k++) {
      const upper = data[3 * (y0 + x0) + k]! * (1 - right) + data[3 * (y0 + x1) + k]! * right;
      const lower = data[3 * (y1 + x0) + k]! * (1 - right) + data[3 * (y1 + x1) + k]! * right;
      out[3 * at + k] = Math.round(upper * (1 - down) + lower * down);
    }
  }
  return { width: remap.width, height: remap.height, data: out };
}

/** A distance between two things is neither's: the nearest pixel. */
export function remapDepth(depth: DepthImage, remap: Remap): DepthImage {
  const { width, height, data } = depth;
  const out = new Uint16Array(remap.width * remap.height);
  for (let at = 0; at < out.length; at++) {
    const [column, row] = [Math.floor(remap.columns[at]!), Math.floor(remap.rows[at]!)];
    if (column >= 0 && row >= 0 && column < width && row < height) out[at] = data[row * width + column]!;
  }
  return { ...depth, width: remap.width, height: remap.height, data: out };
}

function remapOf(
  to: Intrinsics,
  from: Intrinsics,
  rayOf: (ray: { x: number; y: number }) => { x: number; y: number } | undefined,
): Remap {
  const { width, height } = to;
  const columns = new Float32Array(width * height).fill(Number.NaN);
  const rows = new Float32Array(width * height).fill(Number.NaN);
  for (let v = 0; v < height; v++)
    for (let u = 0; u < width; u++) {
      const ray = rayOf({ x: (u + 0.5 - to.cx) / to.fx, y: (v + 0.5 - to.cy) / to.fy });
      if (!ray) continue;
      columns[v * width + u] = from.fx * ray.x + from.cx;
      rows[v * width + u] = from.fy * ray.y + from.cy;
    }
  return { width, height, columns, rows };
}

function cached(key: string, make: () => Remap): Remap {
  const known = remaps.get(key);
  if (known) return known;
  if (remaps.size >= REMAPS) remaps.delete(remaps.keys().next().value!);
  const made = make();
  remaps.set(key, made);
  return made;
}

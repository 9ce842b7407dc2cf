import { LociError } from "../../schema/errors.ts";
import type { EyesInput } from "./eyes.ts";
import type { NetOutput } from "./wasm-net.ts";

/** Nearer than this, inverse depth says no more. */
const NEAREST_M = 0.3;
/** Pixels from the middle to the neighbours whose difference makes a normal. */
const REACH = 2;
/** A mean over 3×3 counts with three readings or more. */
const LEAST_READINGS = 3;
/** Half the side of the window that relief is measured against. */
const AROUND = 7;
/** A camera lower than this lies on the floor, and the floor's distance says nothing. */
const LOWEST_CAMERA_M = 0.2;
const MAX_SIDE = 8_192;

/** Which part of the net's picture an input fills, and how many of its pixels one of the input's makes. */
export interface Covered {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/**
 * The twelve channels that the net was trained on (training/eyes/sensors.py, `channels`): colour, inverse depth, where
 * there is depth, height above the floor, normals in axes that follow gravity, relief, the ray's slope and the floor's
 * inverse distance along it. What does not fill the net's picture is left grey and without depth, at the right and below.
 */
export class Preparer {
  readonly #width: number;
  readonly #height: number;
  readonly #depth: Float32Array;
  /** Points summed over 3×3: x, y, z, readings; then means. */
  readonly #sums: readonly Float32Array[];
  readonly #rows: readonly Float32Array[];

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    const plane = () => new Float32Array(width * height);
    this.#depth = plane();
    this.#sums = [plane(), plane(), plane(), plane()];
    this.#rows = [plane(), plane(), plane(), plane()];
  }

  prepare(input: EyesInput, into: NetOutput): Covered {
    const up = checked(input);
    const covered = coveredBy(input, this.#width, this.#height);
    into.numbers.fill(0);
    this.#colour(input, covered, into);
    this.#readDepth(input, covered);
    const { scale } = covered;
    const camera = {
      fx: input.camera.fx * scale,
      fy: input.camera.fy * scale,
      cx: input.camera.cx * scale,
      cy: input.camera.cy * scale,
    };
    this.#perPixel(camera, up, input.height0, into);
    if (input.depth !== undefined) {
      this.#normals(camera, up, into);
      this.#relief(into);
    }
    return covered;
  }

  /** The mean of the pixels that fall into each. */
  #colour({ width, height, rgb }: EyesInput, covered: Covered, { numbers, stride }: NetOutput): void {
    const columns = edges(covered.width, covered.scale, width);
    const rows = edges(covered.height, covered.scale, height);
    for (let y = 0; y < covered.height; y++) {
      const y0 = rows[y]!;
      const y1 = Math.max(rows[y + 1]!, y0 + 1);
      for (let x = 0; x < covered.width; x++) {
        const x0 = columns[x]!;
        const x1 = Math.max(columns[x + 1]!, x0 + 1);
        let r = 0;
        let g = 0;
        let b = 0;
        for (let v = y0; v < y1; v++) {
          const end = (v * width + x1) * 3;
          for (let from = (v * width + x0) * 3; from < end; from += 3) {
            r += rgb[from]!;
            g += rgb[from + 1]!;
            b += rgb[from + 2]!;
          }
        }
        const part = 1 / (255 * (x1 - x0) * (y1 - y0));
        const at = y * this.#width + x;
        numbers[at] = r * part - 0.5;
        numbers[stride + at] = g * part - 0.5;
        numbers[2 * stride + at] = b * part - 0.5;
      }
    }
  }

  /** The reading in the middle of the pixels that fall into each; means would put points into the air. */
  #readDepth({ width, height, depth }: EyesInput, covered: Covered): void {
    this.#depth.fill(0);
    if (depth === undefined) return;
    const columns = edges(covered.width, covered.scale, width);
    const rows = edges(covered.height, covered.scale, height);
    for (let y = 0; y < covered.height; y++)
      for (let x = 0; x < covered.width; x++) {
        const u = Math.min((columns[x]! + columns[x + 1]!) >> 1, width - 1);
        const v = Math.min((rows[y]! + rows[y + 1]!) >> 1, height - 1);
        const z = depth[v * width + u]!;
        this.#depth[y * this.#width + x] = z > 0 && z < 1e4 ? z : 0;
      }
  }

  #perPixel(
    camera: EyesInput["camera"],
    up: readonly number[],
    height0: number,
    { numbers, stride }: NetOutput,
  ): void {
    const [ux, uy, uz] = up as [number, number, number];
    const known = Number.isFinite(height0);
    const height = known ? height0 : 0;
    for (let y = 0, at = 0; y < this.#height; y++) {
      const ry = (y + 0.5 - camera.cy) / camera.fy;
      for (let x = 0; x < this.#width; x++, at++) {
        const rx = (x + 0.5 - camera.cx) / camera.fx;
        const rise = ux * rx + uy * ry + uz;
        const z = this.#depth[at]!;
        if (z > 0) {
          numbers[3 * stride + at] = 0.5 / Math.max(z, NEAREST_M);
          numbers[4 * stride + at] = 1;
          if (known) numbers[5 * stride + at] = 0.5 * Math.min(Math.max(rise * z + height, -1), 3);
        }
        numbers[10 * stride + at] = rise / Math.sqrt(rx * rx + ry * ry + 1);
        if (known)
          numbers[11 * stride + at] =
            0.5 * Math.min(Math.max(-rise / Math.max(height, LOWEST_CAMERA_M), 0), 3);
      }
    }
  }

  /** Normals of points that are means over 3×3, from differences two pixels to each side, towards the camera. */
  #normals(camera: EyesInput["camera"], up: readonly number[], { numbers, stride }: NetOutput): void {
    const [w, h] = [this.#width, this.#height];
    this.#means(camera);
    const [px, py, pz, readings] = this.#sums as [Float32Array, Float32Array, Float32Array, Float32Array];
    const axes = gravityAxes(up);
    for (let y = REACH; y < h - REACH; y++)
      for (let x = REACH; x < w - REACH; x++) {
        const at = y * w + x;
        const l = at - REACH;
        const r = at + REACH;
        const t = at - REACH * w;
        const b = at + REACH * w;
        if (readings[at]! < LEAST_READINGS || readings[l]! < LEAST_READINGS || readings[r]! < LEAST_READINGS)
          continue;
        if (readings[t]! < LEAST_READINGS || readings[b]! < LEAST_READINGS) continue;
        const dx = px[r]! - px[l]!;
        const dy = py[r]! - py[l]!;
        const dz = pz[r]! - pz[l]!;
        const ex = px[b]! - px[t]!;
        const ey = py[b]! - py[t]!;
        const ez = pz[b]! - pz[t]!;
        let nx = dy * ez - dz * ey;
        let ny = dz * ex - dx * ez;
        let nz = dx * ey - dy * ex;
        const rx = (x + 0.5 - camera.cx) / camera.fx;
        const ry = (y + 0.5 - camera.cy) / camera.fy;
        const part =
          (nx * rx + ny * ry + nz > 0 ? -1 : 1) / Math.max(Math.sqrt(nx * nx + ny * ny + nz * nz), 1e-9);
        nx *= part;
        ny *= part;
        nz *= part;
        numbers[6 * stride + at] = axes[0]! * nx + axes[1]! * ny + axes[2]! * nz;
        numbers[7 * stride + at] = axes[3]! * nx + axes[4]! * ny + axes[5]! * nz;
        numbers[8 * stride + at] = axes[6]! * nx + axes[7]! * ny + axes[8]! * nz;
      }
  }

  /** Into #sums: the mean point of the readings in each 3×3, and their count. */
  #means(camera: EyesInput["camera"]): void {
    const [w, h] = [this.#width, this.#height];
    const [px, py, pz, count] = this.#rows as [Float32Array, Float32Array, Float32Array, Float32Array];
    for (let y = 0, at = 0; y < h; y++) {
      const ry = (y + 0.5 - camera.cy) / camera.fy;
      for (let x = 0; x < w; x++, at++) {
        const z = this.#depth[at]!;
        px[at] = ((x + 0.5 - camera.cx) / camera.fx) * z;
        py[at] = ry * z;
        pz[at] = z;
        count[at] = z > 0 ? 1 : 0;
      }
    }
    for (let k = 0; k < 4; k++) sumOf3x3(this.#rows[k]!, this.#sums[k]!, w, h);
    const [sx, sy, sz, readings] = this.#sums as [Float32Array, Float32Array, Float32Array, Float32Array];
    for (let at = 0; at < w * h; at++) {
      const part = 1 / Math.max(readings[at]!, 1);
      sx[at]! *= part;
      sy[at]! *= part;
      sz[at]! *= part;
    }
  }

  /** Inverse depth against its mean over 15×15 readings, by running sums. */
  #relief({ numbers, stride }: NetOutput): void {
    const [w, h] = [this.#width, this.#height];
    const [inverse, counts, rowInverse, rowCounts] = [
      ...this.#sums.slice(0, 2),
      ...this.#rows.slice(0, 2),
    ] as [Float32Array, Float32Array, Float32Array, Float32Array];
    for (let y = 0; y < h; y++) {
      let [sum, count] = [0, 0];
      for (let x = -AROUND; x < w; x++) {
        const more = x + AROUND;
        const less = x - AROUND - 1;
        if (more < w) {
          sum += 2 * numbers[3 * stride + y * w + more]!;
          count += numbers[4 * stride + y * w + more]!;
        }
        if (less >= 0) {
          sum -= 2 * numbers[3 * stride + y * w + less]!;
          count -= numbers[4 * stride + y * w + less]!;
        }
        if (x >= 0) {
          rowInverse[y * w + x] = sum;
          rowCounts[y * w + x] = count;
        }
      }
    }
    inverse.fill(0, 0, w);
    counts.fill(0, 0, w);
    // The first w numbers of the two arrays hold the running sums of the columns.
    for (let y = -AROUND; y < h; y++) {
      const [more, less] = [y + AROUND, y - AROUND - 1];
      for (let x = 0; x < w; x++) {
        if (more < h) {
          inverse[x]! += rowInverse[more * w + x]!;
          counts[x]! += rowCounts[more * w + x]!;
        }
        if (less >= 0) {
          inverse[x]! -= rowInverse[less * w + x]!;
          counts[x]! -= rowCounts[less * w + x]!;
        }
        if (y < 0) continue;
        const at = y * w + x;
        if (numbers[4 * stride + at] !== 1) continue;
        const rise = 2 * numbers[3 * stride + at]! - inverse[x]! / Math.max(counts[x]!, 1);
        numbers[9 * stride + at] = Math.min(Math.max(5 * rise, -1), 1);
      }
    }
  }
}

/** The sum of each pixel and its eight neighbours; outside of the picture all is 0. */
function sumOf3x3(from: Float32Array, to: Float32Array, w: number, h: number): void {
  for (let y = 0; y < h; y++) {
    const [above, below] = [y > 0 ? 1 : 0, y < h - 1 ? 1 : 0];
    const [top, bottom] = [above * w, below * w];
    const column = (at: number) => above * from[at - top]! + from[at]! + below * from[at + bottom]!;
    let left = 0;
    let middle = 0;
    let right = column(y * w);
    for (let x = 0; x < w; x++) {
      left = middle;
      middle = right;
      right = x < w - 1 ? column(y * w + x + 1) : 0;
      to[y * w + x] = left + middle + right;
    }
  }
}

/** Rows right, ahead, up in the camera's axes. Looking straight down, "ahead" is towards the picture's top. */
function gravityAxes(up: readonly number[]): Float64Array {
  const [ux, uy, uz] = up as [number, number, number];
  let ahead = [-uz * ux, -uz * uy, 1 - uz * uz];
  if (Math.hypot(...ahead) <= 0.1) ahead = [uy * ux, uy * uy - 1, uy * uz];
  const length = Math.max(Math.hypot(...ahead), 1e-6);
  const [ax, ay, az] = ahead.map((v) => v / length) as [number, number, number];
  return Float64Array.of(ay * uz - az * uy, az * ux - ax * uz, ax * uy - ay * ux, ax, ay, az, ux, uy, uz);
}

/** First input pixel of each, and behind the last. */
function edges(count: number, scale: number, size: number): Int32Array {
  return Int32Array.from({ length: count + 1 }, (_, i) =>
    Math.min(Math.round(i / scale), size - (i === count ? 0 : 1)),
  );
}

/** As large as fits, its shape kept. */
export function coveredBy(
  { width, height }: { width: number; height: number },
  toWidth: number,
  toHeight: number,
): Covered {
  const scale = Math.min(toWidth / width, toHeight / height);
  const side = (size: number, most: number) =>
    Math.max(2, Math.min(most, 2 * Math.round((size * scale) / 2)));
  return { width: side(width, toWidth), height: side(height, toHeight), scale };
}

/** The unit vector up, of an input that can be looked at. */
function checked({ width, height, rgb, depth, camera, up }: EyesInput): number[] {
  const wrong = (what: string) => new LociError("invalid-input", `the eyes cannot look at this: ${what}`);
  if (
    !(
      Number.isInteger(width) &&
      Number.isInteger(height) &&
      width >= 8 &&
      height >= 8 &&
      width <= MAX_SIDE &&
      height <= MAX_SIDE
    )
  )
    throw wrong(`expected a picture of 8 to ${MAX_SIDE} pixels a side, got ${width}×${height}`);
  if (rgb.length !== width * height * 3)
    throw wrong(`expected ${width * height * 3} bytes of colour, got ${rgb.length}`);
  if (depth !== undefined && depth.length !== width * height)
    throw wrong(`expected ${width * height} readings of depth, got ${depth.length}`);
  const { fx, fy, cx, cy } = camera;
  if (!(fx > 0 && fy > 0 && [fx, fy, cx, cy].every(Number.isFinite)))
    throw wrong("expected fx and fy above 0, all of the camera finite");
  const length = Math.hypot(...up);
  if (!(length > 1e-6 && Number.isFinite(length))) throw wrong("expected a direction for up");
  return up.map((v) => v / length);
}

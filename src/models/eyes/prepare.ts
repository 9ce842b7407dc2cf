import { LociError } from "../../schema/errors.ts";
import type { EyesInput } from "./eyes.ts";
import type { NetOutput } from "./wasm-net.ts";

/** Inverse depth saturates nearer than this. */
const NEAREST_M = 0.3;
/** Pixels from the centre to the neighbours whose difference gives a normal. */
const REACH = 2;
/** Least readings for a mean over 3×3. */
const LEAST_READINGS = 3;
/** Half the side of the window for relief. */
const AROUND = 7;
/** A camera lower than this lies on the floor, and the floor's distance means nothing. */
const LOWEST_CAMERA_M = 0.2;
const MAX_SIDE = 8_192;

/** The part of the network's picture that an input fills, and the scale between their pixels. */
export interface Covered {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/**
 * The twelve channels that the network was trained on (training/eyes/sensors.py, `channels`): colour, inverse depth,
 * depth mask, height above the floor, normals in gravity-aligned axes, relief, the ray's slope and the floor's
 * inverse distance along it. The unfilled part of the network's picture, at the right and below, is grey and without
 * depth.
 */
export class Preparer {
  readonly #width: number;
  readonly #height: number;
  readonly #depth: Float32Array;
  /** Sums over 3×3: x, y, z, readings; then means. */
  readonly #sums: Planes;
  readonly #rows: Planes;
  /** The slope of each column's ray. */
  readonly #slopes: Float64Array;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    const plane = () => new Float32Array(width * height);
    this.#depth = plane();
    this.#sums = [plane(), plane(), plane(), plane()];
    this.#rows = [plane(), plane(), plane(), plane()];
    this.#slopes = new Float64Array(width);
  }

  prepare(input: EyesInput, into: NetOutput): Covered {
    const up = checked(input);
    const covered = coveredBy(input, this.#width, this.#height);
    into.numbers.fill(0);
    const columns = edges(covered.width, covered.scale, input.width);
    const rows = edges(covered.height, covered.scale, input.height);
    this.#depth.fill(0);
    // A function of one row is compiled once; one over all rows would be recompiled in every picture, in the middle
    // of its work.
    for (let y = 0; y < covered.height; y++) {
      const [from, to] = [rows[y]!, y * this.#width];
      colourRow(input, from, Math.max(rows[y + 1]!, from + 1), columns, into, to);
      if (input.depth !== undefined) {
        const row = Math.min((from + rows[y + 1]!) >> 1, input.height - 1);
        depthRow(input.depth, row * input.width, input.width, columns, this.#depth, to);
      }
    }
    const { scale } = covered;
    const [fx, cx] = [input.camera.fx * scale, input.camera.cx * scale];
    const [fy, cy] = [input.camera.fy * scale, input.camera.cy * scale];
    for (let x = 0; x < this.#width; x++) this.#slopes[x] = (x + 0.5 - cx) / fx;
    const slopeOf = (y: number) => (y + 0.5 - cy) / fy;
    for (let y = 0; y < this.#height; y++)
      rayRow(this.#depth, this.#slopes, slopeOf(y), y, up, input.height0, into);
    if (input.depth !== undefined) {
      this.#normals(slopeOf, up, into);
      this.#relief(into);
    }
    return covered;
  }

  /** Normals of points that are means over 3×3, from differences two pixels to each side, towards the camera. */
  #normals(slopeOf: (y: number) => number, up: readonly number[], into: NetOutput): void {
    const [w, h] = [this.#width, this.#height];
    const [sums, rows] = [this.#sums, this.#rows];
    for (let y = 0; y < h; y++) pointRow(this.#depth, this.#slopes, slopeOf(y), y, rows);
    for (let y = 0; y < h; y++) meanRow(rows, sums, w, h, y);
    const axes = gravityAxes(up);
    for (let y = REACH; y < h - REACH; y++) normalRow(sums, this.#slopes, slopeOf(y), y, axes, into);
  }

  /** Inverse depth against its mean over 15×15 readings, by running sums. */
  #relief(into: NetOutput): void {
    const [w, h] = [this.#width, this.#height];
    const [inverse, counts] = this.#sums;
    const [rowInverse, rowCounts] = this.#rows;
    for (let y = 0; y < h; y++) reliefSums(into, w, y, rowInverse, rowCounts);
    // The first w numbers of the two arrays hold the running column sums.
    inverse.fill(0, 0, w);
    counts.fill(0, 0, w);
    for (let y = -AROUND; y < h; y++) {
      const [more, less] = [y + AROUND, y - AROUND - 1];
      if (more < h) addRow(inverse, counts, rowInverse, rowCounts, more * w, w, 1);
      if (less >= 0) addRow(inverse, counts, rowInverse, rowCounts, less * w, w, -1);
      if (y >= 0) reliefRow(inverse, counts, into, y * w, w);
    }
  }
}

type Planes = readonly [Float32Array, Float32Array, Float32Array, Float32Array];

/** The mean of the pixels that fall into each cell. */
function colourRow(
  { width, rgb }: EyesInput,
  top: number,
  bottom: number,
  columns: Int32Array,
  { numbers, stride }: NetOutput,
  to: number,
): void {
  for (let x = 0, at = to; x + 1 < columns.length; x++, at++) {
    const x0 = columns[x]!;
    const x1 = Math.max(columns[x + 1]!, x0 + 1);
    let r = 0;
    let g = 0;
    let b = 0;
    for (let v = top; v < bottom; v++) {
      const end = (v * width + x1) * 3;
      for (let from = (v * width + x0) * 3; from < end; from += 3) {
        r += rgb[from]!;
        g += rgb[from + 1]!;
        b += rgb[from + 2]!;
      }
    }
    const part = 1 / (255 * (x1 - x0) * (bottom - top));
    numbers[at] = r * part - 0.5;
    numbers[stride + at] = g * part - 0.5;
    numbers[2 * stride + at] = b * part - 0.5;
  }
}

/** The reading in the middle of the pixels of each cell; means would put points into the air. */
function depthRow(
  depth: Float32Array,
  from: number,
  width: number,
  columns: Int32Array,
  out: Float32Array,
  to: number,
): void {
  for (let x = 0; x + 1 < columns.length; x++) {
    const z = depth[from + Math.min((columns[x]! + columns[x + 1]!) >> 1, width - 1)]!;
    out[to + x] = z > 0 && z < 1e4 ? z : 0;
  }
}

/** The channels that depend only on a pixel's own ray and depth. */
function rayRow(
  depth: Float32Array,
  slopes: Float64Array,
  ry: number,
  y: number,
  up: readonly number[],
  height0: number,
  { numbers, stride }: NetOutput,
): void {
  const [ux, uy, uz] = up as [number, number, number];
  const known = Number.isFinite(height0);
  const height = known ? height0 : 0;
  const least = Math.max(height, LOWEST_CAMERA_M);
  for (let x = 0, at = y * slopes.length; x < slopes.length; x++, at++) {
    const rx = slopes[x]!;
    const rise = ux * rx + uy * ry + uz;
    const z = depth[at]!;
    if (z > 0) {
      numbers[3 * stride + at] = 0.5 / Math.max(z, NEAREST_M);
      numbers[4 * stride + at] = 1;
      if (known) numbers[5 * stride + at] = 0.5 * Math.min(Math.max(rise * z + height, -1), 3);
    }
    numbers[10 * stride + at] = rise / Math.sqrt(rx * rx + ry * ry + 1);
    if (known) numbers[11 * stride + at] = 0.5 * Math.min(Math.max(-rise / least, 0), 3);
  }
}

function pointRow(depth: Float32Array, slopes: Float64Array, ry: number, y: number, rows: Planes): void {
  const [px, py, pz, count] = rows;
  for (let x = 0, at = y * slopes.length; x < slopes.length; x++, at++) {
    const z = depth[at]!;
    px[at] = slopes[x]! * z;
    py[at] = ry * z;
    pz[at] = z;
    count[at] = z > 0 ? 1 : 0;
  }
}

/** The mean point of the readings in each 3×3, and their count; 0 outside the picture. */
function meanRow(
  [px, py, pz, count]: Planes,
  [mx, my, mz, readings]: Planes,
  w: number,
  h: number,
  y: number,
) {
  const above = y > 0 ? w : 0;
  const below = y < h - 1 ? w : 0;
  sumRow(count, readings, w, y, above, below);
  sumRow(px, mx, w, y, above, below);
  sumRow(py, my, w, y, above, below);
  sumRow(pz, mz, w, y, above, below);
  for (let at = y * w; at < (y + 1) * w; at++) {
    const part = 1 / Math.max(readings[at]!, 1);
    mx[at]! *= part;
    my[at]! *= part;
    mz[at]! *= part;
  }
}

/** The sum of each pixel of a row and its eight neighbours; 0 above or below where there is no row. */
function sumRow(
  from: Float32Array,
  to: Float32Array,
  w: number,
  y: number,
  above: number,
  below: number,
): void {
  const [upper, lower] = [above === 0 ? 0 : 1, below === 0 ? 0 : 1];
  const start = y * w;
  let left = 0;
  let middle = 0;
  let right = upper * from[start - above]! + from[start]! + lower * from[start + below]!;
  for (let x = 1, at = start; x <= w; x++, at++) {
    left = middle;
    middle = right;
    right = x < w ? upper * from[at + 1 - above]! + from[at + 1]! + lower * from[at + 1 + below]! : 0;
    to[at] = left + middle + right;
  }
}

function normalRow(
  [px, py, pz, readings]: Planes,
  slopes: Float64Array,
  ry: number,
  y: number,
  axes: Float64Array,
  { numbers, stride }: NetOutput,
): void {
  const w = slopes.length;
  for (let x = REACH, at = y * w + REACH; x < w - REACH; x++, at++) {
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
    const part =
      (nx * slopes[x]! + ny * ry + nz > 0 ? -1 : 1) / Math.max(Math.sqrt(nx * nx + ny * ny + nz * nz), 1e-9);
    nx *= part;
    ny *= part;
    nz *= part;
    numbers[6 * stride + at] = axes[0]! * nx + axes[1]! * ny + axes[2]! * nz;
    numbers[7 * stride + at] = axes[3]! * nx + axes[4]! * ny + axes[5]! * nz;
    numbers[8 * stride + at] = axes[6]! * nx + axes[7]! * ny + axes[8]! * nz;
  }
}

/** Sums of inverse depth and of readings over 15 pixels of a row. */
function reliefSums(
  { numbers, stride }: NetOutput,
  w: number,
  y: number,
  inverse: Float32Array,
  counts: Float32Array,
): void {
  const [ofInverse, ofCount, to] = [3 * stride + y * w, 4 * stride + y * w, y * w];
  let sum = 0;
  let count = 0;
  for (let x = -AROUND; x < w; x++) {
    const more = x + AROUND;
    const less = x - AROUND - 1;
    if (more < w) {
      sum += 2 * numbers[ofInverse + more]!;
      count += numbers[ofCount + more]!;
    }
    if (less >= 0) {
      sum -= 2 * numbers[ofInverse + less]!;
      count -= numbers[ofCount + less]!;
    }
    if (x < 0) continue;
    inverse[to + x] = sum;
    counts[to + x] = count;
  }
}

/** Adds a row to the sums, or takes it from them again (`sign` -1). */
function addRow(
  a: Float32Array,
  b: Float32Array,
  ofA: Float32Array,
  ofB: Float32Array,
  at: number,
  w: number,
  sign: 1 | -1,
) {
  for (let x = 0; x < w; x++) {
    a[x]! += sign * ofA[at + x]!;
    b[x]! += sign * ofB[at + x]!;
  }
}

function reliefRow(
  inverse: Float32Array,
  counts: Float32Array,
  { numbers, stride }: NetOutput,
  row: number,
  w: number,
): void {
  for (let x = 0; x < w; x++) {
    const at = row + x;
    if (numbers[4 * stride + at] !== 1) continue;
    const rise = 2 * numbers[3 * stride + at]! - inverse[x]! / Math.max(counts[x]!, 1);
    numbers[9 * stride + at] = Math.min(Math.max(5 * rise, -1), 1);
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

/** First input pixel of each cell, and the end of the last. */
function edges(count: number, scale: number, size: number): Int32Array {
  return Int32Array.from({ length: count + 1 }, (_, i) =>
    Math.min(Math.round(i / scale), size - (i === count ? 0 : 1)),
  );
}

/** As large as fits, keeping the aspect ratio. */
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

/** The unit up vector of a valid input. */
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

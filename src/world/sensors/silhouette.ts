import type { Intrinsics, Transform } from "../../geometry/index.ts";
import { toMatrix } from "../../geometry/index.ts";
import { BODY_STRIDE, BOX, type CompiledScene, CYLINDER } from "./compiled-scene.ts";

/** Nearer than this a corner has no useful projection, and the whole image is taken as its bounds. */
const NEAR_M = 0.02;
const TINY = 1e-12;

/** The result of `project`. */
export interface Bounds {
  /** Whole pixels, exclusive at the end; empty when nothing can be seen. */
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Reciprocal of the nearest depth; Infinity when the near plane cuts it. */
  nearest: number;
}

/**
 * The outlines of solids in one image, row by row. A ray meets a box when it enters through all front planes
 * before it leaves through any other; with w = 1/t both sides are linear in the pixel, so an outline is a convex
 * polygon given by at most nine half-planes, without clipping, and depth inside is the least of at most three
 * linear functions. Round solids are asked pixel by pixel from both sides, which convexity allows.
 */
export class Silhouettes {
  readonly bounds: Bounds = { left: 0, top: 0, right: 0, bottom: 0, nearest: 0 };
  /** Of the last `row`: the first pixel and the one after the last. */
  from = 0;
  to = 0;
  /** Front planes of the last `prepare`: w = a·i + b·j + c. None for round solids. */
  fronts = 0;
  readonly front = new Float64Array(9);

  readonly #scene: CompiledScene;
  #width = 0;
  #height = 0;
  /** Ray direction in the world is u·i + v·j + o, for pixel (i, j). */
  readonly #ray = new Float64Array(9);
  readonly #eye = new Float64Array(3);
  /** Camera from world, rows for x, y and z in units of pixels at depth one. */
  readonly #project = new Float64Array(9);
  #cx = 0;
  #cy = 0;
  readonly #planes = new Float64Array(24);
  /** Left and right limits as i = slope · j + offset, and half-planes without i as b · j + c ≥ 0. */
  readonly #lower = new Float64Array(24);
  readonly #upper = new Float64Array(24);
  readonly #level = new Float64Array(24);
  #lowers = 0;
  #uppers = 0;
  #levels = 0;
  #solid = 0;
  #round = false;
  /** A round solid's eye and ray in its own unit axes. */
  readonly #own = new Float64Array(12);

  constructor(scene: CompiledScene) {
    this.#scene = scene;
  }

  /** Aims the camera; everything below refers to it. */
  aim({ fx, fy, cx, cy, width, height }: Intrinsics, { p, q }: Transform): void {
    const m = toMatrix(q);
    this.#width = width;
    this.#height = height;
    this.#cx = cx;
    this.#cy = cy;
    this.#eye.set([p.x, p.y, p.z]);
    for (let row = 0; row < 3; row++) {
      const u = m[row * 3]! / fx;
      const v = m[row * 3 + 1]! / fy;
      this.#ray[row] = u;
      this.#ray[3 + row] = v;
      this.#ray[6 + row] = m[row * 3 + 2]! + u * (0.5 - cx) + v * (0.5 - cy);
      this.#project[row] = m[row * 3]! * fx;
      this.#project[3 + row] = m[row * 3 + 1]! * fy;
      this.#project[6 + row] = m[row * 3 + 2]!;
    }
  }

  /** The pixels and the nearest depth of an axis-aligned box of six numbers; false when it is out of sight. */
  projectBounds(values: Float64Array, at: number): boolean {
    const hx = (values[at + 3]! - values[at]!) / 2;
    const hy = (values[at + 4]! - values[at + 1]!) / 2;
    const hz = (values[at + 5]! - values[at + 2]!) / 2;
    return this.#projectBox(values[at]! + hx, values[at + 1]! + hy, values[at + 2]! + hz, hx, 0, 0, hy, hz);
  }

  /** The same for solid `s`, by its own turned box. */
  projectSolid(s: number): boolean {
    const { bodies } = this.#scene;
    const at = s * BODY_STRIDE;
    const cos = bodies[at + 3]!;
    const sin = bodies[at + 4]!;
    const hx = bodies[at + 5]!;
    const hy = bodies[at + 6]!;
    return this.#projectBox(
      bodies[at]!,
      bodies[at + 1]!,
      bodies[at + 2]!,
      cos * hx,
      sin * hx,
      -sin * hy,
      cos * hy,
      bodies[at + 7]!,
    );
  }

  #projectBox(
    x: number,
    y: number,
    z: number,
    ax: number,
    ay: number,
    bx: number,
    by: number,
    hz: number,
  ): boolean {
    const p = this.#project;
    const rx = x - this.#eye[0]!;
    const ry = y - this.#eye[1]!;
    const rz = z - this.#eye[2]!;
    const w = p[6]! * rx + p[7]! * ry + p[8]! * rz;
    const wa = p[6]! * ax + p[7]! * ay;
    const wb = p[6]! * bx + p[7]! * by;
    const wc = p[8]! * hz;
    const spread = Math.abs(wa) + Math.abs(wb) + Math.abs(wc);
    const bounds = this.bounds;
    if (w + spread < NEAR_M) return false;
    const u = p[0]! * rx + p[1]! * ry + p[2]! * rz;
    const ua = p[0]! * ax + p[1]! * ay;
    const ub = p[0]! * bx + p[1]! * by;
    const uc = p[2]! * hz;
    const v = p[3]! * rx + p[4]! * ry + p[5]! * rz;
    const va = p[3]! * ax + p[4]! * ay;
    const vb = p[3]! * bx + p[4]! * by;
    const vc = p[5]! * hz;
    if (w - spread < NEAR_M) {
      // The four sides of the frustum instead of a projection: pixel 0 is u + cx·w ≥ 0, and so on.
      const l = this.#cx;
      const r = this.#width - this.#cx;
      const t = this.#cy;
      const b = this.#height - this.#cy;
      if (u + l * w + Math.abs(ua + l * wa) + Math.abs(ub + l * wb) + Math.abs(uc + l * wc) < 0) return false;
      if (r * w - u + Math.abs(r * wa - ua) + Math.abs(r * wb - ub) + Math.abs(r * wc - uc) < 0) return false;
      if (v + t * w + Math.abs(va + t * wa) + Math.abs(vb + t * wb) + Math.abs(vc + t * wc) < 0) return false;
      if (b * w - v + Math.abs(b * wa - va) + Math.abs(b * wb - vb) + Math.abs(b * wc - vc) < 0) return false;
      bounds.left = 0;
      bounds.top = 0;
      bounds.right = this.#width;
      bounds.bottom = this.#height;
      bounds.nearest = Infinity;
      return true;
    }
    let left = Infinity;
    let right = -Infinity;
    let top = Infinity;
    let bottom = -Infinity;
    for (let corner = 0; corner < 8; corner++) {
      const a = corner & 1 ? 1 : -1;
      const b = corner & 2 ? 1 : -1;
      const c = corner & 4 ? 1 : -1;
      const k = 1 / (w + a * wa + b * wb + c * wc);
      const i = (u + a * ua + b * ub + c * uc) * k;
      const j = (v + a * va + b * vb + c * vc) * k;
      if (i < left) left = i;
      if (i > right) right = i;
      if (j < top) top = j;
      if (j > bottom) bottom = j;
    }
    bounds.left = Math.max(0, Math.floor(left + this.#cx - 0.5));
    bounds.right = Math.min(this.#width, Math.ceil(right + this.#cx + 0.5));
    bounds.top = Math.max(0, Math.floor(top + this.#cy - 0.5));
    bounds.bottom = Math.min(this.#height, Math.ceil(bottom + this.#cy + 0.5));
    bounds.nearest = 1 / (w - spread);
    return bounds.left < bounds.right && bounds.top < bounds.bottom;
  }

  /** Makes ready for the rows of solid `s`; false when the eye is inside it. */
  prepare(s: number): boolean {
    const { bodies, shapes } = this.#scene;
    const at = s * BODY_STRIDE;
    const cos = bodies[at + 3]!;
    const sin = bodies[at + 4]!;
    const rx = this.#eye[0]! - bodies[at]!;
    const ry = this.#eye[1]! - bodies[at + 1]!;
    const ray = this.#ray;
    const own = this.#own;
    own[0] = cos * rx + sin * ry;
    own[1] = cos * ry - sin * rx;
    own[2] = this.#eye[2]! - bodies[at + 2]!;
    for (let k = 0; k < 3; k++) {
      const x = ray[k * 3]!;
      const y = ray[k * 3 + 1]!;
      own[3 + k] = cos * x + sin * y;
      own[6 + k] = cos * y - sin * x;
      own[9 + k] = ray[k * 3 + 2]!;
    }
    this.#solid = s;
    this.#round = shapes[s] !== BOX;
    this.fronts = 0;
    if (this.#round) {
      for (let axis = 0; axis < 3; axis++) {
        const half = bodies[at + 5 + axis]!;
        own[axis]! /= half;
        for (let k = 0; k < 3; k++) own[3 + axis * 3 + k]! /= half;
      }
      return shapes[s] === CYLINDER ? this.#prepareCylinder() : this.#prepareEllipsoid();
    }
    return this.#prepareBox(at);
  }

  /** Two planes through the eye touch the endless cylinder: |cross(e, d)| ≤ tanθ · dot(e, d), sinθ = 1 / distance. */
  #prepareCylinder(): boolean {
    const o = this.#own;
    const square = o[0]! * o[0]! + o[1]! * o[1]!;
    this.#clearHalfPlanes();
    if (square > 1) {
      const tangent = 1 / Math.sqrt(square - 1);
      for (const side of [1, -1]) {
        const alongU = -o[0]! * tangent + side * o[1]!;
        const alongV = -o[1]! * tangent - side * o[0]!;
        this.#halfPlane(
          alongU * o[3]! + alongV * o[6]!,
          alongU * o[4]! + alongV * o[7]!,
          alongU * o[5]! + alongV * o[8]!,
        );
      }
    }
    return square > 1 || Math.abs(o[2]!) > 1;
  }

  #prepareEllipsoid(): boolean {
    const o = this.#own;
    this.#clearHalfPlanes();
    return o[0]! * o[0]! + o[1]! * o[1]! + o[2]! * o[2]! > 1;
  }

  #clearHalfPlanes(): void {
    this.#lowers = 0;
    this.#uppers = 0;
    this.#levels = 0;
  }

  #prepareBox(at: number): boolean {
    const { bodies } = this.#scene;
    const own = this.#own;
    const planes = this.#planes;
    let fronts = 0;
    let backs = 0;
    // Fronts fill the table from its beginning, the others from its end; four numbers a plane, the last its axis.
    for (let side = 0; side < 6; side++) {
      const axis = side >> 1;
      const sign = side & 1 ? -1 : 1;
      const room = bodies[at + 5 + axis]! - sign * own[axis]!;
      const isFront = room < 0;
      const scale = sign / (room > -TINY && room < TINY ? TINY : room);
      const slot = (isFront ? fronts++ : 5 - backs++) * 4;
      planes[slot] = own[3 + axis * 3]! * scale;
      planes[slot + 1] = own[4 + axis * 3]! * scale;
      planes[slot + 2] = own[5 + axis * 3]! * scale;
      planes[slot + 3] = axis;
    }
    if (fronts === 0) return false;
    this.fronts = fronts;
    this.#clearHalfPlanes();
    for (let f = 0; f < fronts; f++) {
      const slot = f * 4;
      const a = planes[slot]!;
      const b = planes[slot + 1]!;
      const c = planes[slot + 2]!;
      this.front[f * 3] = a;
      this.front[f * 3 + 1] = b;
      this.front[f * 3 + 2] = c;
      this.#halfPlane(a, b, c);
      for (let k = fronts; k < 6; k++) {
        const other = k * 4;
        if (planes[other + 3] === planes[slot + 3]) continue;
        this.#halfPlane(a - planes[other]!, b - planes[other + 1]!, c - planes[other + 2]!);
      }
    }
    return true;
  }

  /** Keeps a·i + b·j + c ≥ 0 in the form in which a row asks for it. */
  #halfPlane(a: number, b: number, c: number): void {
    if (a > TINY) {
      const n = this.#lowers++ * 2;
      this.#lower[n] = -b / a;
      this.#lower[n + 1] = -c / a;
    } else if (a < -TINY) {
      const n = this.#uppers++ * 2;
      this.#upper[n] = -b / a;
      this.#upper[n + 1] = -c / a;
    } else {
      const n = this.#levels++ * 2;
      this.#level[n] = b;
      this.#level[n + 1] = c;
    }
  }

  /** Finds the pixels of row `j` between two columns; false when there are none. */
  row(j: number, left: number, right: number): boolean {
    for (let n = 0; n < this.#levels; n++) {
      if (this.#level[n * 2]! * j + this.#level[n * 2 + 1]! < 0) return false;
    }
    let low = left;
    let high = right - 1;
    for (let n = 0; n < this.#lowers; n++) {
      const bound = this.#lower[n * 2]! * j + this.#lower[n * 2 + 1]!;
      if (bound > low) low = bound;
    }
    for (let n = 0; n < this.#uppers; n++) {
      const bound = this.#upper[n * 2]! * j + this.#upper[n * 2 + 1]!;
      if (bound < high) high = bound;
    }
    if (!(low <= high)) return false;
    if (this.#round) return this.#roundRow(j, Math.ceil(low), Math.floor(high) + 1);
    this.from = Math.ceil(low);
    this.to = Math.floor(high) + 1;
    return this.from < this.to;
  }

  /** An ellipsoid's outline is a conic: where it is an ellipse, the roots on this row bound the search. */
  #conic(j: number): void {
    const o = this.#own;
    const x = o[0]!;
    const y = o[1]!;
    const z = o[2]!;
    const u = o[4]! * j + o[5]!;
    const v = o[7]! * j + o[8]!;
    const w = o[10]! * j + o[11]!;
    const c = x * x + y * y + z * z - 1;
    const along = x * o[3]! + y * o[6]! + z * o[9]!;
    const start = x * u + y * v + z * w;
    const a = along * along - c * (o[3]! * o[3]! + o[6]! * o[6]! + o[9]! * o[9]!);
    if (a >= 0) return;
    const b = along * start - c * (u * o[3]! + v * o[6]! + w * o[9]!);
    const square = b * b - a * (start * start - c * (u * u + v * v + w * w));
    if (square < 0) {
      this.to = this.from;
      return;
    }
    const root = Math.sqrt(square);
    const first = Math.ceil((-b + root) / a);
    const last = Math.floor((-b - root) / a);
    if (first > this.from) this.from = first;
    if (last + 1 < this.to) this.to = last + 1;
  }

  #roundRow(j: number, left: number, right0: number): boolean {
    this.from = left;
    this.to = right0;
    if (this.#scene.shapes[this.#solid] !== CYLINDER) this.#conic(j);
    const right = this.to;
    let from = this.from;
    while (from < right && this.reciprocalDepth(from, j) <= 0) from++;
    let to = right;
    while (to > from && this.reciprocalDepth(to - 1, j) <= 0) to--;
    this.from = from;
    this.to = to;
    return from < to;
  }

  /** 1/t where the ray of a pixel enters the prepared round solid, 0 when it misses. */
  reciprocalDepth(i: number, j: number): number {
    const o = this.#own;
    const u = o[3]! * i + o[4]! * j + o[5]!;
    const v = o[6]! * i + o[7]! * j + o[8]!;
    const w = o[9]! * i + o[10]! * j + o[11]!;
    const x = o[0]!;
    const y = o[1]!;
    const z = o[2]!;
    if (this.#scene.shapes[this.#solid] !== CYLINDER) {
      const a = u * u + v * v + w * w;
      const b = x * u + y * v + z * w;
      const square = b * b - a * (x * x + y * y + z * z - 1);
      if (square < 0) return 0;
      const t = (-b - Math.sqrt(square)) / a;
      return t > 0 ? 1 / t : 0;
    }
    const a = u * u + v * v;
    const b = x * u + y * v;
    const square = b * b - a * (x * x + y * y - 1);
    if (square < 0) return 0;
    const root = Math.sqrt(square);
    let near = (-b - root) / a;
    let far = (-b + root) / a;
    const k = 1 / w;
    const reach = Math.abs(k);
    if (-z * k - reach > near) near = -z * k - reach;
    if (-z * k + reach < far) far = -z * k + reach;
    return near <= far && near > 0 ? 1 / near : 0;
  }
}

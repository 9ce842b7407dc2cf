import { type Intrinsics, type Transform, toMatrix } from "../../geometry/index.ts";
import { BODY_STRIDE, BOX, type CompiledScene, CYLINDER } from "./compiled-scene.ts";

/** Pixels on a side of a tile. */
export const TILE_PX = 8;
const PIXELS = TILE_PX * TILE_PX;
/** Numbers kept per solid and camera: six planes of a box, or the eye and rays in a round solid's own axes. */
const CACHE_STRIDE = 18;
const STACK_DEPTH = 96;
const TINY = 1e-12;
/** In pixels: a tile's frustum is this much wider than its rays, so that rounding never loses one. */
const SLACK_PX = 1e-4;

/**
 * Camera rays of a whole tile at once: one walk through the tree, front to back, with the frustum of the tile; a
 * solid that is reached is tried by all rays together. With w = 1/depth, entering and leaving a box are linear in
 * the pixel (see silhouette.ts), so a box costs no division. Finds what `RayCaster.closest` finds.
 */
export class TileCaster {
  /** Of the last `cast`, row by row: solid number or −1, and reciprocal depth. */
  readonly solids = new Int32Array(PIXELS);
  readonly nearness = new Float64Array(PIXELS);
  readonly #scene: CompiledScene;
  readonly #cache: Float64Array;
  /** Front planes of a box, 0 when the eye is inside the solid; −1 for round solids. */
  readonly #fronts: Int8Array;
  readonly #cachedAt: Int32Array;
  readonly #eye = new Float64Array(3);
  readonly #ray = new Float64Array(9);
  readonly #rows = new Float64Array(9);
  /** Four planes of the tile and the optical axis: normal, offset. */
  readonly #planes = new Float64Array(20);
  readonly #in = new Float64Array(PIXELS);
  readonly #out = new Float64Array(PIXELS);
  readonly #stack = new Int32Array(STACK_DEPTH);
  readonly #stackDepth = new Float64Array(STACK_DEPTH);
  #camera = 0;
  #cx = 0;
  #cy = 0;
  #farNearness = 0;
  /** Of the tile under way. */
  #leastNearness = 0;

  constructor(scene: CompiledScene) {
    this.#scene = scene;
    this.#cache = new Float64Array(scene.count * CACHE_STRIDE);
    this.#fronts = new Int8Array(scene.count);
    this.#cachedAt = new Int32Array(scene.count);
  }

  /** Aims the camera for the tiles that follow. */
  aim({ fx, fy, cx, cy }: Intrinsics, { p, q }: Transform, farM: number): void {
    const m = toMatrix(q);
    this.#camera++;
    this.#cx = cx;
    this.#cy = cy;
    this.#farNearness = 1 / farM;
    this.#eye.set([p.x, p.y, p.z]);
    for (let row = 0; row < 3; row++) {
      const u = m[row * 3]! / fx;
      const v = m[row * 3 + 1]! / fy;
      this.#ray[row] = u;
      this.#ray[3 + row] = v;
      this.#ray[6 + row] = m[row * 3 + 2]! + u * (0.5 - cx) + v * (0.5 - cy);
      this.#rows[row] = m[row * 3]! * fx;
      this.#rows[3 + row] = m[row * 3 + 1]! * fy;
      this.#rows[6 + row] = m[row * 3 + 2]!;
    }
    this.#plane(4, 0, 0, 1);
  }

  /** Casts the rays of the tile whose first pixel is (left, top). */
  cast(left: number, top: number): void {
    const first = 0.5 - SLACK_PX;
    const last = TILE_PX - 0.5 + SLACK_PX;
    this.#plane(0, 1, 0, this.#cx - left - first);
    this.#plane(1, -1, 0, left + last - this.#cx);
    this.#plane(2, 0, 1, this.#cy - top - first);
    this.#plane(3, 0, -1, top + last - this.#cy);
    this.solids.fill(-1);
    this.nearness.fill(this.#farNearness);
    this.#leastNearness = this.#farNearness;
    const { links } = this.#scene;
    const stack = this.#stack;
    const depths = this.#stackDepth;
    let size = 0;
    let node = 0;
    let limit = 1 / this.#farNearness;
    for (;;) {
      let near = this.#enter(node * 12, limit);
      let far = this.#enter(node * 12 + 6, limit);
      let nearLink = links[node * 2]!;
      let farLink = links[node * 2 + 1]!;
      if (far < near) {
        [near, far] = [far, near];
        [nearLink, farLink] = [farLink, nearLink];
      }
      if (far < Infinity) {
        stack[size] = farLink;
        depths[size++] = far;
      }
      let link = nearLink;
      let depth = near;
      for (;;) {
        if (depth < limit) {
          if (link >= 0) break;
          if (this.#leaf(~link, left, top)) limit = this.#farthest();
        }
        if (size === 0) return;
        link = stack[--size]!;
        depth = depths[size]!;
      }
      node = link;
    }
  }

  /** Keeps a·u + b·v + c·w as a plane of the world, u v w being camera coordinates in pixels. */
  #plane(n: number, a: number, b: number, c: number): void {
    const rows = this.#rows;
    let offset = 0;
    for (let k = 0; k < 3; k++) {
      const value = a * rows[k]! + b * rows[3 + k]! + c * rows[6 + k]!;
      this.#planes[n * 4 + k] = value;
      offset -= value * this.#eye[k]!;
    }
    this.#planes[n * 4 + 3] = offset;
  }

  /** The least depth of a child's bounds, Infinity when they are outside the tile or beyond the limit. */
  #enter(at: number, limit: number): number {
    const { nodes } = this.#scene;
    const p = this.#planes;
    const x0 = nodes[at]!;
    const y0 = nodes[at + 1]!;
    const z0 = nodes[at + 2]!;
    const x1 = nodes[at + 3]!;
    const y1 = nodes[at + 4]!;
    const z1 = nodes[at + 5]!;
    for (let n = 0; n < 16; n += 4) {
      const a = p[n]!;
      const b = p[n + 1]!;
      const c = p[n + 2]!;
      if (a * (a > 0 ? x1 : x0) + b * (b > 0 ? y1 : y0) + c * (c > 0 ? z1 : z0) + p[n + 3]! < 0)
        return Infinity;
    }
    const a = p[16]!;
    const b = p[17]!;
    const c = p[18]!;
    if (a * (a > 0 ? x1 : x0) + b * (b > 0 ? y1 : y0) + c * (c > 0 ? z1 : z0) + p[19]! <= 0) return Infinity;
    const depth = a * (a > 0 ? x0 : x1) + b * (b > 0 ? y0 : y1) + c * (c > 0 ? z0 : z1) + p[19]!;
    return depth < limit ? depth : Infinity;
  }

  #farthest(): number {
    let least = Infinity;
    for (let n = 0; n < PIXELS; n++) if (this.nearness[n]! < least) least = this.nearness[n]!;
    this.#leastNearness = least;
    return 1 / least;
  }

  #leaf(packed: number, left: number, top: number): boolean {
    const last = (packed >> 3) + (packed & 7);
    let changed = false;
    for (let s = packed >> 3; s < last; s++) {
      if (this.#cachedAt[s] !== this.#camera) this.#prepare(s);
      const fronts = this.#fronts[s]!;
      if (fronts === 0) continue;
      if (fronts < 0) this.#tryRound(s, left, top);
      else if (this.#touches(s, fronts, left, top)) this.#tryBox(s, fronts, left, top);
      else continue;
      for (let n = 0; n < PIXELS; n++) {
        const w = this.#in[n]!;
        if (w > this.nearness[n]! && w >= this.#out[n]!) {
          this.nearness[n] = w;
          this.solids[n] = s;
          changed = true;
        }
      }
    }
    return changed;
  }

  /**
   * Whether a box may be seen in the tile at all: somewhere it is entered before it is left, for every pair of
   * planes, and nearer than the farthest thing there. Linear functions are greatest in a corner.
   */
  #touches(s: number, fronts: number, left: number, top: number): boolean {
    const cache = this.#cache;
    const from = s * CACHE_STRIDE;
    for (let f = 0; f < fronts; f++) {
      const a0 = cache[from + f * 3]!;
      const b0 = cache[from + f * 3 + 1]!;
      const c0 = cache[from + f * 3 + 2]!;
      if (greatest(a0, b0, c0, left, top) <= this.#leastNearness) return false;
      for (let k = fronts; k < 6; k++) {
        const at = from + k * 3;
        if (greatest(a0 - cache[at]!, b0 - cache[at + 1]!, c0 - cache[at + 2]!, left, top) < 0) return false;
      }
    }
    return true;
  }

  /** Entering is the least of the front planes' w, leaving the greatest of the others'. */
  #tryBox(s: number, fronts: number, left: number, top: number): void {
    const cache = this.#cache;
    const entering = this.#in;
    const leaving = this.#out;
    for (let plane = 0; plane < 6; plane++) {
      const at = s * CACHE_STRIDE + plane * 3;
      const a = cache[at]!;
      const b = cache[at + 1]!;
      const c = cache[at + 2]! + a * left;
      const isFirst = plane === 0 || plane === fronts;
      const target = plane < fronts ? entering : leaving;
      for (let j = 0, n = 0; j < TILE_PX; j++) {
        const row = b * (top + j) + c;
        for (let i = 0; i < TILE_PX; i++, n++) {
          const w = a * i + row;
          if (isFirst || (plane < fronts ? w < target[n]! : w > target[n]!)) target[n] = w;
        }
      }
    }
  }

  #tryRound(s: number, left: number, top: number): void {
    const o = this.#cache;
    const at = s * CACHE_STRIDE;
    const isCylinder = this.#scene.shapes[s] === CYLINDER;
    const x = o[at]!;
    const y = o[at + 1]!;
    const z = o[at + 2]!;
    const flat = x * x + y * y - 1;
    for (let n = 0; n < PIXELS; n++) {
      const i = left + (n & (TILE_PX - 1));
      const j = top + ((n / TILE_PX) | 0);
      const u = o[at + 3]! * i + o[at + 4]! * j + o[at + 5]!;
      const v = o[at + 6]! * i + o[at + 7]! * j + o[at + 8]!;
      const w = o[at + 9]! * i + o[at + 10]! * j + o[at + 11]!;
      this.#in[n] = 0;
      this.#out[n] = 0;
      const a = u * u + v * v + (isCylinder ? 0 : w * w);
      const b = x * u + y * v + (isCylinder ? 0 : z * w);
      const square = b * b - a * (isCylinder ? flat : flat + z * z);
      if (square < 0) continue;
      const root = Math.sqrt(square);
      let near = (-b - root) / a;
      if (isCylinder) {
        const k = 1 / (w === 0 ? TINY : w);
        const reach = Math.abs(k);
        const far = Math.min((-b + root) / a, -z * k + reach);
        if (-z * k - reach > near) near = -z * k - reach;
        if (near > far) continue;
      }
      if (near > 0) this.#in[n] = 1 / near;
    }
  }

  #prepare(s: number): void {
    const { bodies, shapes } = this.#scene;
    this.#cachedAt[s] = this.#camera;
    const from = s * BODY_STRIDE;
    const at = s * CACHE_STRIDE;
    const cos = bodies[from + 3]!;
    const sin = bodies[from + 4]!;
    const rx = this.#eye[0]! - bodies[from]!;
    const ry = this.#eye[1]! - bodies[from + 1]!;
    const eye = [cos * rx + sin * ry, cos * ry - sin * rx, this.#eye[2]! - bodies[from + 2]!];
    const isBox = shapes[s] === BOX;
    let fronts = 0;
    let backs = 0;
    for (let axis = 0; axis < 3; axis++) {
      const ray = this.#ray;
      const own = [0, 1, 2].map((k) => {
        const x = ray[k * 3]!;
        const y = ray[k * 3 + 1]!;
        return axis === 0 ? cos * x + sin * y : axis === 1 ? cos * y - sin * x : ray[k * 3 + 2]!;
      });
      const half = bodies[from + 5 + axis]!;
      if (!isBox) {
        this.#cache[at + axis] = eye[axis]! / half;
        for (let k = 0; k < 3; k++) this.#cache[at + 3 + axis * 3 + k] = own[k]! / half;
        continue;
      }
      for (const sign of [1, -1]) {
        const room = half - sign * eye[axis]!;
        const scale = sign / (room > -TINY && room < TINY ? TINY : room);
        const slot = at + (room < 0 ? fronts++ : 5 - backs++) * 3;
        for (let k = 0; k < 3; k++) this.#cache[slot + k] = own[k]! * scale;
      }
    }
    this.#fronts[s] = isBox ? fronts : -1;
  }
}

/** The greatest value of a·i + b·j + c over the pixels of a tile. */
function greatest(a: number, b: number, c: number, left: number, top: number): number {
  return a * (a > 0 ? left + TILE_PX - 1 : left) + b * (b > 0 ? top + TILE_PX - 1 : top) + c;
}

import type { Intrinsics, Transform } from "../../geometry/index.ts";
import type { CompiledScene } from "./compiled-scene.ts";
import { FAR_M } from "./renderer.ts";
import { RowUnion } from "./row-union.ts";
import { Silhouettes } from "./silhouette.ts";

/** One instance in view, as docs/formulas.md#simulator's pixel-free mode reports it. */
export interface VisibleInstance {
  readonly thing: number;
  /** Pixels in which it is seen. */
  readonly pixels: number;
  /** Pixels that it would have in this image if nothing stood before it. */
  readonly area: number;
  /** pixels / area; occlusion is what is left to one. */
  readonly fraction: number;
  /** Left, top, right, bottom of the seen pixels, exclusive at the end. */
  readonly bbox: readonly [number, number, number, number];
  /** Of the nearest seen pixel, along the optical axis. */
  readonly depthM: number;
  /** Whether it touches the border of the image. */
  readonly truncated: boolean;
}

const TILE = 8;
/** Solids at least this long are drawn first: walls and floors hide most of a house. */
const OCCLUDER_M = 1.2;

/**
 * What can be seen from a pose, without rays or colours: outlines of solids are filled front to back into a
 * buffer of reciprocal depths, and whole branches of the tree behind finished 8×8 tiles are never looked at.
 * Agrees with the renderer to the pixel but for rounding on outlines. One object per thread.
 */
export class Visibility {
  readonly #scene: CompiledScene;
  readonly #outline: Silhouettes;
  readonly #occluders: Int32Array;
  readonly #isOccluder: Uint8Array;
  readonly #solidsOf = new Map<number, number[]>();
  readonly #order: Float64Array;
  #width = 0;
  #height = 0;
  #columns = 0;
  #cornerSecant = 1;
  #depth = new Float64Array(0);
  #things = new Int32Array(0);
  /** The farthest depth in each tile as a reciprocal, and whether it must be looked up again. */
  #tileFar = new Float64Array(0);
  #tileStale = new Uint8Array(0);
  readonly #stack = new Int32Array(128);
  readonly #union = new RowUnion();

  constructor(scene: CompiledScene) {
    this.#scene = scene;
    this.#outline = new Silhouettes(scene);
    const occluders: number[] = [];
    this.#isOccluder = new Uint8Array(scene.count);
    for (let s = 0; s < scene.count; s++) {
      const at = s * 6;
      let sides = 0;
      for (let k = 0; k < 3; k++)
        if (scene.bounds[at + 3 + k]! - scene.bounds[at + k]! >= OCCLUDER_M) sides++;
      if (sides >= 2 && scene.shapes[s] === 0) {
        occluders.push(s);
        this.#isOccluder[s] = 1;
      }
      const thing = scene.things[s]!;
      const list = this.#solidsOf.get(thing);
      if (list) list.push(s);
      else this.#solidsOf.set(thing, [s]);
    }
    this.#occluders = Int32Array.from(occluders);
    this.#order = new Float64Array(occluders.length);
  }

  /** All instances with at least one pixel, in order of number; 0 is left out. */
  look(intrinsics: Intrinsics, worldFromCamera: Transform): VisibleInstance[] {
    this.#clear(intrinsics);
    this.#outline.aim(intrinsics, worldFromCamera);
    this.#drawOccluders(worldFromCamera);
    this.#drawTree(worldFromCamera);
    return this.#report();
  }

  /** The picture of the last look, without its colours: depth and instances as the renderer would give them. */
  picture(): { depthMm: Uint16Array; instances: Uint16Array } {
    const depthMm = new Uint16Array(this.#depth.length);
    for (let at = 0; at < depthMm.length; at++)
      if (this.#things[at] !== 0) depthMm[at] = Math.min(65_534, Math.floor(1000 / this.#depth[at]! + 0.5));
    return { depthMm, instances: Uint16Array.from(this.#things) };
  }

  #clear({ width, height, fx, fy, cx, cy }: Intrinsics): void {
    const u = Math.max(cx, width - cx) / fx;
    const v = Math.max(cy, height - cy) / fy;
    this.#cornerSecant = Math.sqrt(1 + u * u + v * v);
    if (width !== this.#width || height !== this.#height) {
      this.#width = width;
      this.#height = height;
      this.#columns = Math.ceil(width / TILE);
      const tiles = this.#columns * Math.ceil(height / TILE);
      this.#depth = new Float64Array(width * height);
      this.#things = new Int32Array(width * height);
      this.#tileFar = new Float64Array(tiles);
      this.#tileStale = new Uint8Array(tiles);
    }
    this.#depth.fill(1 / FAR_M);
    this.#things.fill(0);
    this.#tileFar.fill(1 / FAR_M);
    this.#tileStale.fill(0);
  }

  /** By distance from the eye: what the near plane cuts has no nearest depth, and floors of other storeys are last. */
  #drawOccluders({ p }: Transform): void {
    const outline = this.#outline;
    const { bounds } = this.#scene;
    const away = this.#order;
    const order: number[] = [];
    for (let n = 0; n < this.#occluders.length; n++) {
      const at = this.#occluders[n]! * 6;
      if (!outline.projectSolid(this.#occluders[n]!)) continue;
      const x = Math.max(bounds[at]! - p.x, p.x - bounds[at + 3]!, 0);
      const y = Math.max(bounds[at + 1]! - p.y, p.y - bounds[at + 4]!, 0);
      const z = Math.max(bounds[at + 2]! - p.z, p.z - bounds[at + 5]!, 0);
      away[n] = x * x + y * y + z * z;
      order.push(n);
    }
    order.sort((a, b) => away[a]! - away[b]! || a - b);
    for (const n of order) {
      const s = this.#occluders[n]!;
      outline.projectSolid(s);
      // In the image depth is at least the distance times the cosine towards a corner.
      const nearest = this.#cornerSecant / Math.sqrt(away[n]!);
      if (nearest < outline.bounds.nearest) outline.bounds.nearest = nearest;
      if (!this.#hidden()) this.#draw(s);
    }
  }

  /** Front to back by the distance of the branches' middles along the optical axis. */
  #drawTree(worldFromCamera: Transform): void {
    const { nodes, links } = this.#scene;
    const stack = this.#stack;
    const { x, y, z, w } = worldFromCamera.q;
    const fx = 2 * (x * z + w * y);
    const fy = 2 * (y * z - w * x);
    const fz = 1 - 2 * (x * x + y * y);
    let top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const node = stack[--top]!;
      const at = node * 12;
      const ahead =
        fx * (nodes[at]! + nodes[at + 3]! - nodes[at + 6]! - nodes[at + 9]!) +
        fy * (nodes[at + 1]! + nodes[at + 4]! - nodes[at + 7]! - nodes[at + 10]!) +
        fz * (nodes[at + 2]! + nodes[at + 5]! - nodes[at + 8]! - nodes[at + 11]!);
      const first = ahead <= 0 ? 0 : 1;
      const seenFar = this.#branchSeen(at + (1 - first) * 6);
      const seenNear = this.#branchSeen(at + first * 6);
      const far = links[node * 2 + 1 - first]!;
      const near = links[node * 2 + first]!;
      if (seenNear && near < 0) this.#drawLeaf(near);
      if (seenFar && far >= 0) stack[top++] = far;
      if (seenNear && near >= 0) stack[top++] = near;
      if (seenFar && far < 0) this.#drawLeaf(far);
    }
  }

  #branchSeen(at: number): boolean {
    return this.#outline.projectBounds(this.#scene.nodes, at) && !this.#hidden();
  }

  #drawLeaf(link: number): void {
    const packed = ~link;
    const last = (packed >> 3) + (packed & 7);
    for (let s = packed >> 3; s < last; s++) {
      if (this.#isOccluder[s] === 1) continue;
      if (this.#outline.projectSolid(s) && !this.#hidden()) this.#draw(s);
    }
  }

  /** Whether everything within the outline's bounds is nearer already. */
  #hidden(): boolean {
    const { left, right, top, bottom, nearest } = this.#outline.bounds;
    const columns = this.#columns;
    const lastColumn = (right - 1) >> 3;
    const lastRow = (bottom - 1) >> 3;
    for (let row = top >> 3; row <= lastRow; row++) {
      for (let column = left >> 3; column <= lastColumn; column++) {
        const tile = row * columns + column;
        if (this.#tileFar[tile]! >= nearest) continue;
        if (this.#tileStale[tile] === 0 || this.#refresh(tile, row, column) < nearest) return false;
      }
    }
    return true;
  }

  #refresh(tile: number, row: number, column: number): number {
    const depth = this.#depth;
    const bottom = Math.min(this.#height, (row + 1) * TILE);
    const right = Math.min(this.#width, (column + 1) * TILE);
    let far = Infinity;
    for (let j = row * TILE; j < bottom; j++) {
      const base = j * this.#width;
      for (let i = column * TILE; i < right; i++) if (depth[base + i]! < far) far = depth[base + i]!;
    }
    this.#tileFar[tile] = far;
    this.#tileStale[tile] = 0;
    return far;
  }

  #draw(s: number): void {
    const outline = this.#outline;
    const { left, right, top, bottom } = outline.bounds;
    if (!outline.prepare(s)) return;
    const thing = this.#scene.things[s]!;
    for (let j = top; j < bottom; j++) {
      if (!outline.row(j, left, right)) continue;
      if (outline.fronts === 0) this.#fillRound(j, thing);
      else this.#fillFlat(j, thing);
    }
    const columns = this.#columns;
    const lastColumn = (right - 1) >> 3;
    const lastRow = (bottom - 1) >> 3;
    for (let row = top >> 3; row <= lastRow; row++) {
      this.#tileStale.fill(1, row * columns + (left >> 3), row * columns + lastColumn + 1);
    }
  }

  #fillRound(j: number, thing: number): void {
    const depth = this.#depth;
    const base = j * this.#width;
    for (let i = this.#outline.from; i < this.#outline.to; i++) {
      const w = this.#outline.reciprocalDepth(i, j);
      if (w > depth[base + i]!) {
        depth[base + i] = w;
        this.#things[base + i] = thing;
      }
    }
  }

  #fillFlat(j: number, thing: number): void {
    const { front, fronts, from, to } = this.#outline;
    const depth = this.#depth;
    const things = this.#things;
    const base = j * this.#width;
    const a0 = front[0]!;
    const c0 = front[1]! * j + front[2]!;
    if (fronts === 1) {
      for (let i = from; i < to; i++) {
        const w = a0 * i + c0;
        if (w > depth[base + i]!) {
          depth[base + i] = w;
          things[base + i] = thing;
        }
      }
      return;
    }
    const a1 = front[3]!;
    const c1 = front[4]! * j + front[5]!;
    const isCorner = fronts > 2;
    const a2 = isCorner ? front[6]! : a1;
    const c2 = isCorner ? front[7]! * j + front[8]! : c1;
    for (let i = from; i < to; i++) {
      let w = a0 * i + c0;
      const w1 = a1 * i + c1;
      if (w1 < w) w = w1;
      const w2 = a2 * i + c2;
      if (w2 < w) w = w2;
      if (w > depth[base + i]!) {
        depth[base + i] = w;
        things[base + i] = thing;
      }
    }
  }

  #report(): VisibleInstance[] {
    const width = this.#width;
    const height = this.#height;
    const seen = new Map<number, Tally>();
    const things = this.#things;
    const depth = this.#depth;
    for (let j = 0; j < height; j++) {
      const end = (j + 1) * width;
      for (let pixel = j * width; pixel < end; ) {
        const thing = things[pixel]!;
        const start = pixel;
        let nearest = 0;
        for (; pixel < end && things[pixel] === thing; pixel++) {
          if (depth[pixel]! > nearest) nearest = depth[pixel]!;
        }
        if (thing === 0) continue;
        const left = start - j * width;
        const right = pixel - 1 - j * width;
        const tally = seen.get(thing);
        if (!tally) {
          seen.set(thing, { pixels: pixel - start, left, top: j, right, bottom: j, nearest });
          continue;
        }
        tally.pixels += pixel - start;
        if (left < tally.left) tally.left = left;
        if (right > tally.right) tally.right = right;
        tally.bottom = j;
        if (nearest > tally.nearest) tally.nearest = nearest;
      }
    }
    return [...seen.keys()]
      .sort((a, b) => a - b)
      .map((thing) => {
        const { pixels, left, top, right, bottom, nearest } = seen.get(thing)!;
        const area = Math.max(pixels, this.#areaOf(thing));
        return {
          thing,
          pixels,
          area,
          fraction: pixels / area,
          bbox: [left, top, right + 1, bottom + 1],
          depthM: 1 / nearest,
          truncated: left === 0 || top === 0 || right === width - 1 || bottom === height - 1,
        };
      });
  }

  /** Pixels of the union of an instance's outlines, by intervals of each row that are merged as they come. */
  #areaOf(thing: number): number {
    const outline = this.#outline;
    const { bounds } = outline;
    const solids = this.#solidsOf.get(thing)!;
    const single = solids.length === 1;
    const union = this.#union;
    let area = 0;
    if (!single) union.clear(this.#height);
    for (const s of solids) {
      if (!outline.projectSolid(s)) continue;
      const { left, right, top, bottom } = bounds;
      if (!outline.prepare(s)) continue;
      for (let j = top; j < bottom; j++) {
        if (!outline.row(j, left, right)) continue;
        if (single) area += outline.to - outline.from;
        else area += union.add(j, outline.from, outline.to);
      }
    }
    return area;
  }
}

interface Tally {
  pixels: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
  nearest: number;
}

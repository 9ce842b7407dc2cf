import { conjugate, type Intrinsics, toMatrix } from "../../geometry/index.ts";
import { depthSdM } from "../depth-model.ts";
import type { Sight } from "./sight.ts";

/** Names that a voxel remembers; weaker ones make room. */
export const NAMES = 5;
/** Voxels at most; past it those not seen for longest are dropped. 400,000 are a large house, and 60 MB. */
const MOST = 400_000;
const FIRST = 1 << 14;
/** Seen through from no farther than this; and at least so often, or as often as seen, up to a bound. */
const CARVE_M = 4;
const LEAST_THROUGH = 3;
const MOST_THROUGH = 12;
/** Places of the grid across a voxel from which on there are more than are worth adding. */
const PLACES_PER_VOXEL = 3;
/** Voxels are as large as what a place of the grid shows at this distance, within bounds. */
const USUAL_M = 2.5;
const SIZE_M = { least: 0.025, most: 0.06 };
export const ALIVE = 0x7fffffff;

/** What the eyes say of a picture, on their own grid, and the cell of it that each place of a sight's grid lies in. */
export interface Sayings {
  readonly cells: number;
  readonly cellOf: Int32Array;
  /** Three planes: structure, furniture, small thing. */
  readonly surface: Float32Array;
  readonly boundary: Float32Array;
  /** Two planes: across and down to the middle of the thing, as shares of the distance. */
  readonly offset: Float32Array;
  /** `top` names a cell with their probabilities, likeliest first. */
  readonly top: number;
  readonly names: Uint8Array;
  readonly odds: Float32Array;
  /** Three bytes a place. */
  readonly rgb: Uint8Array;
  readonly closer?: CloserSayings | undefined;
}

/** The kinds of a closer look, on a coarser grid, and the cell of it that each cell of the other lies in. */
export interface CloserSayings {
  readonly cellOf: Int32Array;
  readonly names: Uint8Array;
  readonly odds: Float32Array;
}

/** Columns of sums over the looks at a voxel, each `weight` in all. */
interface Columns {
  cell: Int32Array;
  weight: Float32Array;
  point: Float32Array;
  normal: Float32Array;
  centre: Float32Array;
  rgb: Float32Array;
  surface: Float32Array;
  boundary: Float32Array;
  name: Uint8Array;
  nameWeight: Float32Array;
  kind: Uint8Array;
  kindWeight: Float32Array;
  /** Of the looks that told kinds. */
  closerWeight: Float32Array;
  hits: Uint16Array;
  through: Uint8Array;
  sides: Uint8Array;
  lastFrame: Int32Array;
  goneAt: Int32Array;
}

const WIDTHS: Readonly<Record<keyof Columns, number>> = {
  cell: 3,
  weight: 1,
  point: 3,
  normal: 3,
  centre: 3,
  rgb: 3,
  surface: 3,
  boundary: 1,
  name: NAMES,
  nameWeight: NAMES,
  kind: NAMES,
  kindWeight: NAMES,
  closerWeight: 1,
  hits: 1,
  through: 1,
  sides: 1,
  lastFrame: 1,
  goneAt: 1,
};

export function voxelSizeM({ fx }: Intrinsics): number {
  return Math.min(SIZE_M.most, Math.max(SIZE_M.least, (1.2 * USUAL_M) / fx));
}

/**
 * Little cubes of the surfaces that were seen, each with what all looks at it said: where it lies, which way it faces,
 * its colour, what it may be of. What later looks see through is gone. Bounded, and the same for the same looks.
 */
export class VoxelMap {
  readonly sizeM: number;
  count = 0;
  columns: Columns;
  #slots = new Int32Array(2 * FIRST);
  readonly #most: number;

  constructor(sizeM: number, most = MOST) {
    this.sizeM = sizeM;
    this.#most = most;
    this.columns = emptyColumns(FIRST);
  }

  /** Adds what one frame shows; voxels that it sees through lose credit. */
  add(sight: Sight, sayings: Sayings, frame: number): void {
    this.#carve(sight, frame);
    const { p, q } = sight.mapFromCamera;
    const [m0, m1, , m3, m4, , m6, m7] = toMatrix(q);
    const { points, normals, depthM, sound, width } = sight;
    const nearM = (this.sizeM * sight.intrinsics.fx) / PLACES_PER_VOXEL;
    const { cells, cellOf, top, rgb, surface, boundary, offset, names, odds, closer } = sayings;
    const s = this.sizeM;
    let [ix, iy, iz, voxel] = [0, 0, 0, -1];
    for (let at = 0, k = 0; at < sound.length; at++, k += 3) {
      if (sound[at] === 0) continue;
      const nx = normals[k]!;
      const ny = normals[k + 1]!;
      const nz = normals[k + 2]!;
      if (nx === 0 && ny === 0 && nz === 0) continue;
      // Near by, every fourth place still leaves several a voxel.
      if (depthM[at]! < nearM && ((at % width) & 1 || ((at / width) | 0) & 1)) continue;
      const x = points[k]!;
      const y = points[k + 1]!;
      const z = points[k + 2]!;
      // Neighbours in a row mostly lie in one voxel.
      const [atX, atY, atZ] = [Math.floor(x / s), Math.floor(y / s), Math.floor(z / s)];
      if (voxel < 0 || atX !== ix || atY !== iy || atZ !== iz) {
        voxel = this.#take(atX, atY, atZ, frame);
        [ix, iy, iz] = [atX, atY, atZ];
      }
      if (voxel < 0) continue;
      const c = this.columns;
      const depth = depthM[at]!;
      // Near looks are sharper; seen along, a surface says little of itself.
      const facing = ((p.x - x) * nx + (p.y - y) * ny + (p.z - z) * nz) / depth;
      const w = Math.max(0.1, Math.min(1, facing)) / Math.max(0.5, depth * depth);
      const cell = cellOf[at]!;
      const dx = depth * offset[cell]!;
      const dy = depth * offset[cells + cell]!;
      const v = 3 * voxel;
      c.weight[voxel]! += w;
      c.point[v]! += w * x;
      c.point[v + 1]! += w * y;
      c.point[v + 2]! += w * z;
      c.normal[v]! += w * nx;
      c.normal[v + 1]! += w * ny;
      c.normal[v + 2]! += w * nz;
      c.centre[v]! += w * (x + m0 * dx + m1 * dy);
      c.centre[v + 1]! += w * (y + m3 * dx + m4 * dy);
      c.centre[v + 2]! += w * (z + m6 * dx + m7 * dy);
      c.rgb[v]! += w * rgb[k]!;
      c.rgb[v + 1]! += w * rgb[k + 1]!;
      c.rgb[v + 2]! += w * rgb[k + 2]!;
      c.surface[v]! += w * surface[cell]!;
      c.surface[v + 1]! += w * surface[cells + cell]!;
      c.surface[v + 2]! += w * surface[2 * cells + cell]!;
      c.boundary[voxel]! += w * boundary[cell]!;
      for (let n = top * cell; n < top * (cell + 1) && odds[n]! > 0; n++)
        vote(c.name, c.nameWeight, voxel, names[n]!, w * odds[n]!);
      // Its cells are four places wide: every second of a row and of a column says the same.
      if (closer && !((at % width) & 1) && !(((at / width) | 0) & 1))
        addCloser(c, voxel, closer, cell, top, w);
      if (c.lastFrame[voxel] !== frame) {
        c.lastFrame[voxel] = frame;
        c.hits[voxel] = Math.min(65_535, c.hits[voxel]! + 1);
        c.through[voxel] = Math.max(0, c.through[voxel]! - 2);
        c.sides[voxel]! |= 1 << sideOf(p.x - x, p.y - y);
      }
    }
  }

  /** The voxel at a place, or -1. */
  at(x: number, y: number, z: number): number {
    const s = this.sizeM;
    return this.find(Math.floor(x / s), Math.floor(y / s), Math.floor(z / s));
  }

  find(ix: number, iy: number, iz: number): number {
    const { cell } = this.columns;
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(ix, iy, iz) & mask; ; slot = (slot + 1) & mask) {
      const voxel = this.#slots[slot]! - 1;
      if (voxel < 0) return -1;
      if (cell[3 * voxel] === ix && cell[3 * voxel + 1] === iy && cell[3 * voxel + 2] === iz) return voxel;
    }
  }

  /** Forgets voxels that were gone before a frame, and those not seen for longest where they are too many. */
  sweep(beforeFrame: number): void {
    const { goneAt, lastFrame } = this.columns;
    let oldest = -1;
    if (this.count >= this.#most) {
      const seen = lastFrame.slice(0, this.count).sort();
      oldest = seen[this.count >> 2]!;
    }
    const kept = new Int32Array(this.count);
    let n = 0;
    for (let voxel = 0; voxel < this.count; voxel++) {
      if (goneAt[voxel]! >= beforeFrame && lastFrame[voxel]! > oldest) kept[n++] = voxel;
    }
    if (n < this.count) this.#keep(kept.subarray(0, n));
  }

  #keep(kept: Int32Array): void {
    const from = this.columns;
    this.columns = emptyColumns(roomFor(kept.length));
    kept.forEach((voxel, n) => {
      copy(from, voxel, this.columns, n);
    });
    this.count = kept.length;
    this.#rehash(2 * roomFor(kept.length));
  }

  #take(ix: number, iy: number, iz: number, frame: number): number {
    const found = this.find(ix, iy, iz);
    if (found >= 0) {
      // Something else stands there by now.
      if (this.columns.goneAt[found]! < frame) clear(this.columns, found);
      return found;
    }
    if (this.count >= this.#most) return -1;
    if (this.count === this.columns.weight.length) this.#grow();
    const voxel = this.count++;
    this.columns.cell.set([ix, iy, iz], 3 * voxel);
    this.columns.goneAt[voxel] = ALIVE;
    this.columns.lastFrame[voxel] = -1;
    this.#link(voxel);
    return voxel;
  }

  #grow(): void {
    const from = this.columns;
    this.columns = emptyColumns(2 * from.weight.length);
    for (const key of Object.keys(WIDTHS) as (keyof Columns)[]) this.columns[key].set(from[key]);
    this.#rehash(2 * this.columns.weight.length);
  }

  #rehash(slots: number): void {
    this.#slots = new Int32Array(slots);
    for (let voxel = 0; voxel < this.count; voxel++) this.#link(voxel);
  }

  #link(voxel: number): void {
    const { cell } = this.columns;
    const mask = this.#slots.length - 1;
    let slot = hashOf(cell[3 * voxel]!, cell[3 * voxel + 1]!, cell[3 * voxel + 2]!) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = voxel + 1;
  }

  /** Voxels that lie before what a frame measured were not there, or are not any more. */
  #carve({ mapFromCamera, intrinsics, depthM }: Sight, frame: number): void {
    const { count, columns } = this;
    const { point, weight, through, hits, goneAt, lastFrame } = columns;
    const { fx, fy, cx, cy, width, height }: Intrinsics = intrinsics;
    const [a, b, c, d, e, f, g, h, k] = toMatrix(conjugate(mapFromCamera.q));
    const { p } = mapFromCamera;
    for (let voxel = 0; voxel < count; voxel++) {
      if (goneAt[voxel]! < frame) continue;
      const w = weight[voxel]!;
      const x = point[3 * voxel]! / w - p.x;
      const y = point[3 * voxel + 1]! / w - p.y;
      const z = point[3 * voxel + 2]! / w - p.z;
      const depth = g * x + h * y + k * z;
      if (!(depth > 0.3) || depth > CARVE_M) continue;
      const i = Math.floor((fx * (a * x + b * y + c * z)) / depth + cx);
      const j = Math.floor((fy * (d * x + e * y + f * z)) / depth + cy);
      if (i < 1 || j < 1 || i + 1 >= width || j + 1 >= height) continue;
      const at = j * width + i;
      const behind = depth + 1.5 * this.sizeM + 5 * depthSdM(depth);
      // All that is around it lies behind: an outline is not seen through.
      if (
        depthM[at]! <= behind ||
        depthM[at - 1]! <= behind ||
        depthM[at + 1]! <= behind ||
        depthM[at - width]! <= behind ||
        depthM[at + width]! <= behind
      )
        continue;
      if (++through[voxel]! >= Math.min(MOST_THROUGH, LEAST_THROUGH + hits[voxel]! / 2))
        goneAt[voxel] = lastFrame[voxel]! + 1;
    }
  }
}

/** A voxel's best names with their weights; a new one takes the place of the weakest where it is stronger. */
function vote(names: Uint8Array, weights: Float32Array, voxel: number, name: number, weight: number): void {
  let least = NAMES * voxel;
  for (let n = NAMES * voxel; n < NAMES * (voxel + 1); n++) {
    if (weights[n]! > 0 && names[n] === name) {
      weights[n]! += weight;
      return;
    }
    if (weights[n]! < weights[least]!) least = n;
  }
  if (weight >= weights[least]!) {
    names[least] = name;
    weights[least] = weight;
  } else weights[least]! -= weight / 2;
}

function addCloser(
  c: Columns,
  voxel: number,
  { cellOf, names, odds }: CloserSayings,
  lookCell: number,
  top: number,
  w: number,
): void {
  const cell = cellOf[lookCell]!;
  for (let n = top * cell; n < top * (cell + 1) && odds[n]! > 0; n++)
    vote(c.kind, c.kindWeight, voxel, names[n]!, w * odds[n]!);
  c.closerWeight[voxel]! += w;
}

function emptyColumns(room: number): Columns {
  const floats = (key: keyof Columns) => new Float32Array(WIDTHS[key] * room);
  return {
    cell: new Int32Array(3 * room),
    weight: floats("weight"),
    point: floats("point"),
    normal: floats("normal"),
    centre: floats("centre"),
    rgb: floats("rgb"),
    surface: floats("surface"),
    boundary: floats("boundary"),
    name: new Uint8Array(NAMES * room),
    nameWeight: floats("nameWeight"),
    kind: new Uint8Array(NAMES * room),
    kindWeight: floats("kindWeight"),
    closerWeight: floats("closerWeight"),
    hits: new Uint16Array(room),
    through: new Uint8Array(room),
    sides: new Uint8Array(room),
    lastFrame: new Int32Array(room),
    goneAt: new Int32Array(room),
  };
}

function copy(from: Columns, a: number, to: Columns, b: number): void {
  for (const key of Object.keys(WIDTHS) as (keyof Columns)[]) {
    const width = WIDTHS[key];
    for (let n = 0; n < width; n++) to[key][b * width + n] = from[key][a * width + n]!;
  }
}

function clear(columns: Columns, voxel: number): void {
  for (const key of Object.keys(WIDTHS) as (keyof Columns)[])
    if (key !== "cell") columns[key].fill(0, voxel * WIDTHS[key], (voxel + 1) * WIDTHS[key]);
  columns.goneAt[voxel] = ALIVE;
  columns.lastFrame[voxel] = -1;
}

function roomFor(count: number): number {
  return Math.max(FIRST, 2 ** Math.ceil(Math.log2(count + 1)));
}

function hashOf(x: number, y: number, z: number): number {
  return Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663) ^ Math.imul(z, 83_492_791);
}

/** Which of eight sides one looks from. */
function sideOf(dx: number, dy: number): number {
  return Math.floor(((Math.atan2(dy, dx) / Math.PI + 1) * 4 + 8) % 8);
}

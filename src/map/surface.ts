import { GRID } from "./settings.ts";

/** Side, in centimetres, of the voxels that each keep their first point. */
const VOXEL_CM = 100 * GRID.voxelM;
/** Most points of one submap: 18 MB in memory, and a whole floor at this spacing. */
const MAX_POINTS = 200_000;
const UNIT_M = 0.01;
const FAR_M = GRID.pointsToM;
const MIN_SLOTS = 4_096;

/** Coloured points of one submap, in its frame. */
export interface SurfacePoints {
  readonly count: number;
  /** x, y, z in centimetres. */
  readonly positions: Int16Array;
  /** r, g, b; grey where there was no colour. */
  readonly colours: Uint8Array;
  readonly unitM: number;
}

/**
 * The surfaces seen from one submap, thinned to one point per voxel on arrival, so that repeated observations cost no
 * memory. Positions are whole centimetres within 327 m of the submap's origin; farther points are dropped.
 */
export class SurfaceCloud {
  #count = 0;
  #positions: Int16Array;
  #colours: Uint8Array;
  /** Open addressing: index of the point plus one, by its voxel. */
  #slots: Int32Array;

  constructor(points?: SurfacePoints) {
    this.#count = points?.count ?? 0;
    const room = Math.max(MIN_SLOTS, 2 ** Math.ceil(Math.log2(Math.max(1, this.#count) * 2)));
    this.#positions = new Int16Array((room / 2) * 3);
    this.#colours = new Uint8Array((room / 2) * 3);
    this.#slots = new Int32Array(room);
    if (points) {
      this.#positions.set(points.positions.subarray(0, this.#count * 3));
      this.#colours.set(points.colours.subarray(0, this.#count * 3));
      this.#rehash(room);
    }
  }

  get count(): number {
    return this.#count;
  }

  points(): SurfacePoints {
    return {
      count: this.#count,
      positions: this.#positions.slice(0, this.#count * 3),
      colours: this.#colours.slice(0, this.#count * 3),
      unitM: UNIT_M,
    };
  }

  /** Adds a point unless its voxel has one; `distanceM` is the distance from which it was seen. */
  add(x: number, y: number, z: number, distanceM: number, r: number, g: number, b: number): void {
    if (distanceM > FAR_M || this.#count >= MAX_POINTS) return;
    const cx = Math.round(x / UNIT_M);
    const cy = Math.round(y / UNIT_M);
    const cz = Math.round(z / UNIT_M);
    if (Math.abs(cx) > 0x7fff || Math.abs(cy) > 0x7fff || Math.abs(cz) > 0x7fff) return;
    const slot = this.#find(cx, cy, cz);
    if (this.#slots[slot] !== 0) return;
    const at = this.#count * 3;
    this.#positions[at] = cx;
    this.#positions[at + 1] = cy;
    this.#positions[at + 2] = cz;
    this.#colours[at] = r;
    this.#colours[at + 1] = g;
    this.#colours[at + 2] = b;
    this.#slots[slot] = ++this.#count;
    if (this.#count * 2 >= this.#slots.length) this.#grow();
  }

  #find(cx: number, cy: number, cz: number): number {
    const vx = voxelOf(cx);
    const vy = voxelOf(cy);
    const vz = voxelOf(cz);
    const mask = this.#slots.length - 1;
    let slot = (Math.imul(vx, 73_856_093) ^ Math.imul(vy, 19_349_663) ^ Math.imul(vz, 83_492_791)) & mask;
    for (;;) {
      const held = this.#slots[slot]! - 1;
      if (held < 0) return slot;
      if (
        voxelOf(this.#positions[held * 3]!) === vx &&
        voxelOf(this.#positions[held * 3 + 1]!) === vy &&
        voxelOf(this.#positions[held * 3 + 2]!) === vz
      ) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const room = this.#slots.length * 2;
    const positions = new Int16Array((room / 2) * 3);
    positions.set(this.#positions);
    const colours = new Uint8Array((room / 2) * 3);
    colours.set(this.#colours);
    this.#positions = positions;
    this.#colours = colours;
    this.#rehash(room);
  }

  #rehash(room: number): void {
    this.#slots = new Int32Array(room);
    for (let i = 0; i < this.#count; i++) {
      const p = this.#positions;
      this.#slots[this.#find(p[i * 3]!, p[i * 3 + 1]!, p[i * 3 + 2]!)] = i + 1;
    }
  }
}

function voxelOf(centimetres: number): number {
  return Math.floor(centimetres / VOXEL_CM);
}

import { VoxelIndex } from "../geometry/index.ts";
import { GRID } from "./settings.ts";

/** Side, in centimetres, of the voxels that each keep their first point. */
const VOXEL_CM = 100 * GRID.voxelM;
/** Most points of one submap: 18 MB in memory, and a whole floor at this spacing. */
const MAX_POINTS = 200_000;
const UNIT_M = 0.01;
const FAR_M = GRID.pointsToM;
const MIN_POINTS = 2_048;

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
  /** The voxel of each point. */
  #cells: Int32Array;
  readonly #index: VoxelIndex;

  constructor(points?: SurfacePoints) {
    this.#count = points?.count ?? 0;
    const room = Math.max(MIN_POINTS, 2 ** Math.ceil(Math.log2(Math.max(1, this.#count))));
    this.#positions = new Int16Array(room * 3);
    this.#colours = new Uint8Array(room * 3);
    this.#cells = new Int32Array(room * 3);
    this.#index = new VoxelIndex(room);
    if (points) {
      this.#positions.set(points.positions.subarray(0, this.#count * 3));
      this.#colours.set(points.colours.subarray(0, this.#count * 3));
      for (let k = 0; k < this.#count * 3; k++) this.#cells[k] = voxelOf(this.#positions[k]!);
      this.#index.rebuild(this.#cells, this.#count, room);
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
    const [vx, vy, vz] = [voxelOf(cx), voxelOf(cy), voxelOf(cz)];
    if (this.#index.find(this.#cells, vx, vy, vz) >= 0) return;
    if (this.#count * 3 === this.#cells.length) this.#grow();
    const at = this.#count * 3;
    this.#positions[at] = cx;
    this.#positions[at + 1] = cy;
    this.#positions[at + 2] = cz;
    this.#colours[at] = r;
    this.#colours[at + 1] = g;
    this.#colours[at + 2] = b;
    this.#cells[at] = vx;
    this.#cells[at + 1] = vy;
    this.#cells[at + 2] = vz;
    this.#index.add(this.#cells, this.#count++);
  }

  #grow(): void {
    const room = 2 * this.#count;
    const [positions, colours, cells] = [
      new Int16Array(room * 3),
      new Uint8Array(room * 3),
      new Int32Array(room * 3),
    ];
    positions.set(this.#positions);
    colours.set(this.#colours);
    cells.set(this.#cells);
    this.#positions = positions;
    this.#colours = colours;
    this.#cells = cells;
    this.#index.rebuild(cells, this.#count, room);
  }
}

function voxelOf(centimetres: number): number {
  return Math.floor(centimetres / VOXEL_CM);
}

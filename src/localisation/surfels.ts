import { VoxelIndex } from "../geometry/index.ts";
import { LOCALISE } from "./settings.ts";

const FIRST = 1_024;

/**
 * Upright surface elements in one frame: a mean point and a horizontal direction, one per voxel. Beyond `most` the
 * older half is dropped, so that the length of a recording is unlimited.
 */
export class Surfels {
  readonly #most: number;
  #count = 0;
  #points: Float32Array;
  #normals: Float32Array;
  #looks: Uint8Array;
  /** The voxel of each surfel. */
  #cells: Int32Array;
  /** The owner of each surfel, if several share one store. */
  #owners: Int32Array;
  readonly #index = new VoxelIndex(FIRST);

  constructor(most: number) {
    this.#most = most;
    this.#points = new Float32Array(FIRST * 3);
    this.#normals = new Float32Array(FIRST * 2);
    this.#looks = new Uint8Array(FIRST);
    this.#cells = new Int32Array(FIRST * 3);
    this.#owners = new Int32Array(FIRST);
  }

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
    this.#index.rebuild(this.#cells, 0, this.#looks.length);
  }

  /** Adds an observation to the surfel of its voxel, or starts one. */
  add(x: number, y: number, z: number, nx: number, ny: number): void {
    const held = this.#at(x, y, z);
    if (held < 0) {
      this.#begin(NOBODY, x, y, z, nx, ny, 1);
      return;
    }
    const looks = this.#looks[held]!;
    if (looks >= LOCALISE.settledLooks) return;
    const share = 1 / (looks + 1);
    this.#looks[held] = looks + 1;
    this.#points[3 * held]! += (x - this.#points[3 * held]!) * share;
    this.#points[3 * held + 1]! += (y - this.#points[3 * held + 1]!) * share;
    this.#points[3 * held + 2]! += (z - this.#points[3 * held + 2]!) * share;
    this.#normals[2 * held]! += (nx - this.#normals[2 * held]!) * share;
    this.#normals[2 * held + 1]! += (ny - this.#normals[2 * held + 1]!) * share;
  }

  /** Copies the surfels of others that were observed often enough, where nothing is known yet. */
  addAll(
    others: Surfels,
    owner: number,
    cos: number,
    sin: number,
    shiftX: number,
    shiftY: number,
    shiftZ: number,
  ): void {
    for (let i = 0; i < others.#count; i++) {
      const looks = others.#looks[i]!;
      if (looks < LOCALISE.leastLooks) continue;
      const [px, py] = [others.#points[3 * i]!, others.#points[3 * i + 1]!];
      const [nx, ny] = [others.#normals[2 * i]!, others.#normals[2 * i + 1]!];
      const x = cos * px - sin * py + shiftX;
      const y = sin * px + cos * py + shiftY;
      const z = others.#points[3 * i + 2]! + shiftZ;
      if (this.#at(x, y, z) >= 0) continue;
      this.#begin(owner, x, y, z, cos * nx - sin * ny, sin * nx + cos * ny, looks);
    }
  }

  /**
   * The horizontally nearest surfel with a similar direction, among the voxels within `reach` of the point's; -1
   * without one. With reach 0 the four columns around the point are searched. An owner's own surfels are skipped.
   */
  nearest(x: number, y: number, z: number, nx: number, ny: number, reach: number, owner: number): number {
    const [gx, gy] = [x / LOCALISE.voxelM, y / LOCALISE.voxelM];
    const [vx, vy, vz] = [Math.floor(gx), Math.floor(gy), Math.floor(z / LOCALISE.voxelM)];
    const x0 = reach > 0 ? vx - reach : gx - vx < 0.5 ? vx - 1 : vx;
    const y0 = reach > 0 ? vy - reach : gy - vy < 0.5 ? vy - 1 : vy;
    const span = reach > 0 ? 2 * reach : 1;
    const farthest = (reach + 2) * LOCALISE.voxelM;
    let best = -1;
    let bestSquared = farthest * farthest;
    for (let ix = x0; ix <= x0 + span; ix++) {
      for (let iy = y0; iy <= y0 + span; iy++) {
        const held = this.#index.find(this.#cells, ix, iy, vz);
        if (held < 0 || this.#looks[held]! < 2 || this.#owners[held] === owner) continue;
        const [mx, my] = [this.#normals[2 * held]!, this.#normals[2 * held + 1]!];
        const along = mx * nx + my * ny;
        if (along <= 0 || along * along < LOCALISE.leastAlong2 * (mx * mx + my * my)) continue;
        const dx = this.#points[3 * held]! - x;
        const dy = this.#points[3 * held + 1]! - y;
        const squared = dx * dx + dy * dy;
        if (squared >= bestSquared) continue;
        best = held;
        bestSquared = squared;
      }
    }
    return best;
  }

  /** Distance of a point behind a surfel's surface, and that surface's direction. */
  offset(piece: number, x: number, y: number, out: Float64Array): void {
    const [mx, my] = [this.#normals[2 * piece]!, this.#normals[2 * piece + 1]!];
    const length = Math.sqrt(mx * mx + my * my);
    out[0] = mx / length;
    out[1] = my / length;
    out[2] = out[0] * (this.#points[3 * piece]! - x) + out[1] * (this.#points[3 * piece + 1]! - y);
  }

  /** A sample of the surfels that face a camera: what a depth image from there should show. */
  *facing(x: number, y: number, most: number): Generator<readonly [x: number, y: number, z: number]> {
    const stride = Math.max(1, Math.floor(this.#count / most));
    for (let i = 0; i < this.#count; i += stride) {
      if (this.#looks[i]! < LOCALISE.leastLooks) continue;
      const [px, py] = [this.#points[3 * i]!, this.#points[3 * i + 1]!];
      const along = (x - px) * this.#normals[2 * i]! + (y - py) * this.#normals[2 * i + 1]!;
      if (along > 0) yield [px, py, this.#points[3 * i + 2]!];
    }
  }

  /** The surfel of the voxel around a point, or -1. */
  #at(x: number, y: number, z: number): number {
    return this.#index.find(this.#cells, voxelOf(x), voxelOf(y), voxelOf(z));
  }

  #begin(owner: number, x: number, y: number, z: number, nx: number, ny: number, looks: number): void {
    const at = this.#count++;
    this.#points[3 * at] = x;
    this.#points[3 * at + 1] = y;
    this.#points[3 * at + 2] = z;
    this.#normals[2 * at] = nx;
    this.#normals[2 * at + 1] = ny;
    this.#looks[at] = looks;
    this.#cells[3 * at] = voxelOf(x);
    this.#cells[3 * at + 1] = voxelOf(y);
    this.#cells[3 * at + 2] = voxelOf(z);
    this.#owners[at] = owner;
    this.#index.add(this.#cells, at);
    if (this.#count >= this.#most) this.#forget();
    else if (this.#count === this.#looks.length) this.#resize(2 * this.#count);
  }

  /** Drops the older half. */
  #forget(): void {
    const from = this.#count >> 1;
    this.#points.copyWithin(0, 3 * from, 3 * this.#count);
    this.#normals.copyWithin(0, 2 * from, 2 * this.#count);
    this.#looks.copyWithin(0, from, this.#count);
    this.#cells.copyWithin(0, 3 * from, 3 * this.#count);
    this.#owners.copyWithin(0, from, this.#count);
    this.#count -= from;
    this.#index.rebuild(this.#cells, this.#count, this.#looks.length);
  }

  #resize(room: number): void {
    const grown = <A extends Float32Array | Uint8Array | Int32Array>(into: A, from: A): A => {
      into.set(from);
      return into;
    };
    this.#points = grown(new Float32Array(3 * room), this.#points);
    this.#normals = grown(new Float32Array(2 * room), this.#normals);
    this.#looks = grown(new Uint8Array(room), this.#looks);
    this.#cells = grown(new Int32Array(3 * room), this.#cells);
    this.#owners = grown(new Int32Array(room), this.#owners);
    this.#index.rebuild(this.#cells, this.#count, room);
  }
}

const NOBODY = 0;

function voxelOf(m: number): number {
  return Math.floor(m / LOCALISE.voxelM);
}

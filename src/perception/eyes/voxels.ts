import { conjugate, type Intrinsics, toMatrix, type Vec3, VoxelIndex } from "../../geometry/index.ts";
import { settings } from "../../schema/settings.ts";
import { depthSdM } from "../depth-model.ts";
import type { Sight } from "./sight.ts";
import {
  ALIVE,
  type Columns,
  clear,
  emptyColumns,
  grownColumns,
  keptColumns,
  NAMES,
} from "./voxel-columns.ts";

/** Value, unit, minimum, maximum, source. */
const VOXELS = settings("eyes.voxels", {
  /**
   * Most voxels; beyond it those not seen for longest are dropped. Houses of four rooms have up to 553,000; 640,000
   * take 93 MB (400,000 took 77 MB when arrays grew by powers of two).
   */
  most: [640_000, "count", 320_000, 1_280_000, "limit"],
  first: [16_384, "count", 8_190, 32_800, "limit"],
  large: [524_288, "count", 262_000, 1_050_000, "limit"],
  growth: [131_072, "count", 65_500, 262_000, "limit"],
  /**
   * Greatest distance at which a voxel can be seen through; how often this must happen; also as often as it was seen,
   * up to a bound.
   */
  carveM: [4, "m", 2, 8, "experiment"],
  carveLeastM: [0.3, "m", 0.15, 0.6, "datasheet"],
  /** What lies this much behind it is seen through it: voxels, and standard deviations of depth. */
  behindVoxels: [1.5, "voxels", 0.75, 3, "experiment"],
  behindSd: [5, "sd", 3, 8, "experiment"],
  /** Least weight at a grazing angle, and the squared distance below which nearness adds none. */
  grazing: [0.1, "share", 0.05, 0.2, "experiment"],
  nearM2: [0.5, "m²", 0.25, 1, "experiment"],
  leastThrough: [3, "count", 1, 6, "experiment"],
  mostThrough: [12, "count", 6, 24, "experiment"],
  /** Grid cells across a voxel from which on adding all of them is not worth it. */
  placesPerVoxel: [3, "cells", 1, 6, "experiment"],
  /** Voxels have the size of a grid cell at this distance, within bounds. */
  usualM: [2.5, "m", 1.25, 5, "experiment"],
  cellsPerVoxel: [1.2, "cells", 0.8, 2, "experiment"],
  sizeLeastM: [0.025, "m", 0.0125, 0.05, "experiment"],
  sizeMostM: [0.06, "m", 0.03, 0.12, "experiment"],
});

/** Read for every voxel or cell. */
const {
  carveM: CARVE_M,
  carveLeastM: CARVE_LEAST_M,
  behindVoxels: BEHIND_VOXELS,
  behindSd: BEHIND_SD,
} = VOXELS;
const { grazing: GRAZING, nearM2: NEAR_M2 } = VOXELS;

/**
 * The network's output for a picture, on its own grid, and the output cell that each cell of a sight's grid lies in.
 */
export interface Sayings {
  readonly cells: number;
  readonly cellOf: Int32Array;
  /** Three planes: structure, furniture, small thing. */
  readonly surface: Float32Array;
  readonly boundary: Float32Array;
  /** Two planes: offsets across and down to the thing's centre, as shares of the distance. */
  readonly offset: Float32Array;
  /** `top` names per cell with their probabilities, likeliest first. */
  readonly top: number;
  readonly names: Uint8Array;
  readonly odds: Float32Array;
  /** Three bytes per cell. */
  readonly rgb: Uint8Array;
  readonly closer?: CloserSayings | undefined;
}

/** The categories from close-up inference, on a coarser grid, and the coarse cell of each fine one. */
export interface CloserSayings {
  readonly cellOf: Int32Array;
  readonly names: Uint8Array;
  readonly odds: Float32Array;
}

export function voxelSizeM({ fx }: Intrinsics): number {
  return Math.min(VOXELS.sizeMostM, Math.max(VOXELS.sizeLeastM, (VOXELS.cellsPerVoxel * VOXELS.usualM) / fx));
}

/**
 * Voxels of the observed surfaces, each with the sums of all observations: position, normal, colour, names. Voxels
 * that later observations see through are removed. Bounded and deterministic.
 */
export class VoxelMap {
  readonly sizeM: number;
  count = 0;
  columns: Columns;
  readonly #index = new VoxelIndex(VOXELS.first);
  /** The voxel of each cell of the current frame. */
  #voxelOf = new Int32Array(0);
  readonly #most: number;

  constructor(sizeM: number, most = VOXELS.most) {
    this.sizeM = sizeM;
    this.#most = most;
    this.columns = emptyColumns(VOXELS.first);
  }

  /** Adds a frame's observations. */
  add(sight: Sight, sayings: Sayings, frame: number): void {
    const { width, height } = sight;
    if (this.#voxelOf.length !== width * height) this.#voxelOf = new Int32Array(width * height);
    // All voxels are found first: adding to them is then one loop without calls, over arrays that do not move.
    for (let row = 0; row < height; row++) this.#findRow(sight, row, frame);
    const looks = { sayings, camera: sight.mapFromCamera.p, turn: toMatrix(sight.mapFromCamera.q), frame };
    for (let row = 0; row < height; row++) addRow(this.columns, this.#voxelOf, sight, looks, row);
  }

  /** Finds the voxel of each cell of a row, -1 for none. */
  #findRow({ width, points, normals, depthM, sound, intrinsics }: Sight, row: number, frame: number): void {
    const voxelOf = this.#voxelOf;
    const s = this.sizeM;
    const nearM = (s * intrinsics.fx) / VOXELS.placesPerVoxel;
    let ix = 0;
    let iy = 0;
    let iz = 0;
    let voxel = -1;
    for (let at = row * width, k = 3 * at, i = 0; i < width; at++, k += 3, i++) {
      voxelOf[at] = -1;
      if (sound[at] === 0) continue;
      if (normals[k] === 0 && normals[k + 1] === 0 && normals[k + 2] === 0) continue;
      // Close up, every fourth cell still leaves several per voxel.
      if (depthM[at]! < nearM && (i & 1 || row & 1)) continue;
      const atX = Math.floor(points[k]! / s);
      const atY = Math.floor(points[k + 1]! / s);
      const atZ = Math.floor(points[k + 2]! / s);
      // Neighbours in a row mostly lie in one voxel.
      if (voxel < 0 || atX !== ix || atY !== iy || atZ !== iz) {
        voxel = this.#take(atX, atY, atZ, frame);
        ix = atX;
        iy = atY;
        iz = atZ;
      }
      voxelOf[at] = voxel;
    }
  }

  /** The voxel at a place, or -1. */
  at(x: number, y: number, z: number): number {
    const s = this.sizeM;
    return this.find(Math.floor(x / s), Math.floor(y / s), Math.floor(z / s));
  }

  find(ix: number, iy: number, iz: number): number {
    const { cell } = this.columns;
    return this.#index.find(cell, ix, iy, iz);
  }

  /** Removes voxels that were gone before a frame and, above the limit, those not seen for longest. */
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
    this.columns = keptColumns(this.columns, kept, roomFor(kept.length));
    this.count = kept.length;
    this.#index.rebuild(this.columns.cell, this.count, roomFor(this.count));
  }

  #take(ix: number, iy: number, iz: number, frame: number): number {
    const found = this.find(ix, iy, iz);
    if (found >= 0) {
      // Another thing is there by now.
      if (this.columns.goneAt[found]! < frame) clear(this.columns, found);
      return found;
    }
    if (this.count >= this.#most) return -1;
    if (this.count === this.columns.weight.length) this.#grow();
    const voxel = this.count++;
    const { cell } = this.columns;
    cell[3 * voxel] = ix;
    cell[3 * voxel + 1] = iy;
    cell[3 * voxel + 2] = iz;
    this.columns.goneAt[voxel] = ALIVE;
    this.columns.lastFrame[voxel] = -1;
    this.#index.add(cell, voxel);
    return voxel;
  }

  #grow(): void {
    this.columns = grownColumns(this.columns, roomFor(this.count));
    this.#index.rebuild(this.columns.cell, this.count, roomFor(this.count));
  }

  /** Voxels in front of a frame's measurements were not there, or are no longer: they lose credit each time. */
  carve({ mapFromCamera, intrinsics, depthM }: Sight, frame: number): void {
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
      if (!(depth > CARVE_LEAST_M) || depth > CARVE_M) continue;
      const i = Math.floor((fx * (a * x + b * y + c * z)) / depth + cx);
      const j = Math.floor((fy * (d * x + e * y + f * z)) / depth + cy);
      if (i < 1 || j < 1 || i + 1 >= width || j + 1 >= height) continue;
      const at = j * width + i;
      const behind = depth + BEHIND_VOXELS * this.sizeM + BEHIND_SD * depthSdM(depth);
      // Everything around it lies behind: an outline does not count as seen through.
      if (
        depthM[at]! <= behind ||
        depthM[at - 1]! <= behind ||
        depthM[at + 1]! <= behind ||
        depthM[at - width]! <= behind ||
        depthM[at + width]! <= behind
      )
        continue;
      if (++through[voxel]! >= Math.min(VOXELS.mostThrough, VOXELS.leastThrough + hits[voxel]! / 2))
        goneAt[voxel] = lastFrame[voxel]! + 1;
    }
  }

  /** The means of the voxels that a frame would show at given cells, ignoring occlusion. */
  *within({ mapFromCamera, intrinsics }: Sight, isAsked: (place: number) => boolean): Generator<Vec3> {
    const { point, weight, goneAt } = this.columns;
    const { fx, fy, cx, cy, width, height } = intrinsics;
    const [a, b, c, d, e, f, g, h, k] = toMatrix(conjugate(mapFromCamera.q));
    const { p } = mapFromCamera;
    for (let voxel = 0; voxel < this.count; voxel++) {
      const w = weight[voxel]!;
      const x = point[3 * voxel]! / w - p.x;
      const y = point[3 * voxel + 1]! / w - p.y;
      const z = point[3 * voxel + 2]! / w - p.z;
      const depth = g * x + h * y + k * z;
      if (!(depth > CARVE_LEAST_M)) continue;
      const i = Math.floor((fx * (a * x + b * y + c * z)) / depth + cx);
      const j = Math.floor((fy * (d * x + e * y + f * z)) / depth + cy);
      if (i < 0 || j < 0 || i >= width || j >= height || goneAt[voxel] !== ALIVE) continue;
      if (isAsked(j * width + i)) yield { x: x + p.x, y: y + p.y, z: z + p.z };
    }
  }
}

interface Looks {
  readonly sayings: Sayings;
  readonly camera: Vec3;
  readonly turn: ReturnType<typeof toMatrix>;
  readonly frame: number;
}

/** Adds a row of cells to the sums of their voxels. */
function addRow(
  c: Columns,
  voxelOf: Int32Array,
  { points, normals, depthM, width }: Sight,
  { sayings, camera: p, turn, frame }: Looks,
  row: number,
): void {
  const { cells, cellOf, top, rgb, surface, boundary, offset, names, odds, closer } = sayings;
  const { weight, point, normal, centre, lastFrame } = c;
  const [m0, m1, , m3, m4, , m6, m7] = turn;
  for (let at = row * width, i = 0; i < width; at++, i++) {
    const voxel = voxelOf[at]!;
    if (voxel < 0) continue;
    const k = 3 * at;
    const nx = normals[k]!;
    const ny = normals[k + 1]!;
    const nz = normals[k + 2]!;
    const x = points[k]!;
    const y = points[k + 1]!;
    const z = points[k + 2]!;
    const depth = depthM[at]!;
    // Near observations are sharper; at a grazing angle a surface says little.
    const facing = ((p.x - x) * nx + (p.y - y) * ny + (p.z - z) * nz) / depth;
    const w = Math.max(GRAZING, Math.min(1, facing)) / Math.max(NEAR_M2, depth * depth);
    const cell = cellOf[at]!;
    const dx = depth * offset[cell]!;
    const dy = depth * offset[cells + cell]!;
    const v = 3 * voxel;
    weight[voxel]! += w;
    point[v]! += w * x;
    point[v + 1]! += w * y;
    point[v + 2]! += w * z;
    normal[v]! += w * nx;
    normal[v + 1]! += w * ny;
    normal[v + 2]! += w * nz;
    centre[v]! += w * (x + m0 * dx + m1 * dy);
    centre[v + 1]! += w * (y + m3 * dx + m4 * dy);
    centre[v + 2]! += w * (z + m6 * dx + m7 * dy);
    c.rgb[v]! += w * rgb[k]!;
    c.rgb[v + 1]! += w * rgb[k + 1]!;
    c.rgb[v + 2]! += w * rgb[k + 2]!;
    c.surface[v]! += w * surface[cell]!;
    c.surface[v + 1]! += w * surface[cells + cell]!;
    c.surface[v + 2]! += w * surface[2 * cells + cell]!;
    c.boundary[voxel]! += w * boundary[cell]!;
    for (let n = top * cell; n < top * (cell + 1) && odds[n]! > 0; n++)
      vote(c.name, c.nameWeight, voxel, names[n]!, w * odds[n]!);
    // Its cells are four grid cells wide: every second row and column is enough.
    if (closer && !(i & 1) && !(row & 1)) addCloser(c, voxel, closer, cell, top, w);
    if (lastFrame[voxel] !== frame) {
      lastFrame[voxel] = frame;
      c.hits[voxel] = Math.min(65_535, c.hits[voxel]! + 1);
      c.through[voxel] = Math.max(0, c.through[voxel]! - 2);
      c.sides[voxel]! |= 1 << sideOf(p.x - x, p.y - y);
    }
  }
}

/** A voxel's best names with their weights; a stronger new one replaces the weakest. */
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

/** Arrays double up to a size that most rooms stay below, then grow in steps. */
function roomFor(count: number): number {
  if (count < VOXELS.large) return Math.max(VOXELS.first, 2 ** Math.ceil(Math.log2(count + 1)));
  return VOXELS.growth * Math.ceil((count + 1) / VOXELS.growth);
}

/** The viewing side, one of eight. */
function sideOf(dx: number, dy: number): number {
  return Math.floor(((Math.atan2(dy, dx) / Math.PI + 1) * 4 + 8) % 8);
}

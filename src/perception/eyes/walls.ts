import { settings } from "../../schema/settings.ts";
import { NAMES } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const WALLS = settings("eyes.walls", {
  /** A surface is upright if its normal rises by no more than this, and faces a wall's direction within this cosine. */
  upright: [0.35, "cosine", 0.175, 0.7, "experiment"],
  facing: [0.9, "cosine", 0.8, 0.95, "experiment"],
  aroundSteps: [3, "steps", 1, 6, "experiment"],
  wallM2: [0.5, "m²", 0.25, 1, "experiment"],
  mostWays: [8, "count", 4, 16, "experiment"],
  /** Walls are evaluated by patch, including adjacent patches: rooms differ from their neighbours. */
  patchM: [0.5, "m", 0.25, 1, "experiment"],
  /** Distance from a wall's plane, in voxels, within which its own surface is measured: camera noise at a few metres. */
  offVoxels: [2, "voxels", 1, 4, "experiment"],
  /** Least wall area in the plane around a voxel, and its least share of all that was seen there. */
  aroundM2: [0.1, "m²", 0.05, 0.2, "experiment"],
  share: [0.3, "share", 0.15, 0.6, "experiment"],
  /** Least wall vote of a voxel in the plane of a wall: tiles look like things. */
  wallShare: [0.06, "share", 0.03, 0.12, "experiment"],
  named: [0.55, "share", 0.275, 0.775, "experiment"],
  /** Patches and depths are offset by half their range, so that three indices fit into one number. */
  patches: [4_096, "count", 2_050, 8_190, "limit"],
  depths: [65_536, "count", 32_800, 131_000, "limit"],
});

/** Histogram step of wall directions, width of a peak, and least wall area for one. */
const STEP_RAD = Math.PI / 60;

/** The first name means unknown; any other counts from this share on. */
const OTHER = 0;

export interface Way {
  readonly x: number;
  readonly y: number;
}

/** What is known of each voxel before segmentation: whether it was seen well enough, and its wall votes. */
export interface Seen {
  readonly isSeen: (voxel: number) => boolean;
  /** Share of votes for wall, floor or ceiling. */
  readonly structure: Float32Array;
  /** The share from which on it counts as structure. */
  readonly least: number;
}

/**
 * The voxels that continue a wall: in its plane, among certain wall voxels, and without a confident name. Otherwise
 * tiles, panels and shadows on walls would be segmented as things, and would absorb what hangs there.
 */
export function wallsIn(map: VoxelMap, { isSeen, structure, least }: Seen): Uint8Array {
  const upright = uprightOf(map, voxelsThat(map, isSeen));
  const isWall = (voxel: number) => structure[voxel]! > least;
  const out = new Uint8Array(map.count);
  for (const way of waysOf(upright, isWall, map.sizeM, WALLS.wallM2)) {
    const planes = new Planes(map.sizeM);
    const facing = facingOf(upright, way);
    for (const voxel of facing) planes.add(placeIn(map, voxel, way), isWall(voxel));
    for (const voxel of facing) {
      if (isWall(voxel) || structure[voxel]! < WALLS.wallShare || isNamed(map, voxel)) continue;
      if (planes.isWallAt(placeIn(map, voxel, way))) out[voxel] = 1;
    }
  }
  return out;
}

/** Whether the network names it fairly confidently, as with windows and doors, which lie in walls. */
function isNamed(map: VoxelMap, voxel: number): boolean {
  const { name, nameWeight, weight } = map.columns;
  for (let n = NAMES * voxel; n < NAMES * (voxel + 1); n++)
    if (name[n] !== OTHER && nameWeight[n]! > WALLS.named * weight[voxel]!) return true;
  return false;
}

/** Upright surfaces: their voxels and the direction of each. */
export interface Upright {
  readonly voxels: readonly number[];
  /** Two numbers each, unit length. */
  readonly normal: readonly number[];
}

/** The voxels of upright surfaces among these. */
export function uprightOf({ columns: { normal } }: VoxelMap, among: Iterable<number>): Upright {
  const [voxels, flat]: [number[], number[]] = [[], []];
  for (const voxel of among) {
    const [x, y, z] = [normal[3 * voxel]!, normal[3 * voxel + 1]!, normal[3 * voxel + 2]!];
    const square = x * x + y * y;
    if (square === 0 || z * z > WALLS.upright ** 2 * (square + z * z)) continue;
    const level = Math.sqrt(square);
    voxels.push(voxel);
    flat.push(x / level, y / level);
  }
  return { voxels, normal: flat };
}

/** The voxels of a map that satisfy a predicate, in order. */
export function voxelsThat({ count }: VoxelMap, is: (voxel: number) => boolean): number[] {
  const out: number[] = [];
  for (let voxel = 0; voxel < count; voxel++) if (is(voxel)) out.push(voxel);
  return out;
}

/** The voxels that face one direction. */
export function facingOf({ voxels, normal }: Upright, { x, y }: Way): number[] {
  return voxels.filter((_, n) => normal[2 * n]! * x + normal[2 * n + 1]! * y >= WALLS.facing);
}

/** The directions of walls, largest area first. */
export function waysOf(
  { voxels, normal }: Upright,
  isWall: (voxel: number) => boolean,
  sizeM: number,
  leastM2: number,
): Way[] {
  const steps = Math.round((2 * Math.PI) / STEP_RAD);
  const sums = Array.from({ length: steps }, () => ({ x: 0, y: 0, count: 0 }));
  voxels.forEach((voxel, n) => {
    if (!isWall(voxel)) return;
    const [x, y] = [normal[2 * n]!, normal[2 * n + 1]!];
    const sum = sums[Math.floor(Math.atan2(y, x) / STEP_RAD + steps) % steps]!;
    sum.x += x;
    sum.y += y;
    sum.count++;
  });
  const near = sums.map((_, at) => {
    const own = Array.from(
      { length: 2 * WALLS.aroundSteps + 1 },
      (_, k) => sums[(at + k - WALLS.aroundSteps + steps) % steps]!,
    );
    return own.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y, count: a.count + b.count }));
  });
  const isPeak = (at: number) =>
    Array.from({ length: WALLS.aroundSteps }, (_, k) => k + 1).every(
      (k) =>
        near[at]!.count >= near[(at + k) % steps]!.count &&
        near[at]!.count > near[(at - k + steps) % steps]!.count,
    );
  return near
    .filter(({ count }, at) => count * sizeM * sizeM >= leastM2 && isPeak(at))
    .sort((a, b) => b.count - a.count)
    .slice(0, WALLS.mostWays)
    .map(({ x, y }) => ({ x: x / Math.hypot(x, y), y: y / Math.hypot(x, y) }));
}

interface Place {
  /** Along the wall, up it and out of it. */
  readonly along: number;
  readonly up: number;
  readonly off: number;
}

/** A voxel's position as seen by an observer facing a wall of this direction. */
export function placeIn(map: VoxelMap, voxel: number, { x, y }: Way): Place {
  const { point, weight } = map.columns;
  const w = weight[voxel]!;
  const [px, py] = [point[3 * voxel]! / w, point[3 * voxel + 1]! / w];
  return { along: x * py - y * px, up: point[3 * voxel + 2]! / w, off: x * px + y * py };
}

/** For each depth of each patch of walls in one direction, the amounts of wall and of other content. */
class Planes {
  readonly #sizeM: number;
  readonly #wall = new Map<number, number>();
  readonly #other = new Map<number, number>();
  readonly #known = new Map<number, boolean>();

  constructor(sizeM: number) {
    this.#sizeM = sizeM;
  }

  add(place: Place, isWall: boolean): void {
    const [counts, key] = [isWall ? this.#wall : this.#other, this.#keyOf(place)];
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  /** Call only after everything was added. */
  isWallAt(place: Place): boolean {
    const key = this.#keyOf(place);
    let known = this.#known.get(key);
    if (known === undefined) {
      known = this.#isWallAround(key);
      this.#known.set(key, known);
    }
    return known;
  }

  #isWallAround(key: number): boolean {
    let [wall, other] = [0, 0];
    for (let along = -1; along <= 1; along++)
      for (let up = -1; up <= 1; up++)
        for (let off = -WALLS.offVoxels; off <= WALLS.offVoxels; off++) {
          const at = key + (along * WALLS.patches + up) * WALLS.depths + off;
          wall += this.#wall.get(at) ?? 0;
          other += this.#other.get(at) ?? 0;
        }
    return wall * this.#sizeM ** 2 >= WALLS.aroundM2 && wall >= WALLS.share * (wall + other);
  }

  #keyOf({ along, up, off }: Place): number {
    const patch = (value: number) => Math.floor(value / WALLS.patchM) + WALLS.patches / 2;
    return (
      (patch(along) * WALLS.patches + patch(up)) * WALLS.depths +
      Math.floor(off / this.#sizeM) +
      WALLS.depths / 2
    );
  }
}

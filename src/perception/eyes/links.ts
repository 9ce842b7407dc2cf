import { settings } from "../../schema/settings.ts";
import { NAMES } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";
import { wallsIn } from "./walls.ts";

export const UNKNOWN = -1;
export const STRUCTURE = -2;
/** Value, unit, minimum, maximum, source. */
const LINKS = settings("eyes.links", {
  /** From this share of votes on a voxel belongs to a wall, floor or ceiling, and to no thing. */
  structureShare: [0.55, "share", 0.275, 0.775, "experiment"],
  /** Voxels whose planes are less than this share of a voxel apart are in one plane. */
  flushShare: [0.5, "share", 0.25, 1, "experiment"],
  /** Normals that differ by less are one surface with noise; from `SHARP` on a crease is certain. As 1 - cosine. */
  blunt: [0.06, "cosine", 0.03, 0.12, "experiment"],
  sharp: [0.45, "cosine", 0.225, 0.9, "experiment"],
  /** Parallel surfaces at different heights: from above noise level to a certain thing. */
  stepLeastM: [0.01, "m", 0.005, 0.02, "experiment"],
  stepM: [0.025, "m", 0.0125, 0.05, "experiment"],
  /** Weights of the evidence for an edge: creases, steps, another surface kind, outlines, another centre. */
  saysCrease: [0.9, "share", 0.8, 0.95, "experiment"],
  saysStep: [0.75, "share", 0.375, 0.875, "experiment"],
  saysSurface: [0.9, "share", 0.8, 0.95, "experiment"],
  saysBoundary: [0.45, "share", 0.225, 0.9, "experiment"],
  saysCentre: [0.45, "share", 0.225, 0.9, "experiment"],
  /** Predicted centres that differ by more than this, beyond their usual difference, belong to two things. */
  centreM: [0.25, "m", 0.125, 0.5, "experiment"],
  /** Two surfaces open towards each other from this cosine on; below this one they have no common height to differ in. */
  opens: [0.1, "cosine", 0.05, 0.2, "experiment"],
  alike: [0.7, "cosine", 0.5, 0.85, "experiment"],
  /** The edge vote that says nothing yet, and the one that is certain. */
  edgeLeast: [0.3, "share", 0.15, 0.6, "experiment"],
  edge: [0.9, "share", 0.7, 0.95, "experiment"],
});

/** Read for every pair of neighbours. */
const { blunt: BLUNT, sharp: SHARP, stepLeastM: STEP_LEAST_M, stepM: STEP_M, centreM: CENTRE_M } = LINKS;
const {
  saysCrease: SAYS_CREASE,
  saysStep: SAYS_STEP,
  saysSurface: SAYS_SURFACE,
  saysBoundary: SAYS_BOUNDARY,
  saysCentre: SAYS_CENTRE,
} = LINKS;
const { opens: OPENS, alike: ALIKE, edgeLeast: EDGE_LEAST, edge: EDGE } = LINKS;

/** Voxels of things that were observed well enough, with the means of their evidence. */
export interface Surface {
  readonly count: number;
  /** The map voxel of each. */
  readonly voxels: Int32Array;
  /** The index of each map voxel here; `UNKNOWN`, or `STRUCTURE` for a wall or a floor. */
  readonly placeOf: Int32Array;
  readonly point: Float32Array;
  readonly normal: Float32Array;
  readonly centre: Float32Array;
  readonly surface: Float32Array;
  readonly boundary: Float32Array;
  /** Number of frames that showed it, and a bit for each of eight sides it was seen from. */
  readonly looks: Uint16Array;
  readonly sides: Uint8Array;
  /** How many of six neighbours are wall or floor, and how many of those lie in its plane. */
  readonly beside: Uint8Array;
  readonly flush: Uint8Array;
}

/** Two neighbours and the evidence for an edge between them. */
export interface Links {
  readonly count: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** 0 to 255. */
  readonly cut: Uint8Array;
  /** The part from geometry alone: a concave crease or a step. */
  readonly crease: Uint8Array;
}

/** How many of these frames must have seen a voxel: one seen in a single frame of many is noise. */
export function leastHits(frames: number): number {
  return frames >= 8 ? 2 : 1;
}

/** The thing voxels seen in at least this many frames, as means. */
export function surfaceOf(map: VoxelMap, leastHits: number): Surface {
  const { weight, hits, sides, point, normal, centre, surface, boundary } = map.columns;
  const placeOf = new Int32Array(map.count).fill(UNKNOWN);
  const voxels = new Int32Array(map.count);
  const isSeen = (voxel: number) => hits[voxel]! >= leastHits && weight[voxel]! > 0;
  const structure = new Float32Array(map.count);
  for (let voxel = 0; voxel < map.count; voxel++) structure[voxel] = surface[3 * voxel]! / weight[voxel]!;
  const walls = wallsIn(map, { isSeen, structure, least: LINKS.structureShare });
  let count = 0;
  for (let voxel = 0; voxel < map.count; voxel++) {
    if (!isSeen(voxel)) continue;
    if (structure[voxel]! > LINKS.structureShare || walls[voxel] === 1) {
      placeOf[voxel] = STRUCTURE;
      continue;
    }
    placeOf[voxel] = count;
    voxels[count++] = voxel;
  }
  const three = () => new Float32Array(3 * count);
  const out = { point: three(), normal: three(), centre: three(), surface: three() };
  const edge = new Float32Array(count);
  const [looks, from] = [new Uint16Array(count), new Uint8Array(count)];
  for (let n = 0; n < count; n++) {
    const voxel = voxels[n]!;
    const w = weight[voxel]!;
    edge[n] = boundary[voxel]! / w;
    looks[n] = hits[voxel]!;
    from[n] = sides[voxel]!;
    const [x, y, z] = [normal[3 * voxel]!, normal[3 * voxel + 1]!, normal[3 * voxel + 2]!];
    const length = Math.sqrt(x * x + y * y + z * z) || 1;
    for (let k = 0; k < 3; k++) {
      out.point[3 * n + k] = point[3 * voxel + k]! / w;
      out.centre[3 * n + k] = centre[3 * voxel + k]! / w;
      out.surface[3 * n + k] = surface[3 * voxel + k]! / w;
      out.normal[3 * n + k] = normal[3 * voxel + k]! / length;
    }
  }
  const ofEach = { boundary: edge, looks, sides: from, ...out };
  const surfaces = { count, voxels: voxels.subarray(0, count), placeOf, ...ofEach };
  return { ...surfaces, ...besideStructure(map, surfaces) };
}

const SIX: readonly (readonly [number, number, number])[] = [0, 1, 2].flatMap((axis) =>
  [-1, 1].map((step) => [0, 1, 2].map((k) => (k === axis ? step : 0)) as unknown as [number, number, number]),
);

/** A piece of wall mistaken for a thing is continued by the wall: its neighbours lie in its plane. */
function besideStructure(
  map: VoxelMap,
  { count, voxels, placeOf, point, normal }: Omit<Surface, "beside" | "flush">,
): Pick<Surface, "beside" | "flush"> {
  const [beside, flush] = [new Uint8Array(count), new Uint8Array(count)];
  const { cell, weight, point: sums } = map.columns;
  for (let n = 0; n < count; n++) {
    const k = 3 * voxels[n]!;
    for (const [dx, dy, dz] of SIX) {
      const other = map.find(cell[k]! + dx, cell[k + 1]! + dy, cell[k + 2]! + dz);
      if (other < 0 || placeOf[other] !== STRUCTURE) continue;
      beside[n]!++;
      let off = 0;
      for (let axis = 0; axis < 3; axis++)
        off += normal[3 * n + axis]! * (sums[3 * other + axis]! / weight[other]! - point[3 * n + axis]!);
      if (Math.abs(off) < LINKS.flushShare * map.sizeM) flush[n]!++;
    }
  }
  return { beside, flush };
}

/** Every pair of neighbours with the evidence for an edge between them. */
export function linksOf(map: VoxelMap, seen: Surface): Links {
  const { cell } = map.columns;
  const room = 13 * seen.count;
  const [a, b] = [new Int32Array(room), new Int32Array(room)];
  const [cut, crease] = [new Uint8Array(room), new Uint8Array(room)];
  let count = 0;
  for (let n = 0; n < seen.count; n++) {
    const k = 3 * seen.voxels[n]!;
    const [ix, iy, iz] = [cell[k]!, cell[k + 1]!, cell[k + 2]!];
    for (const [dx, dy, dz] of FORWARD) {
      const voxel = map.find(ix + dx, iy + dy, iz + dz);
      const other = voxel < 0 ? -1 : seen.placeOf[voxel]!;
      if (other < 0) continue;
      const bent = creaseBetween(seen, n, other);
      a[count] = n;
      b[count] = other;
      crease[count] = Math.round(255 * bent);
      cut[count++] = Math.round(255 * (1 - (1 - bent) * (1 - saidBetween(seen, n, other, map.sizeM))));
    }
  }
  return { count, a, b, cut, crease };
}

/** Half of the 26 neighbours: each pair once. */
const FORWARD: readonly (readonly [number, number, number])[] = [-1, 0, 1].flatMap((dz) =>
  [-1, 0, 1].flatMap((dy) =>
    [-1, 0, 1].flatMap((dx) =>
      dz > 0 || (dz === 0 && (dy > 0 || (dy === 0 && dx > 0))) ? [[dx, dy, dz] as const] : [],
    ),
  ),
);

/**
 * Strength of a concave crease between two neighbours, or of a step with one above the other (Stein et al. 2014:
 * things are convex, and meet others in creases).
 */
function creaseBetween({ point, normal }: Surface, a: number, b: number): number {
  const [i, j] = [3 * a, 3 * b];
  const [dx, dy, dz] = [point[i]! - point[j]!, point[i + 1]! - point[j + 1]!, point[i + 2]! - point[j + 2]!];
  const [ax, ay, az] = [normal[i]!, normal[i + 1]!, normal[i + 2]!];
  const [bx, by, bz] = [normal[j]!, normal[j + 1]!, normal[j + 2]!];
  const alike = ax * bx + ay * by + az * bz;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz) || 1;
  const opens = ((ax - bx) * dx + (ay - by) * dy + (az - bz) * dz) / length;
  const bent = opens < -OPENS ? ramp(1 - alike, BLUNT, SHARP) : 0;
  if (alike < ALIKE) return SAYS_CREASE * bent;
  const off = Math.abs((ax + bx) * dx + (ay + by) * dy + (az + bz) * dz) / 2;
  return Math.max(SAYS_CREASE * bent, SAYS_STEP * ramp(off, STEP_LEAST_M, STEP_M));
}

/** The network's evidence that two neighbours belong to two things. */
function saidBetween(seen: Surface, a: number, b: number, sizeM: number): number {
  const { surface, boundary, centre } = seen;
  const [i, j] = [3 * a, 3 * b];
  const other =
    (Math.abs(surface[i]! - surface[j]!) +
      Math.abs(surface[i + 1]! - surface[j + 1]!) +
      Math.abs(surface[i + 2]! - surface[j + 2]!)) /
    2;
  const [dx, dy, dz] = [
    centre[i]! - centre[j]!,
    centre[i + 1]! - centre[j + 1]!,
    centre[i + 2]! - centre[j + 2]!,
  ];
  const apart = Math.sqrt(dx * dx + dy * dy + dz * dz) - sizeM;
  const edge = ramp((boundary[a]! + boundary[b]!) / 2, EDGE_LEAST, EDGE);
  return (
    1 - (1 - SAYS_SURFACE * other) * (1 - SAYS_BOUNDARY * edge) * (1 - SAYS_CENTRE * ramp(apart, 0, CENTRE_M))
  );
}

function ramp(value: number, from: number, to: number): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)));
}

/** Adds a voxel's votes for names, each observation as one vote in total. */
export function addNames(map: VoxelMap, voxel: number, into: Float32Array): void {
  const { name, nameWeight, weight } = map.columns;
  for (let n = NAMES * voxel; n < NAMES * (voxel + 1); n++)
    if (nameWeight[n]! > 0) into[name[n]!]! += nameWeight[n]! / weight[voxel]!;
}

import { toMatrix } from "../../geometry/index.ts";
import { isKindOf } from "../../ontology/index.ts";
import { type Detection, type MaskImage, NAMELESS, type RgbImage } from "../../schema/core.ts";
import { settings } from "../../schema/settings.ts";
import { overBorders } from "./borders.ts";
import { STRUCTURE } from "./links.ts";
import type { Partition } from "./regions.ts";
import type { Sight } from "./sight.ts";
import { type FrameStates, saidStates, statesOf } from "./states.ts";
import type { SeenThing } from "./things.ts";
import type { VoxelMap } from "./voxels.ts";

/** The source of names given here. */
export const NAMED_BY = "eyes";
/** Value, unit, minimum, maximum, source. */
const MASKS = settings("eyes.masks", {
  /** Fewer grid cells than this do not show a thing. */
  leastPlaces: [10, "cells", 5, 20, "experiment"],
  /** Nor do few cells that are scattered over an area of which they fill less than this share. */
  fewPlaces: [60, "cells", 30, 120, "experiment"],
  scattered: [0.15, "share", 0.075, 0.3, "experiment"],
});

/** The instance at each voxel of a segmented map: its number, 0 for none, -1 if unknown. */
export function standingAt(
  { seen, regions, regionOf }: Partition,
  things: readonly Pick<SeenThing, "regions" | "voxels">[],
): Int32Array {
  const numberOf = new Uint16Array(regions.length);
  things.forEach((thing, n) => {
    for (const region of thing.regions) numberOf[region] = n + 1;
  });
  const numberAt = new Int32Array(seen.placeOf.length).fill(-1);
  for (let voxel = 0; voxel < numberAt.length; voxel++) {
    const place = seen.placeOf[voxel]!;
    if (place >= 0) numberAt[voxel] = numberOf[regionOf[place]!]!;
    else if (place === STRUCTURE) numberAt[voxel] = 0;
  }
  things.forEach((thing, n) => {
    // Rugs and other flat things have no region.
    for (const voxel of thing.voxels ?? []) numberAt[voxel] = n + 1;
  });
  return numberAt;
}

/** The map's things in a frame: masks on the sight's grid, and one detection each. */
export function masksOf(
  sight: Sight,
  map: VoxelMap,
  numberAt: Int32Array,
  things: readonly (SeenThing & { readonly part?: number })[],
  frame: number,
  states?: FrameStates,
  rgb?: RgbImage,
): { masks: MaskImage; detections: Detection[] } {
  const grid = new Uint16Array(sight.width * sight.height);
  const turn = toMatrix(sight.mapFromCamera.q);
  for (let j = 0; j < sight.height; j++) numberRow(sight, turn, map, numberAt, frame, j, grid);
  if (rgb) overBorders(grid, sight, rgb, (number) => isFurniture(things[number - 1]!));
  const bounds = boundsOf(grid, sight.width, things.length);
  const upperZ = things.map((thing) => thing.upperZ);
  const shown = states ? statesOf(states, grid, sight, upperZ) : [];
  const detections = things.flatMap((thing, n): Detection[] => {
    const { label, maybe, text, attributes, score, part } = thing;
    const { left, top, right, bottom, count } = bounds[n + 1]!;
    if (showsNothing(count, right - left, bottom - top)) return [];
    const bbox = [left, top, right, bottom] as const;
    const name = label === undefined ? { label: NAMELESS } : { label, namedBy: NAMED_BY };
    const said = { ...(states && saidStates(states.names, shown[n], label, maybe)), ...thing.states };
    return [{ mask: n + 1, part, bbox, score, ...name, maybe, text, attributes: { ...attributes, ...said } }];
  });
  return { masks: { width: sight.width, height: sight.height, data: grid }, detections };
}

/** Whether this many cells, in a box of this size, are too few or too scattered to show a thing. */
export function showsNothing(count: number, wide: number, high: number): boolean {
  return count < MASKS.leastPlaces || (count < MASKS.fewPlaces && count < MASKS.scattered * wide * high);
}

function isFurniture({ label }: SeenThing): boolean {
  return label !== undefined && isKindOf(label, "furniture");
}

/** The bounding box of each number's cells, and their count. */
function boundsOf(grid: Uint16Array, width: number, most: number) {
  const bounds = Array.from({ length: most + 1 }, () => ({
    left: Infinity,
    top: Infinity,
    right: 0,
    bottom: 0,
    count: 0,
  }));
  for (let start = 0, row = 0; start < grid.length; start += width, row++) {
    for (let at = start; at < start + width; ) {
      const number = grid[at]!;
      const from = at;
      do at++;
      while (at < start + width && grid[at] === number);
      if (number === 0) continue;
      const box = bounds[number]!;
      box.count += at - from;
      box.left = Math.min(box.left, from - start);
      box.right = Math.max(box.right, at - start);
      box.top = Math.min(box.top, row);
      box.bottom = row + 1;
    }
  }
  return bounds;
}

/** The instances at the cells of a row, by the voxel of each or, if that is unknown, the adjacent one. */
function numberRow(
  { width, depthM, intrinsics: { fx, fy, cx, cy }, mapFromCamera: { p } }: Sight,
  turn: ReturnType<typeof toMatrix>,
  map: VoxelMap,
  numberAt: Int32Array,
  frame: number,
  row: number,
  grid: Uint16Array,
): void {
  const [a, b, c, d, e, f, g, h, k] = turn;
  const { x: px, y: py, z: pz } = p;
  const inVoxels = 1 / map.sizeM;
  const down = (row + 0.5 - cy) / fy;
  let ix = 0;
  let iy = 0;
  let iz = 0;
  let own = -2;
  for (let i = 0, at = row * width; i < width; i++, at++) {
    const depth = depthM[at]!;
    if (depth === 0) continue;
    const across = ((i + 0.5 - cx) / fx) * depth;
    const below = down * depth;
    const x = (a * across + b * below + c * depth + px) * inVoxels;
    const y = (d * across + e * below + f * depth + py) * inVoxels;
    const z = (g * across + h * below + k * depth + pz) * inVoxels;
    const atX = Math.floor(x);
    const atY = Math.floor(y);
    const atZ = Math.floor(z);
    // Neighbours in a row mostly lie in one voxel.
    if (own === -2 || atX !== ix || atY !== iy || atZ !== iz) {
      own = numberIn(map, numberAt, frame, map.find(atX, atY, atZ));
      ix = atX;
      iy = atY;
      iz = atZ;
    }
    const number = own >= 0 ? own : besides(x, y, z, map, numberAt, frame);
    if (number > 0) grid[at] = number;
  }
}

/** The instance at a voxel at the time of a frame; unknown for voxels added after the segmentation, or gone by then. */
function numberIn(map: VoxelMap, numberAt: Int32Array, frame: number, voxel: number): number {
  return voxel < 0 || voxel >= numberAt.length || map.columns.goneAt[voxel]! < frame ? -1 : numberAt[voxel]!;
}

/** The instance at the voxel adjacent to a point, given in voxels: across the nearest side. */
function besides(
  x: number,
  y: number,
  z: number,
  map: VoxelMap,
  numberAt: Int32Array,
  frame: number,
): number {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const iz = Math.floor(z);
  const dx = x - ix - 0.5;
  const dy = y - iy - 0.5;
  const dz = z - iz - 0.5;
  const ax = Math.abs(dx);
  const ay = Math.abs(dy);
  const az = Math.abs(dz);
  let voxel: number;
  if (ax >= ay && ax >= az) voxel = map.find(ix + Math.sign(dx), iy, iz);
  else if (ay >= az) voxel = map.find(ix, iy + Math.sign(dy), iz);
  else voxel = map.find(ix, iy, iz + Math.sign(dz));
  return numberIn(map, numberAt, frame, voxel);
}

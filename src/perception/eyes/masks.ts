import type { MaskImage } from "../../schema/core.ts";
import type { PosedDetection } from "../posed-frame.ts";
import { STRUCTURE } from "./links.ts";
import type { Partition } from "./regions.ts";
import type { Sight } from "./sight.ts";
import { type FrameStates, saidStates, statesOf } from "./states.ts";
import type { SeenThing } from "./things.ts";
import type { VoxelMap } from "./voxels.ts";

/** Fewer places of the grid than this show nothing of a thing. */
const LEAST_PLACES = 10;

/** What a frame shows of the things of the map: a mask of the camera's size, and a detection each. */
export function masksOf(
  sight: Sight,
  map: VoxelMap,
  { seen, regionOf }: Partition,
  things: readonly SeenThing[],
  frame: number,
  size: { readonly width: number; readonly height: number },
  states?: FrameStates,
): { masks: MaskImage; detections: PosedDetection[] } {
  const numberOf = new Map(things.flatMap(({ regions }, n) => regions.map((region) => [region, n + 1])));
  const numberAt = (voxel: number): number => {
    if (voxel < 0 || voxel >= seen.placeOf.length || map.columns.goneAt[voxel]! < frame) return -1;
    const place = seen.placeOf[voxel]!;
    if (place < 0) return place === STRUCTURE ? 0 : -1;
    return numberOf.get(regionOf[place]!) ?? 0;
  };
  const grid = new Uint16Array(sight.width * sight.height);
  const bounds = things.map(() => ({ left: Infinity, top: Infinity, right: 0, bottom: 0, count: 0 }));
  for (let j = 0, at = 0; j < sight.height; j++) {
    for (let i = 0; i < sight.width; i++, at++) {
      if (sight.depthM[at] === 0) continue;
      const number = nearest(sight, at, map, numberAt);
      if (number <= 0) continue;
      grid[at] = number;
      const box = bounds[number - 1]!;
      box.count++;
      box.left = Math.min(box.left, i);
      box.right = Math.max(box.right, i + 1);
      box.top = Math.min(box.top, j);
      box.bottom = Math.max(box.bottom, j + 1);
    }
  }
  const { stride } = sight;
  const upperZ = things.map((thing) => thing.upperZ);
  const shown = states ? statesOf(states, grid, sight, upperZ) : [];
  const detections = things.flatMap((thing, n): PosedDetection[] => {
    const { label, maybe, text, attributes, score } = thing;
    const { left, top, right, bottom, count } = bounds[n]!;
    if (count < LEAST_PLACES) return [];
    const bbox = [left * stride, top * stride, right * stride, bottom * stride] as const;
    const name = label === undefined ? { label: "thing" } : { label, namedBy: "eyes" };
    const said = { ...(states && saidStates(states.names, shown[n], label, maybe)), ...thing.states };
    return [{ mask: n + 1, bbox, score, ...name, maybe, text, attributes: { ...attributes, ...said } }];
  });
  return { masks: enlarged(grid, sight, size), detections };
}

/** The thing at a pixel's voxel, or at one beside it where that is not known. */
function nearest({ points }: Sight, at: number, map: VoxelMap, numberAt: (voxel: number) => number): number {
  const s = map.sizeM;
  const [x, y, z] = [points[3 * at]! / s, points[3 * at + 1]! / s, points[3 * at + 2]! / s];
  const [ix, iy, iz] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const own = numberAt(map.find(ix, iy, iz));
  if (own >= 0) return own;
  // The side that the point lies nearest to first.
  const [dx, dy, dz] = [x - ix - 0.5, y - iy - 0.5, z - iz - 0.5];
  const [ax, ay, az] = [Math.abs(dx), Math.abs(dy), Math.abs(dz)];
  if (ax >= ay && ax >= az) return numberAt(map.find(ix + Math.sign(dx), iy, iz));
  if (ay >= az) return numberAt(map.find(ix, iy + Math.sign(dy), iz));
  return numberAt(map.find(ix, iy, iz + Math.sign(dz)));
}

function enlarged(
  grid: Uint16Array,
  sight: Sight,
  { width, height }: { readonly width: number; readonly height: number },
): MaskImage {
  if (sight.stride === 1 && sight.width === width && sight.height === height)
    return { width, height, data: grid };
  const data = new Uint16Array(width * height);
  for (let j = 0, at = 0; j < height; j++) {
    const row = Math.min(sight.height - 1, Math.floor(j / sight.stride)) * sight.width;
    for (let i = 0; i < width; i++, at++)
      data[at] = grid[row + Math.min(sight.width - 1, Math.floor(i / sight.stride))]!;
  }
  return { width, height, data };
}

import { toMatrix } from "../../geometry/index.ts";
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

/** What a frame shows of the things of the map: masks on the grid of the sight, and a detection each. */
export function masksOf(
  sight: Sight,
  map: VoxelMap,
  { seen, regions, regionOf }: Partition,
  things: readonly (SeenThing & { readonly part?: number })[],
  frame: number,
  states?: FrameStates,
): { masks: MaskImage; detections: PosedDetection[] } {
  const numberOf = new Uint16Array(regions.length);
  const flat = new Map<number, number>();
  things.forEach((thing, n) => {
    for (const region of thing.regions) numberOf[region] = n + 1;
    for (const voxel of thing.voxels ?? []) flat.set(voxel, n + 1);
  });
  const numberAt = (voxel: number): number => {
    if (voxel < 0 || voxel >= seen.placeOf.length || map.columns.goneAt[voxel]! < frame) return -1;
    const onFloor = flat.get(voxel);
    if (onFloor !== undefined) return onFloor;
    const place = seen.placeOf[voxel]!;
    if (place < 0) return place === STRUCTURE ? 0 : -1;
    return numberOf[regionOf[place]!]!;
  };
  const { fx, fy, cx, cy } = sight.intrinsics;
  const { p, q } = sight.mapFromCamera;
  const [a, b, c, d, e, f, g, h, k] = toMatrix(q);
  const inVoxels = 1 / map.sizeM;
  const grid = new Uint16Array(sight.width * sight.height);
  const bounds = things.map(() => ({ left: Infinity, top: Infinity, right: 0, bottom: 0, count: 0 }));
  for (let j = 0, at = 0; j < sight.height; j++) {
    const down = (j + 0.5 - cy) / fy;
    for (let i = 0; i < sight.width; i++, at++) {
      const depth = sight.depthM[at]!;
      if (depth === 0) continue;
      const [x, y] = [((i + 0.5 - cx) / fx) * depth, down * depth];
      const number = nearest(
        (a * x + b * y + c * depth + p.x) * inVoxels,
        (d * x + e * y + f * depth + p.y) * inVoxels,
        (g * x + h * y + k * depth + p.z) * inVoxels,
        map,
        numberAt,
      );
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
  const upperZ = things.map((thing) => thing.upperZ);
  const shown = states ? statesOf(states, grid, sight, upperZ) : [];
  const detections = things.flatMap((thing, n): PosedDetection[] => {
    const { label, maybe, text, attributes, score, part } = thing;
    const { left, top, right, bottom, count } = bounds[n]!;
    if (count < LEAST_PLACES) return [];
    const bbox = [left, top, right, bottom] as const;
    const name = label === undefined ? { label: "thing" } : { label, namedBy: "eyes" };
    const said = { ...(states && saidStates(states.names, shown[n], label, maybe)), ...thing.states };
    return [{ mask: n + 1, part, bbox, score, ...name, maybe, text, attributes: { ...attributes, ...said } }];
  });
  return { masks: { width: sight.width, height: sight.height, data: grid }, detections };
}

/** The thing at a place, in voxels, or at the voxel beside it where that is not known. */
function nearest(
  x: number,
  y: number,
  z: number,
  map: VoxelMap,
  numberAt: (voxel: number) => number,
): number {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const iz = Math.floor(z);
  const own = numberAt(map.find(ix, iy, iz));
  if (own >= 0) return own;
  // The side that the point lies nearest to first.
  const [dx, dy, dz] = [x - ix - 0.5, y - iy - 0.5, z - iz - 0.5];
  const [ax, ay, az] = [Math.abs(dx), Math.abs(dy), Math.abs(dz)];
  if (ax >= ay && ax >= az) return numberAt(map.find(ix + Math.sign(dx), iy, iz));
  if (ay >= az) return numberAt(map.find(ix, iy + Math.sign(dy), iz));
  return numberAt(map.find(ix, iy, iz + Math.sign(dz)));
}

import type { Box, Vec3 } from "../../geometry/index.ts";
import { type Frontier, ROOM_M2 } from "./frontiers.ts";
import type { Field, Terrain } from "./terrain.ts";

/** A leaf starts at most this far above its floor; noise cuts off less than that. */
const ABOVE_FLOOR_M = 1;
/** Widths of single and double leaves. */
const WIDTH_M = { least: 0.5, most: 2.5 } as const;
/** The wall continues beyond both ends of a closed leaf; beyond the free end of an open one is floor. */
const JAMB_M = { least: 0.1, most: 0.4 } as const;
/** The zone behind a leaf that shows whether anything is known there; nearer is its frame. */
const BEHIND_M = { least: 0.3, most: 1.3 } as const;
/** Share of unknown floor behind a door that was never opened; in front of it the floor is known. */
const UNKNOWN = 0.7;
const KNOWN = 0.5;
/** Where to stand in front of it. */
const BEFORE_M = 0.7;
const SNAP_M = 1;

/**
 * A closed door with unknown floor behind it, as an unreachable frontier worth a room. If it was closed long ago, it
 * is worth checking again. Undefined if the leaf does not close a gap in a wall, or if both sides were observed.
 */
export function doorFrontier(
  terrain: Terrain,
  field: Field,
  { id, box, isStale }: { readonly id: string; readonly box: Box; readonly isStale: boolean },
): Frontier | undefined {
  const { min, max } = box;
  const middle: Vec3 = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: terrain.raster.floorZ };
  const lengthM = Math.hypot(max.x - min.x, max.y - min.y);
  if (Math.abs(min.z - middle.z) > ABOVE_FLOOR_M) return undefined;
  if (lengthM < WIDTH_M.least || lengthM > WIDTH_M.most) return undefined;
  // A thin leaf is one of the two diagonals of its box.
  const slope = Math.atan2(max.y - min.y, max.x - min.x);
  for (const along of [slope, -slope])
    for (const across of [along + Math.PI / 2, along - Math.PI / 2]) {
      const leaf: Leaf = { middle, lengthM, along, across };
      if (!isInWall(terrain, leaf) || unknownShare(terrain, leaf, 1) < UNKNOWN) continue;
      if (unknownShare(terrain, leaf, -1) > 1 - KNOWN) continue;
      const before = placeAt(leaf, 0, -BEFORE_M);
      const cell = terrain.nearestOpen(before, SNAP_M);
      return {
        id,
        middle,
        lengthM,
        gainM2: ROOM_M2,
        shownM2: isStale ? ROOM_M2 : 0,
        stand: { positionInWorld: cell < 0 ? before : terrain.middleOf(cell), yawRad: across },
        costM: isStale ? field.metresTo(cell) : Infinity,
        isOpening: true,
        isClosedDoor: true,
      };
    }
  return undefined;
}

/** A leaf from above: its line, and its normal. */
interface Leaf {
  readonly middle: Vec3;
  readonly lengthM: number;
  readonly along: number;
  readonly across: number;
}

function placeAt({ middle, along, across }: Leaf, alongM: number, acrossM: number): Vec3 {
  return {
    x: middle.x + Math.cos(along) * alongM + Math.cos(across) * acrossM,
    y: middle.y + Math.sin(along) * alongM + Math.sin(across) * acrossM,
    z: middle.z,
  };
}

/** Whether a wall continues the leaf's line at both ends: something solid, and hardly any floor. */
function isInWall(terrain: Terrain, leaf: Leaf): boolean {
  const { cellM } = terrain.raster;
  return [1, -1].every((end) => {
    let [solid, floor, all] = [0, 0, 0];
    for (let m = JAMB_M.least; m <= JAMB_M.most; m += cellM) {
      const cells = [-cellM, 0, cellM].map((acrossM) =>
        terrain.cellAt(placeAt(leaf, end * (leaf.lengthM / 2 + m), acrossM)),
      );
      all++;
      if (cells.some((cell) => cell >= 0 && terrain.isOccupied(cell))) solid++;
      else if (cells.some((cell) => cell >= 0 && !terrain.isUnknown(cell))) floor++;
    }
    return solid > 0 && floor < all / 2;
  });
}

/** Share of the floor to one side of a leaf, over its width, that is unobserved. */
function unknownShare(terrain: Terrain, leaf: Leaf, side: 1 | -1): number {
  const { cellM } = terrain.raster;
  let [unknown, all] = [0, 0];
  for (let m = BEHIND_M.least; m <= BEHIND_M.most; m += cellM)
    for (let n = -leaf.lengthM / 2; n <= leaf.lengthM / 2; n += cellM) {
      const cell = terrain.cellAt(placeAt(leaf, n, side * m));
      all++;
      if (cell < 0 || terrain.isUnknown(cell)) unknown++;
    }
  return unknown / all;
}

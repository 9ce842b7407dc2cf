import type { Belief } from "../../../belief/belief.ts";
import { floorOf } from "../../../belief/room-names.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import {
  boxFromCentre,
  boxGap,
  distance,
  extentOf,
  gapBetween,
  IDENTITY,
  type OrientedBox,
  orientedBox,
} from "../../../geometry/index.ts";
import { hangsOn } from "../../../ontology/index.ts";

export const DIMENSIONS = ["height", "width", "depth", "length", "volume", "area", "longest"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

const NEARLY_DOWN_M = 1;

/** How large a thing is: the one place where sizes come from. */
export async function sizeOf(
  thing: KnownThing,
  dimension: Dimension,
  memory: Belief,
): Promise<number | undefined> {
  if (!thing.box) return undefined;
  const { x, y, z } = extentOf(thing.box);
  const own = thing.state.extent ?? { x, y, z };
  switch (dimension) {
    case "height":
      return heightOf(thing, memory);
    case "width":
    case "length":
      return Math.max(x, y);
    case "depth":
      return Math.min(x, y);
    case "area":
      return own.x * own.y;
    case "longest":
      return Math.max(own.x, own.y, own.z);
    default:
      return x * y * z;
  }
}

/**
 * Height of a thing. A hanging thing does not reach down to the floor; a standing one does, though its foot was hidden.
 */
async function heightOf(thing: KnownThing, memory: Belief): Promise<number> {
  const box = thing.box!;
  const seen = extentOf(box).z;
  if (thing.heldBy || hangsOn(thing.category) !== undefined) return seen;
  const room = await memory.roomOf(thing);
  const floorZ = room?.record.hull && floorOf(room);
  const above = floorZ === undefined ? Infinity : box.min.z - floorZ;
  return above < NEARLY_DOWN_M && above > 0.05 ? box.max.z - floorZ! : seen;
}

/** How high above its floor a thing begins; undefined where that floor is not known. */
export async function elevationOf(thing: KnownThing, memory: Belief): Promise<number | undefined> {
  const room = await memory.roomOf(thing);
  const bottom = thing.box?.min.z ?? thing.position?.z;
  return room?.record.hull && bottom !== undefined ? Math.max(0, bottom - floorOf(room)) : undefined;
}

/** Between the closest surfaces of two things. */
export function gapM(a: KnownThing, b: KnownThing): number | undefined {
  if (a.box && b.box && !a.worldFromSubmap && !b.worldFromSubmap) return gapBetween(a.box, b.box);
  const [own, other] = [orientedOf(a), orientedOf(b)];
  if (own && other) return boxGap(own, other);
  return a.position && b.position ? distance(a.position, b.position) : undefined;
}

/** The box of a thing along its own axes: a rotated thing has smaller sides than its bounds. */
function orientedOf({ state, box, worldFromSubmap }: KnownThing): OrientedBox | undefined {
  if (worldFromSubmap && state.anchor && state.extent)
    return orientedBox(worldFromSubmap, boxFromCentre(state.anchor.p, state.extent));
  return box && orientedBox(IDENTITY, box);
}

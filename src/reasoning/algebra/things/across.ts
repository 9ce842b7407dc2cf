import type { KnownThing } from "../../../belief/thing.ts";
import type { Box } from "../../../geometry/index.ts";
import { hangsOn } from "../../../ontology/index.ts";

/**
 * Things at the opposite wall begin no farther from it (m); nearer to the middle, a thing is between the two and less
 * likely meant.
 */
const AT_WALL_M = 0.6;
const MIDDLE_M = 0.5;
/** The opposite thing is at least this far in front of the other (m). */
const APART_M = 0.5;
/** A thing hanging on the opposite wall is less likely meant than one standing there. */
const HANGING = 0.7;

/**
 * How well one thing is opposite another across a room: ahead of it as seen from the wall that the other stands at,
 * aligned with it along that wall, and at the opposite wall. Undefined where the room of either is not known.
 */
export function isAcross(
  thing: KnownThing,
  anchor: KnownThing,
  rooms: ReadonlyMap<string, Box | undefined>,
): number | undefined {
  const floor = rooms.get(anchor.roomId ?? "");
  if (!floor || !thing.box || !anchor.box || thing.roomId === undefined) return undefined;
  const hanging = hangsOn(thing.category);
  if (thing.roomId !== anchor.roomId || hanging === "flat" || hanging === "ceiling") return 0;
  const { axis, side } = wallOf(anchor.box, floor);
  const other = axis === "x" ? "y" : "x";
  const isAside =
    thing.box.min[other] > anchor.box.max[other] || thing.box.max[other] < anchor.box.min[other];
  const aheadM =
    side === "min" ? thing.box.min[axis] - anchor.box.max[axis] : anchor.box.min[axis] - thing.box.max[axis];
  if (isAside || aheadM < APART_M) return 0;
  const leftM =
    side === "min" ? floor.max[axis] - thing.box.max[axis] : thing.box.min[axis] - floor.min[axis];
  const score = 0.9 * Math.exp(-Math.max(0, leftM - AT_WALL_M) / MIDDLE_M);
  return hanging === undefined ? score : score * HANGING;
}

/** The wall nearest to a box: its axis, and which end. */
function wallOf(box: Box, floor: Box) {
  const gaps = (["x", "y"] as const).flatMap((axis) => [
    { axis, side: "min" as const, m: box.min[axis] - floor.min[axis] },
    { axis, side: "max" as const, m: floor.max[axis] - box.max[axis] },
  ]);
  return gaps.reduce((best, one) => (one.m < best.m ? one : best));
}

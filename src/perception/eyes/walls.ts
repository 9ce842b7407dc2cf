import type { Region } from "./pieces.ts";

/** A wall that is taken for a thing: by this share, or more, the eyes still say structure, with no surer name than this. */
const STRUCTURE = 0.2;
const NAMELESS = 0.45;
/** Neighbours a place that are said to be walls and lie in its plane: what ends at a wall has few, a part of one many. */
const FLUSH = 0.2;
/** How many of the neighbours that are walls lie in its plane; what leans on a wall meets it in a crease. */
const IN_PLANE = 0.6;
/** Mean slopes of walls: how far from level, and how much of one direction. */
const STEEPEST = 0.5;
const FLAT = 0.8;

/**
 * Whether a piece is more of the wall that goes on beside it in the same plane: a shelf, the pictures and the wall behind
 * them are one lump otherwise.
 */
export function isWall({ members, surface, names, normal, edges }: Region): boolean {
  const count = members.length;
  if (surface[0]! < STRUCTURE * count || edges[2]! < FLUSH * count || edges[2]! < IN_PLANE * edges[1]!)
    return false;
  const slope = Math.hypot(normal[0]!, normal[1]!, normal[2]!);
  if (slope < FLAT * count || Math.abs(normal[2]!) > STEEPEST * slope) return false;
  return names.every((votes) => votes < NAMELESS * count);
}

/** What the eyes say to be small by this share is never longer than this along an axis: what is, are many. */
const SMALL = 0.5;
const SMALL_MOST_M = 1.2;
/** Nor has it two sides of this length, unless its name is this sure: pictures and boards are so large. */
const LUMP_M = 0.6;
const UNSURE = 0.3;

/** Whether two pieces would be a small thing that is too long for one. */
export function areTooLong(a: Region, b: Region): boolean {
  const count = a.members.length + b.members.length;
  if (a.surface[2]! + b.surface[2]! < SMALL * count) return false;
  return [0, 1, 2].some(
    (k) => Math.max(a.high[k]!, b.high[k]!) - Math.min(a.low[k]!, b.low[k]!) > SMALL_MOST_M,
  );
}

/** Whether a region is of many small things, or of a wall that is taken for them, and none of its own. */
export function isLump({ members, surface, names, low, high }: Region): boolean {
  const count = members.length;
  if (surface[2]! < SMALL * count || names.some((votes) => votes > UNSURE * count)) return false;
  const sides = [0, 1, 2].filter((k) => high[k]! - low[k]! > LUMP_M);
  return sides.length > 1;
}

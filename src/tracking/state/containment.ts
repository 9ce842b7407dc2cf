import type { Box } from "../../geometry/index.ts";
import { inflate, intersectionVolume, volumeOf } from "../../geometry/index.ts";
import { holds as isContainer, isKindOf } from "../../ontology/index.ts";
import { COMMON } from "../settings/common.ts";
import type { Thing } from "./thing.ts";

/** Whether the one carries or holds the other, by their present boxes. */
export function holds(holder: Thing, thing: Thing): boolean {
  if (!isLarger(holder.worldBox, thing.worldBox)) return false;
  return (
    isOn(thing.worldBox, holder.worldBox, leastAboveM(holder)) ||
    (isInside(thing.worldBox, holder.worldBox) && isContainer(holder.words.category))
  );
}

/** Whether the one is too large to be taken for the other. */
export function isLarger(a: Box, b: Box): boolean {
  return COMMON.bodyShare * volumeOf(inflate(a, COMMON.hairM)) > volumeOf(inflate(b, COMMON.hairM));
}

export function isInside(inner: Box, outer: Box): boolean {
  const grown = inflate(outer, COMMON.edgeM);
  const box = inflate(inner, COMMON.hairM / 2);
  return intersectionVolume(box, grown) >= (1 - COMMON.partShare) * volumeOf(box);
}

/**
 * How far above the lowest known point of a holder the foot of a thing on it must be: of beds and sofas the covers are
 * visible, and nothing visible lies under those.
 */
export function leastAboveM({ words: { category } }: Pick<Thing, "words">): number {
  return ["bed", "sofa"].some((kind) => isKindOf(category, kind)) ? COMMON.edgeM : COMMON.placeM;
}

/** Its underside meets the top of the other, or lies within its height: a cushion in the box of a sofa is on it. */
export function isOn(a: Box, b: Box, leastM: number = COMMON.placeM): boolean {
  const w = Math.min(a.max.x, b.max.x) - Math.max(a.min.x, b.min.x);
  const d = Math.min(a.max.y, b.max.y) - Math.max(a.min.y, b.min.y);
  const area = Math.max(1e-4, (a.max.x - a.min.x) * (a.max.y - a.min.y));
  if (w <= 0 || d <= 0 || w * d < COMMON.bodyShare * area) return false;
  // If only the top of a table was seen, or the holder is a board, things stand on the top alone.
  const lowest = Math.min(b.min.z + leastM, b.max.z - COMMON.placeM);
  return a.min.z <= b.max.z + COMMON.placeM && a.min.z >= lowest;
}

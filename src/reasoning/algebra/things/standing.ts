import type { KnownThing } from "../../../belief/thing.ts";
import { extentOf } from "../../../geometry/index.ts";
import { hangsOn, isKindOf } from "../../../ontology/index.ts";

/** Factor for a thing that is gone: it is meant where no other fits about as well. */
export const GONE = 0.6;

/** Whether such a thing is fixed to a wall or the ceiling, lies flat, or is a part of the wall itself. */
export function hangs(category: string): boolean {
  return hangsOn(category) !== undefined || isKindOf(category, "opening");
}

/** Whether a thing stands on the floor by itself, like the things that people name when they look around. */
export function standsAlone({ state, heldBy, box }: KnownThing): boolean {
  if (heldBy || !box) return false;
  return !hangs(state.category) && extentOf(box).z > 0.25;
}

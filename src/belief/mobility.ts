import { hangsOn, isKindOf, mobilityOf } from "../ontology/index.ts";

/** What stays where it is, on the floor or on a wall: a coming or going of one is mostly a mistake of whoever looked. */
export function isFixed(category: string): boolean {
  const mobility = mobilityOf(category);
  if (mobility === "fixed" || mobility === "furniture" || hangsOn(category) !== undefined) return true;
  // A bathtub is a container as well, and those are mostly carried about.
  return isKindOf(category, "fixture") || isKindOf(category, "appliance");
}

/** Who goes by itself: nobody says that it was moved. */
export function isMover(category: string): boolean {
  return mobilityOf(category) === "agent";
}

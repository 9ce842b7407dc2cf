import { hangsOn, isKindOf, mobilityOf, namesFor } from "../ontology/index.ts";

/**
 * Categories that stay where they are, on the floor or on a wall: an appearance or disappearance of one is mostly a
 * perception error.
 */
export function isFixed(category: string): boolean {
  const mobility = mobilityOf(category);
  if (mobility === "fixed" || mobility === "furniture" || hangsOn(category) !== undefined) return true;
  // A bathtub is a container too, and containers count as portable.
  return isKindOf(category, "fixture") || isKindOf(category, "appliance");
}

const MOVERS = ["person", "animal", "vehicle"] as const;

/** People, animals and vehicles move by themselves: they are never reported as moved by another. */
export function isMover(category: string): boolean {
  return mobilityOf(category) === "agent";
}

/** The categories of what moves by itself. */
export const MOVING: readonly string[] = MOVERS.flatMap((kind) => {
  const { same, kinds } = namesFor(kind);
  return [kind, ...same, ...kinds].filter(isMover);
});

import { gapM, NEXT_TO_M } from "../../house/relations.ts";
import type { HouseThing, Placement } from "../../house/types.ts";
import type { Scope } from "../scope.ts";

/** Beyond "next to" by this much, people would no longer call it so; nothing in between is asked. */
export const NEAR_MARGIN_M = 0.7;
const FLAT = new Set(["rug", "doormat", "bath mat", "exercise mat"]);

/** Things with one flat top at the height of their box. */
export const FLAT_TOPS = new Set([
  "dining table",
  "coffee table",
  "side table",
  "console table",
  "nightstand",
  "dresser",
  "sideboard",
  "tv stand",
  "workbench",
]);

/** Ids of what stands on it, not in it, in order of number. */
export function onTopOf(scope: Scope, id: string): string[] {
  return scope
    .present()
    .flatMap(({ thing, placement }) =>
      placement.supportedBy === id && placement.insideOf === undefined ? [thing.id] : [],
    );
}

/** Ids of what is in it, seen or not. */
export function withinOf(scope: Scope, id: string): string[] {
  return scope.present().flatMap(({ thing, placement }) => (placement.insideOf === id ? [thing.id] : []));
}

/** Stands on the floor and is no mat: what people call next to each other. */
export function isFloorFurniture(
  scope: Scope,
  { thing, placement }: { readonly thing: HouseThing; readonly placement: Placement },
): boolean {
  return (
    thing.type === "furniture" &&
    !FLAT.has(thing.category) &&
    placement.supportedBy !== undefined &&
    scope.thing(placement.supportedBy).category === "floor"
  );
}

export function isNear(a: Placement, b: Placement, withinM = NEXT_TO_M): boolean {
  return a.room === b.room && gapM(a, b) < withinM;
}

/** Doors and windows belong to two rooms, so their room is not asked. */
export function hasOneRoom({ type }: HouseThing): boolean {
  return type === "furniture" || type === "small" || type === "person";
}

/** Squared length of the longest diagonal: what is flat and wide is not small. */
export function spreadM2({ extent: { x, y, z } }: Placement): number {
  return x * x + y * y + z * z;
}

export function volumeM3({ extent }: Placement): number {
  return extent.x * extent.y * extent.z;
}

export function areaM2(points: readonly { readonly x: number; readonly y: number }[]): number {
  const a = points[0]!;
  const c = points[2]!;
  return Math.abs((c.x - a.x) * (c.y - a.y));
}

import type { Vec3 } from "../../geometry/index.ts";
import type { HouseSnapshot, HouseThing, Placement } from "./types.ts";
import { cosOfStep, sinOfStep, stepOfYaw } from "./yaw.ts";

/** Two things, or three for "between", and what holds between them at a moment. */
export interface Relation {
  readonly pred: "on" | "in" | "under" | "next_to" | "attached";
  readonly subject: string;
  readonly object: string;
}

/** Whose left and front are meant. */
export type DirectionFrame =
  /** An observer looking along `yawRad`: "in front of" is nearer to the observer, "left" is the observer's left. */
  | { readonly kind: "ego"; readonly yawRad: number }
  /** The reference thing's own front and left. */
  | { readonly kind: "object" };

export type Direction = "left_of" | "right_of" | "in_front_of" | "behind";

/** Surfaces closer than this are neighbours (docs/formulas.md#simulator). */
export const NEXT_TO_M = 0.5;
const TOUCH_M = 0.012;

/** Every relation that follows from geometry: on, inside, under, near, attached. Hidden things have only on and in. */
export function relationsOf(scene: HouseSnapshot): Relation[] {
  const all = scene.house.things.flatMap((thing) => {
    const placement = scene.placementOf(thing.id);
    return placement === undefined || thing.type === "structure" ? [] : [{ thing, placement }];
  });
  const byRoom = new Map<string, Entry[]>();
  for (const entry of all) {
    const room = entry.placement.room ?? "";
    byRoom.set(room, [...(byRoom.get(room) ?? []), entry]);
  }
  return all.flatMap((entry) => [
    ...held(scene, entry),
    ...(entry.placement.hidden ? [] : around(scene, entry, byRoom.get(entry.placement.room ?? "") ?? [])),
  ]);
}

/** The direction of `subject` from `object`; undefined if they are too close or on the diagonal. */
export function directionOf(
  subject: Placement,
  object: Placement,
  frame: DirectionFrame,
): Direction | undefined {
  const step = stepOfYaw(frame.kind === "ego" ? frame.yawRad : object.yawRad);
  const dx = subject.centre.x - object.centre.x;
  const dy = subject.centre.y - object.centre.y;
  const ahead = dx * cosOfStep(step) + dy * sinOfStep(step);
  const left = dy * cosOfStep(step) - dx * sinOfStep(step);
  if (Math.max(Math.abs(ahead), Math.abs(left)) < 0.1) return undefined;
  if (Math.abs(left) > 1.2 * Math.abs(ahead)) return left > 0 ? "left_of" : "right_of";
  if (Math.abs(ahead) > 1.2 * Math.abs(left)) {
    const nearer = frame.kind === "ego" ? ahead < 0 : ahead > 0;
    return nearer ? "in_front_of" : "behind";
  }
  return undefined;
}

/** Whether `middle` lies in the gap of the two others: near their line, in its inner part, within one room. */
export function isBetween(middle: Placement, a: Placement, b: Placement): boolean {
  if (middle.room === null || middle.room !== a.room || middle.room !== b.room) return false;
  const ab = { x: b.centre.x - a.centre.x, y: b.centre.y - a.centre.y };
  const am = { x: middle.centre.x - a.centre.x, y: middle.centre.y - a.centre.y };
  const squared = ab.x * ab.x + ab.y * ab.y;
  if (squared < 0.25 || squared > 25) return false;
  const t = (am.x * ab.x + am.y * ab.y) / squared;
  const across = Math.abs(am.x * ab.y - am.y * ab.x) / squared;
  return t > 0.2 && t < 0.8 && across < 0.25;
}

export function sameRoom(a: Placement, b: Placement): boolean {
  return a.room !== null && a.room === b.room;
}

/** Distance between the surfaces of two upright boxes; 0 when they touch or overlap. Exact. */
export function gapM(a: Placement, b: Placement): number {
  const vertical = Math.max(0, Math.abs(a.centre.z - b.centre.z) - (a.extent.z + b.extent.z) / 2);
  const flat = flatGap(a, b);
  return Math.sqrt(flat * flat + vertical * vertical);
}

interface Entry {
  readonly thing: HouseThing;
  readonly placement: Placement;
}

/** The thing that carries or encloses it, from the solids: the highest surface under it, the walls around it. */
function held(scene: HouseSnapshot, { thing, placement }: Entry): Relation[] {
  const { supportedBy, insideOf } = placement;
  const found: Relation[] = [];
  if (insideOf !== undefined) found.push({ pred: "in", subject: thing.id, object: insideOf });
  if (supportedBy === undefined) return found;
  const bottom = placement.centre.z - placement.extent.z / 2;
  const rests = scene.solidsOf(supportedBy).some((solid) => {
    const top = solid.centre.z + solid.size.z / 2;
    return (
      Math.abs(top - bottom) <= TOUCH_M &&
      flatGap(placement, { ...placement, centre: solid.centre, extent: solid.size, yawRad: solid.yawRad }) ===
        0
    );
  });
  found.push({ pred: rests ? "on" : "attached", subject: thing.id, object: supportedBy });
  return found;
}

function around(scene: HouseSnapshot, { thing, placement }: Entry, others: readonly Entry[]): Relation[] {
  const found: Relation[] = [];
  for (const other of others) {
    if (other.thing === thing || other.placement.hidden || other.thing.type === "person") continue;
    if (isUnder(scene, { thing, placement }, other))
      found.push({ pred: "under", subject: thing.id, object: other.thing.id });
    const tied = linked(placement, other.thing.id) || linked(other.placement, thing.id);
    if (!tied && gapM(placement, other.placement) < NEXT_TO_M)
      found.push({ pred: "next_to", subject: thing.id, object: other.thing.id });
  }
  return found;
}

function linked(placement: Placement, id: string): boolean {
  return placement.supportedBy === id || placement.insideOf === id;
}

/** Something of the other is right above the middle of the thing, within 1.5 m. */
function isUnder(scene: HouseSnapshot, { thing, placement }: Entry, other: Entry): boolean {
  if (linked(placement, other.thing.id) || linked(other.placement, thing.id)) return false;
  if (other.placement.centre.z + other.placement.extent.z / 2 <= placement.centre.z) return false;
  if (distance2(placement.centre, other.placement) > 0) return false;
  const top = placement.centre.z + placement.extent.z / 2;
  return scene.solidsOf(other.thing.id).some((solid) => {
    const low = solid.centre.z - solid.size.z / 2;
    if (low < top - TOUCH_M || low > top + 1.5) return false;
    return (
      distance2(placement.centre, {
        ...placement,
        centre: solid.centre,
        extent: solid.size,
        yawRad: solid.yawRad,
      }) === 0
    );
  });
}

/** Distance on the floor plan between two turned rectangles: from the corners of each to the other. */
function flatGap(a: Placement, b: Placement): number {
  if (!separated(a, b) && !separated(b, a)) return 0;
  let least = Infinity;
  for (const [one, two] of [
    [a, b],
    [b, a],
  ] as const) {
    for (const corner of corners(one)) least = Math.min(least, distance2(corner, two));
  }
  return least;
}

/** Whether one of a's own axes separates the two rectangles. */
function separated(a: Placement, b: Placement): boolean {
  const local = corners(b).map((corner) => toLocal(corner, a));
  const { x, y } = { x: a.extent.x / 2, y: a.extent.y / 2 };
  return (
    local.every((p) => p.x >= x) ||
    local.every((p) => p.x <= -x) ||
    local.every((p) => p.y >= y) ||
    local.every((p) => p.y <= -y)
  );
}

function corners(p: Placement): { x: number; y: number }[] {
  const step = stepOfYaw(p.yawRad);
  const c = cosOfStep(step);
  const s = sinOfStep(step);
  return [
    [1, 1],
    [1, -1],
    [-1, -1],
    [-1, 1],
  ].map(([i, j]) => {
    const x = (i! * p.extent.x) / 2;
    const y = (j! * p.extent.y) / 2;
    return { x: p.centre.x + x * c - y * s, y: p.centre.y + x * s + y * c };
  });
}

function toLocal(point: { x: number; y: number }, p: Placement): { x: number; y: number } {
  const step = stepOfYaw(p.yawRad);
  const dx = point.x - p.centre.x;
  const dy = point.y - p.centre.y;
  return { x: dx * cosOfStep(step) + dy * sinOfStep(step), y: dy * cosOfStep(step) - dx * sinOfStep(step) };
}

function distance2(point: Pick<Vec3, "x" | "y">, p: Placement): number {
  const local = toLocal(point, p);
  const x = Math.max(0, Math.abs(local.x) - p.extent.x / 2);
  const y = Math.max(0, Math.abs(local.y) - p.extent.y / 2);
  return Math.sqrt(x * x + y * y);
}

import type { Relation } from "../../../belief/relations.ts";
import { middleOf, type RoomView } from "../../../belief/room-names.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import type { Viewer } from "../../../belief/viewer.ts";
import { distance, dot, type Interval, lerp, subtract, type Vec3 } from "../../../geometry/index.ts";
import { LIMITS } from "../../../schema/core.ts";
import type { Scope } from "../operator.ts";
import { momentUs } from "./moment.ts";

/**
 * The cone of docs/formulas.md#directions, and the wider one of a viewer who enters a room and looks to a side of it.
 */
const BESIDE_COS = Math.cos(Math.PI / 4);
const ALL_OF_A_SIDE_COS = Math.cos((5 * Math.PI) / 12);

/** The position of the robot asked at the moment that is meant. */
export async function selfAt({ viewer, during, pose, memory, agentId }: Scope): Promise<Viewer | undefined> {
  if (viewer) return viewer;
  return during === undefined ? pose : memory.poseAt(stoodUs(during, memory), agentId);
}

/**
 * A moving viewer is at the beginning of a span, "at four minutes past nine", "at the start"; at its end where it has
 * no beginning or goes on.
 */
function stoodUs(during: Interval, memory: Scope["memory"]): number {
  const isOver = during.toUs !== null && during.toUs <= memory.nowUs;
  return isOver && during.fromUs > -LIMITS.timeUs ? during.fromUs : momentUs({ during, memory });
}

/** The viewer for left and right: a stated one, otherwise the robot that saw the thing last. */
export async function viewerOf(anchor: KnownThing | undefined, scope: Scope): Promise<Viewer | undefined> {
  const own = scope.viewer ?? (scope.during && (await selfAt(scope)));
  if (own || !anchor) return own ?? scope.pose;
  const seenUs = await scope.memory.lastSeenUs(anchor);
  return (await scope.memory.poseAt(seenUs, scope.agentId)) ?? scope.pose;
}

/** The side of a viewer on which a thing is: the cone of docs/formulas.md#directions in its own frame. */
export function egoSide(relation: Relation, thing: KnownThing, viewer: Viewer): number {
  if (!thing.position) return 0;
  const dx = thing.position.x - viewer.position.x;
  const dy = thing.position.y - viewer.position.y;
  const length = Math.hypot(dx, dy);
  if (["near", "beside", "around", "at"].includes(relation)) return Math.exp(-length / 2);
  const [c, s] = [Math.cos(viewer.yawRad), Math.sin(viewer.yawRad)];
  const axis = { front: [c, s], behind: [-c, -s], left: [-s, c], right: [s, -c] }[relation as "front"];
  if (!axis || length < 1e-3) return 0;
  const cos = (dx * axis[0]! + dy * axis[1]!) / length;
  return cos < (viewer.looksInto === undefined ? BESIDE_COS : ALL_OF_A_SIDE_COS)
    ? 0
    : cos * Math.exp(-length / 3);
}

/** The direction of a point, as the left turn needed to face it. */
export function bearingTo({ position, yawRad }: Viewer, point: Vec3): number {
  return wrapped(headingFrom(position, point) - yawRad);
}

/** An angle between −π and π. */
export function wrapped(rad: number): number {
  return Math.atan2(Math.sin(rad), Math.cos(rad));
}

/** Sides by the left turn needed to face them. */
const SIDES_RAD: Readonly<Record<string, number>> = {
  front: 0,
  ahead: 0,
  "in front": 0,
  straight: 0,
  "front left": Math.PI / 4,
  left: Math.PI / 2,
  "back left": (3 * Math.PI) / 4,
  back: Math.PI,
  behind: Math.PI,
  "back right": (-3 * Math.PI) / 4,
  right: -Math.PI / 2,
  "front right": -Math.PI / 4,
};
const FOUR_SIDES = ["front", "left", "behind", "right"];

/** "Behind me" is behind. */
const OF_WHOM = / (?:of )?(?:me|you|us|him|her|them)$/;

/** The offered side nearest to a bearing; of the usual four where none are offered. */
export function sideOf(angleRad: number, offered: readonly string[] = []): string {
  const known = (side: string) => SIDES_RAD[side.toLowerCase().replaceAll("-", " ").replace(OF_WHOM, "")];
  const off = (side: string) => Math.abs(wrapped(angleRad - known(side)!));
  const sides =
    offered.length > 1 && offered.every((side) => known(side) !== undefined) ? offered : FOUR_SIDES;
  return sides.reduce((best, side) => (off(side) < off(best) ? side : best));
}

export function headingFrom(from: Vec3, to: Vec3): number {
  return Math.atan2(to.y - from.y, to.x - from.x);
}

/** A viewer entering a room from another: on its outline at the nearest point to the other, facing its middle. */
export function entering(from: readonly RoomView[], into: readonly RoomView[]): Viewer | undefined {
  const [room, other] = [into[0], from[0]];
  if (!room?.record.hull || !other) return undefined;
  const door = nearestOnOutline(room.record.hull, middleOf(other));
  return { position: door, yawRad: headingFrom(door, middleOf(room)) };
}

/** The outlines of rooms have few corners, and doors are in their sides. */
function nearestOnOutline(hull: readonly Vec3[], to: Vec3): Vec3 {
  const onSides = hull.map((a, n) => {
    const b = hull[(n + 1) % hull.length]!;
    const along = subtract(b, a);
    const share = dot(subtract(to, a), along) / Math.max(1e-9, dot(along, along));
    return lerp(a, b, Math.min(1, Math.max(0, share)));
  });
  return onSides.reduce((best, point) => (distance(point, to) < distance(best, to) ? point : best));
}

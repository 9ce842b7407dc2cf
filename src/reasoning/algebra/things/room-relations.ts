import type { Relation } from "../../../belief/relations.ts";
import { middleOf, type RoomView } from "../../../belief/room-names.ts";
import type { Box } from "../../../geometry/index.ts";
import { doorwaysOf, joins } from "../../ways/doorways.ts";
import type { Scope } from "../operator.ts";
import { type Judge, spaceOf } from "./related.ts";

/** The largest thickness of a wall: outlines this near have one between them. */
const WALL_M = 0.6;
/** The share of the smaller of two rooms that must overlap where one is above the other. */
const OVER = 0.25;

/** How much two outlines overlap along an axis; negative is the gap between them. */
function overlap(a: Box, b: Box, axis: "x" | "y"): number {
  return Math.min(a.max[axis], b.max[axis]) - Math.max(a.min[axis], b.min[axis]);
}

function isBeside(one: RoomView, other: RoomView): boolean {
  const [a, b] = [spaceOf(one), spaceOf(other)];
  if (!a || !b || one.storey !== other.storey) return false;
  const [x, y] = [overlap(a, b, "x"), overlap(a, b, "y")];
  // They share a piece of wall, not a corner alone.
  return Math.min(x, y) > -WALL_M && Math.max(x, y) > WALL_M;
}

function isOver(one: RoomView, other: RoomView): boolean {
  const [a, b] = [spaceOf(one), spaceOf(other)];
  if (!a || !b) return false;
  const [x, y] = [overlap(a, b, "x"), overlap(a, b, "y")];
  const size = ({ min, max }: Box) => (max.x - min.x) * (max.y - min.y);
  return x > 0 && y > 0 && x * y > OVER * Math.min(size(a), size(b));
}

/** For doors and other passages: leading to a room, or between two; other things are judged in the usual way. */
export async function byDoorways(
  rooms: readonly RoomView[],
  others: readonly RoomView[] | undefined,
  otherwise: Judge,
  scope: Scope,
): Promise<Judge> {
  const isOf = (room: RoomView, all: readonly RoomView[]) => all.some(({ id }) => id === room.id);
  const doorways = await doorwaysOf(scope.memory, scope.agentId);
  const leading = doorways.filter(({ a, b }) =>
    others
      ? (isOf(a, rooms) && isOf(b, others)) || (isOf(b, rooms) && isOf(a, others))
      : isOf(a, rooms) || isOf(b, rooms),
  );
  const doors = new Set(doorways.map(({ door }) => door?.trackId));
  const there = new Set(leading.map(({ door }) => door?.trackId));
  return (thing) => {
    if (!doors.has(thing.trackId)) return otherwise(thing);
    return there.has(thing.trackId) ? { score: 1, hint: 1 } : { score: 0, hint: 0 };
  };
}

/**
 * The relation of a room to another: next to it by a door or a wall, above or below it on a neighbouring storey, or
 * opposite it where a third room lies between them. Undefined for relations that rooms do not have.
 */
export async function roomRelation(
  relation: Relation,
  scope: Scope,
): Promise<((room: RoomView, anchor: RoomView) => boolean) | undefined> {
  const doorways = await doorwaysOf(scope.memory, scope.agentId);
  const leads = (a: RoomView, b: RoomView) => doorways.some((one) => joins(one, a, b));
  const near = (a: RoomView, b: RoomView) => a.id !== b.id && (leads(a, b) || isBeside(a, b));
  switch (relation) {
    case "beside":
    case "near":
    case "around":
    case "at":
    case "between":
      return near;
    case "with":
      return leads;
    case "above":
    case "on":
      return (a, b) => a.storey === b.storey + 1 && isOver(a, b);
    case "below":
    case "under":
      return (a, b) => a.storey === b.storey - 1 && isOver(a, b);
    case "opposite":
    case "facing": {
      const rooms = await scope.memory.rooms();
      return (a, b) => {
        const shared = rooms.filter((room) => leads(room, a) && leads(room, b));
        return a.id !== b.id && shared.some((room) => liesBetween(middleOf(a), middleOf(room), middleOf(b)));
      };
    }
    default:
      return undefined;
  }
}

/** Whether a point is passed on the way from one to the other: no turn sharper than a right angle. */
function liesBetween(
  a: { readonly x: number; readonly y: number },
  middle: { readonly x: number; readonly y: number },
  b: { readonly x: number; readonly y: number },
): boolean {
  return (a.x - middle.x) * (b.x - middle.x) + (a.y - middle.y) * (b.y - middle.y) < 0;
}

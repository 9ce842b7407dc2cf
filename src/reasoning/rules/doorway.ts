import { distance, dot, lerp, subtract, type Vec3 } from "../../geometry/index.ts";
import { LIMITS } from "../../schema/core.ts";
import type { RuleContext } from "../finding.ts";
import { looksDuring } from "../recall/poses.ts";
import { middleOf, type RoomView } from "../recall/room-names.ts";
import type { ViewFrame } from "./geometry.ts";

/** A step from one room into the next is no longer than this between two looks. */
const STEP_US = 5_000_000;
/** So many looks after the step tell which way it led: past the frame of the door, before the first turn. */
const LOOKS_ON = 3;

/**
 * Where somebody stands and looks who enters a room from another: where the agent itself stepped from one into the
 * other, or back; where it never did, on the outline of the room nearest to the other one, facing its middle.
 */
export async function entering(
  from: readonly RoomView[],
  into: readonly RoomView[],
  { recall, agentId }: RuleContext,
): Promise<ViewFrame | undefined> {
  const everUs = { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 };
  const looks = await looksDuring(recall, everUs, agentId);
  const sides: (boolean | undefined)[] = [];
  for (const { position } of looks) {
    const room = await recall.roomAt(position);
    const isInto = into.some(({ id }) => id === room?.id);
    sides.push(isInto ? true : from.some(({ id }) => id === room?.id) ? false : undefined);
  }
  for (const [n, look] of looks.entries()) {
    const before = looks[n - 1];
    if (!before || look.timeUs - before.timeUs > STEP_US) continue;
    const [was, is] = [sides[n - 1], sides[n]];
    if (was === undefined || is === undefined || was === is) continue;
    // Who came out of the room stepped the other way; entering is the same step backwards.
    const inner = is ? looks.slice(n, n + LOOKS_ON) : looks.slice(Math.max(0, n - LOOKS_ON), n).toReversed();
    const door = middle(before.position, look.position);
    const ahead = inner.at(-1)!.position;
    if (distance(door, ahead) > 0.1) return { position: door, yawRad: headingFrom(door, ahead) };
  }
  const [room, other] = [into[0], from[0]];
  if (!room || !other || !room.record.hull) return undefined;
  const towards = middleOf(other);
  const door = nearestOnOutline(room.record.hull, towards);
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

function middle(a: Vec3, b: Vec3): Vec3 {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, z: (a.z + b.z) / 2 };
}

function headingFrom(from: Vec3, to: Vec3): number {
  return Math.atan2(to.y - from.y, to.x - from.x);
}

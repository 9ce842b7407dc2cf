import type { Viewer } from "../../belief/viewer.ts";
import { type Box, distanceToBox, type Vec3 } from "../../geometry/index.ts";
import { wrapped } from "../algebra/things/viewer.ts";

/** A speaker's relation to the thing they name: sitting on it, using it, beside it, in a room, just through a door. */
export const STANCES = [
  "on",
  "in",
  "at",
  "beside",
  "near",
  "front",
  "behind",
  "left",
  "right",
  "between",
  "entering",
  "leaving",
  "facing",
] as const;
export type Stance = (typeof STANCES)[number];

/** Sides by the left turn needed to face them. */
export const SIDES = {
  front: 0,
  left: Math.PI / 2,
  behind: Math.PI,
  right: -Math.PI / 2,
} as const;
export type Side = keyof typeof SIDES;

/** A box on the floor plan that a speaker may mean, and how well it fits the words. */
export interface Meant {
  readonly box: Box;
  readonly weight: number;
}

/** The reach within which a person uses a thing or stands beside it (m). */
const ARM_M = 0.4;
const ARM_SD_M = 0.35;
const NEAR_SD_M = 1;
/** The spread of directions on a side around its axis; the second one for a thing faced. */
const SIDE_SD_RAD = (30 * Math.PI) / 180;
const FACING_SD_RAD = (20 * Math.PI) / 180;
/** People mention near things: likelihood falls by e over this distance; within reach over the second one. */
const MENTION_M = 3;
const REACH_M = 0.6;
/** Deviations within this share of a thing's angular width do not matter. */
const WIDE = 0.5;
/** The floor of each likelihood: no part of a statement excludes a pose. */
const LEAST = 0.003;

/** The likelihood that a speaker at a pose states this relation to one of these things. */
export function stanceAt(position: Vec3, stance: Stance, meant: readonly Meant[]): number {
  return best(meant, ({ box }) => {
    const gap = gapOnPlan(position, box);
    switch (stance) {
      case "on":
      case "in":
        return gap === 0 ? 1 : Math.exp(-gap / 0.15);
      case "near":
        return gap === 0 ? 0.2 : Math.exp(-0.5 * (gap / NEAR_SD_M) ** 2);
      case "facing":
        return gap === 0 ? 0.1 : Math.exp(-gap / MENTION_M);
      case "beside":
        return gap === 0 ? 0.15 : Math.exp(-0.5 * ((gap - ARM_M) / ARM_SD_M) ** 2);
      default: {
        // A person using a thing or coming through a door is at its middle, not at its edge.
        const core = gapOnPlan(position, middlePart(box));
        return gap === 0 ? 0.15 : Math.exp(-0.5 * ((core - ARM_M) / ARM_SD_M) ** 2);
      }
    }
  });
}

/** Between two: on the line from one to the other, better in its middle. */
export function betweenAt(position: Vec3, meant: readonly Meant[]): number {
  let most = 0;
  for (const [n, a] of meant.entries())
    for (const b of meant.slice(n + 1)) {
      const [ga, gb] = [gapOnPlan(position, a.box), gapOnPlan(position, b.box)];
      const apart = gapOnPlan(middle(a.box), b.box);
      const detour = ga + gb - apart;
      const even = 1 - Math.abs(ga - gb) / Math.max(0.5, ga + gb);
      most = Math.max(most, a.weight * b.weight * Math.exp(-Math.abs(detour) / 0.6) * (0.4 + 0.6 * even));
    }
  return Math.max(LEAST, most);
}

/** The likelihood that a speaker at a pose faces one of these. */
export function facingAt(pose: Viewer, meant: readonly Meant[]): number {
  return sideAt(pose, 0, meant, { sdRad: FACING_SD_RAD });
}

/** The likelihood that one of these is on a side, given as the left turn. */
export function sideAt(
  pose: Viewer,
  turnRad: number,
  meant: readonly Meant[],
  { sdRad = SIDE_SD_RAD, isInReach = false }: { readonly sdRad?: number; readonly isInReach?: boolean } = {},
): number {
  return best(meant, ({ box }) => {
    const gap = gapOnPlan(pose.position, box);
    if (gap === 0) return LEAST;
    const off = offAxis(pose, turnRad, box);
    const far = Math.exp(-gap / (isInReach ? REACH_M : MENTION_M));
    return Math.exp(-0.5 * (off / sdRad) ** 2) * far;
  });
}

/** The angle between an axis of the speaker and a box: to its middle, less for wide and near ones. */
function offAxis({ position, yawRad }: Viewer, turnRad: number, box: Box): number {
  const { min, max } = box;
  const { x, y } = middle(box);
  const centre = Math.atan2(y - position.y, x - position.x);
  // Half of the angle of a circle of its size at this distance.
  const radius = Math.hypot(max.x - min.x, max.y - min.y) / 2;
  const half = Math.atan2(radius, Math.hypot(x - position.x, y - position.y));
  return Math.max(0, Math.abs(wrapped(centre - yawRad - turnRad)) - WIDE * half);
}

/** A person using a thing faces it, squarely where it is flat; one coming through a door has it behind them. */
export function headingAt(pose: Viewer, stance: Stance, meant: readonly Meant[]): number {
  switch (stance) {
    case "at":
    case "front":
    case "leaving":
      return 0.1 + 0.9 * best(meant, ({ box }) => facingSquarely(pose, box, 0));
    case "entering":
      return best(meant, ({ box }) => facingSquarely(pose, box, Math.PI));
    default:
      return 1;
  }
}

/** Doors, windows, boards: flat things have a front and a back. */
const FLAT = 0.35;
const SQUARE_SD_RAD = (25 * Math.PI) / 180;

function facingSquarely(pose: Viewer, box: Box, turnRad: number): number {
  const towards = Math.exp(-0.5 * (offAxis(pose, turnRad, box) / SIDE_SD_RAD) ** 2);
  const { min, max } = box;
  const [x, y] = [max.x - min.x, max.y - min.y];
  if (Math.min(x, y) > FLAT * Math.max(x, y)) return towards;
  const { position } = pose;
  const centre = middle(box);
  const normal =
    x < y ? (position.x < centre.x ? 0 : Math.PI) : position.y < centre.y ? Math.PI / 2 : -Math.PI / 2;
  const off = wrapped(pose.yawRad + turnRad - normal);
  return towards * Math.exp(-0.5 * (off / SQUARE_SD_RAD) ** 2);
}

function best(meant: readonly Meant[], score: (one: Meant) => number): number {
  let most = LEAST;
  for (const one of meant) most = Math.max(most, one.weight * score(one));
  return most;
}

/** Distance on the floor plan; 0 within the outline. */
export function gapOnPlan({ x, y }: Vec3, { min, max }: Box): number {
  return distanceToBox({ x, y, z: 0 }, { min: { ...min, z: 0 }, max: { ...max, z: 0 } });
}

/** The middle third of its longer side, all of the shorter one. */
function middlePart({ min, max }: Box): Box {
  const [x, y] = [(max.x - min.x) / 3, (max.y - min.y) / 3];
  return x >= y
    ? { min: { ...min, x: min.x + x }, max: { ...max, x: max.x - x } }
    : { min: { ...min, y: min.y + y }, max: { ...max, y: max.y - y } };
}

function middle({ min, max }: Box): Vec3 {
  return { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: 0 };
}

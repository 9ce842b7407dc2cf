import { type Box, distanceToBox, type Vec3 } from "../../geometry/index.ts";
import type { Viewer } from "../algebra/operator.ts";

/** How somebody stands to what they name: sitting on it, using it, beside it, in a room, just through a door. */
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

/** Sides of somebody by the turn, to the left, that it takes to face them. */
export const SIDES = {
  front: 0,
  left: Math.PI / 2,
  behind: Math.PI,
  right: -Math.PI / 2,
} as const;
export type Side = keyof typeof SIDES;

/** A box on the floor plan that somebody may mean, and how well it fits what they said. */
export interface Meant {
  readonly box: Box;
  readonly weight: number;
}

/** Within so much of an arm one uses a thing or stands beside it. */
const ARM_M = 0.4;
const ARM_SD_M = 0.35;
const NEAR_SD_M = 1;
/** What is on a side may be this far from its axis; what is faced less. */
const SIDE_SD_RAD = (30 * Math.PI) / 180;
const FACING_SD_RAD = (20 * Math.PI) / 180;
/** What people mention is not far: likelihood falls by e over this distance; within reach over this one. */
const MENTION_M = 3;
const REACH_M = 0.6;
/** Nothing that was said is a veto. */
const LEAST = 0.02;

/** How likely it is that somebody at a pose would say that they are so with one of these. */
export function stanceAt({ position }: Viewer, stance: Stance, meant: readonly Meant[]): number {
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
      default:
        return gap === 0 ? 0.15 : Math.exp(-0.5 * ((gap - ARM_M) / ARM_SD_M) ** 2);
    }
  });
}

/** Between two: on the line from one to the other, better in its middle. */
export function betweenAt({ position }: Viewer, meant: readonly Meant[]): number {
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

/** How likely it is that one of these is what somebody at a pose faces. */
export function facingAt(pose: Viewer, meant: readonly Meant[]): number {
  return sideAt(pose, 0, meant, { sdRad: FACING_SD_RAD });
}

/** How likely it is that one of these is on a side of somebody, given as the turn to the left. */
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

/** The angle between an axis of somebody and the nearest part of a box, 0 where the axis meets it. */
function offAxis({ position, yawRad }: Viewer, turnRad: number, { min, max }: Box): number {
  let [least, most] = [Infinity, -Infinity];
  for (const x of [min.x, max.x])
    for (const y of [min.y, max.y]) {
      const angle = wrapped(Math.atan2(y - position.y, x - position.x) - yawRad - turnRad);
      least = Math.min(least, angle);
      most = Math.max(most, angle);
    }
  // A box that the axis points away from may reach around ±π.
  if (most - least > Math.PI)
    return Math.PI - Math.max(0, Math.min(Math.abs(least), Math.abs(most)) - Math.PI / 2);
  return least <= 0 && most >= 0 ? 0 : Math.min(Math.abs(least), Math.abs(most));
}

/** Who uses a thing faces it; who comes through a door has it behind them. */
export function headingAt(pose: Viewer, stance: Stance, meant: readonly Meant[]): number {
  switch (stance) {
    case "at":
    case "front":
    case "leaving":
      return 0.25 + 0.75 * facingAt(pose, meant);
    case "entering":
      return sideAt(pose, Math.PI, meant);
    default:
      return 1;
  }
}

function best(meant: readonly Meant[], score: (one: Meant) => number): number {
  return Math.max(LEAST, ...meant.map((one) => one.weight * score(one)));
}

/** Distance on the floor plan; 0 within the outline. */
export function gapOnPlan({ x, y }: Vec3, { min, max }: Box): number {
  return distanceToBox({ x, y, z: 0 }, { min: { ...min, z: 0 }, max: { ...max, z: 0 } });
}

function middle({ min, max }: Box): Vec3 {
  return { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: 0 };
}

export function wrapped(rad: number): number {
  return Math.atan2(Math.sin(rad), Math.cos(rad));
}

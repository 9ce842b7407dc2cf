import {
  type Box,
  boxContains,
  boxFromCentre,
  boxGap,
  centreOf,
  distance,
  extentOf,
  gapBetween,
  IDENTITY,
  intersectionVolume,
  type OrientedBox,
  orientedBox,
  subtract,
  type Vec3,
  volumeOf,
} from "../../geometry/index.ts";
import type { Relation } from "../need.ts";
import type { Thing } from "../recall/thing.ts";

/** Surfaces this far apart still touch, for boxes that were measured. */
const TOUCH_M = 0.2;
const NEXT_TO_M = 0.6;
const NEAR_M = 1.5;
/** A-R12: a direction is a cone of 45° about its axis, within this range. */
const CONE_COS = Math.cos(Math.PI / 4) - 0.05;
const DIRECTION_M = 4;

/** Where a viewer stands and which way it looks; left and right are the viewer's. */
export interface ViewFrame {
  readonly position: Vec3;
  readonly yawRad: number;
}

/** How well a relation holds between two things, 0 for not at all. */
export function holds(
  predicate: Relation["predicate"],
  thing: Thing,
  anchor: Thing,
  frame?: ViewFrame | undefined,
  other?: Thing | undefined,
): number {
  const [a, b] = [thing.box, anchor.box];
  if (!a || !b || thing.trackId === anchor.trackId) return 0;
  switch (predicate) {
    case "on":
      if (thing.state.supportedBy === anchor.state.id) return 1;
      return overlapXY(a, b) > 0.3 && Math.abs(a.min.z - b.max.z) < TOUCH_M ? 0.8 : isOnShelf(a, b) ? 0.6 : 0;
    case "in":
      if (thing.state.insideOf === anchor.state.id) return 1;
      return volumeOf(a) > 0 && intersectionVolume(a, b) / volumeOf(a) > 0.6
        ? 0.8
        : boxContains(b, centreOf(a))
          ? 0.5
          : 0;
    case "under":
    case "below":
      return overlapXY(a, b) > 0.2 && centreOf(a).z < centreOf(b).z && a.max.z < b.max.z - 0.05 ? 0.9 : 0;
    case "above":
      return overlapXY(a, b) > 0.1 && a.min.z > centreOf(b).z && a.min.z > b.max.z - TOUCH_M
        ? 0.9 - Math.min(0.4, Math.max(0, a.min.z - b.max.z) / 5)
        : 0;
    case "next-to":
      return closeness(gapBetween(a, b), NEXT_TO_M);
    case "near":
    case "around":
      return closeness(gapBetween(a, b), NEAR_M);
    case "between":
      return other?.box ? betweenness(centreOf(a), centreOf(b), centreOf(other.box)) : 0;
    case "opposite":
      return closeness(gapBetween(a, b), 4) * 0.6;
    case "left":
    case "right":
    case "front":
    case "behind":
      return frame ? directed(predicate, a, b, frame) : 0;
    default:
      return 0;
  }
}

/** Left, right, in front or behind as a viewer sees it: sideways across the line of sight, nearer or farther along it. */
function directed(
  predicate: "left" | "right" | "front" | "behind",
  a: Box,
  b: Box,
  frame: ViewFrame,
): number {
  const gap = gapBetween(a, b);
  if (gap > DIRECTION_M) return 0;
  const d = subtract(centreOf(a), centreOf(b));
  const length = Math.hypot(d.x, d.y);
  if (length < 0.05) return 0;
  const sight = { x: centreOf(b).x - frame.position.x, y: centreOf(b).y - frame.position.y };
  const far = Math.hypot(sight.x, sight.y);
  const forward =
    far > 0.1
      ? { x: sight.x / far, y: sight.y / far }
      : { x: Math.cos(frame.yawRad), y: Math.sin(frame.yawRad) };
  const left = { x: -forward.y, y: forward.x };
  const axis = {
    left,
    right: { x: -left.x, y: -left.y },
    front: { x: -forward.x, y: -forward.y },
    behind: forward,
  }[predicate];
  const cos = (d.x * axis.x + d.y * axis.y) / length;
  return cos < CONE_COS ? 0 : cos * Math.exp(-gap / 2);
}

/** Which of the four directions a point lies in, seen from a pose. */
export function directionFrom(
  frame: ViewFrame,
  point: Vec3,
): { word: "left" | "right" | "front" | "behind"; angleRad: number } {
  const angle = Math.atan2(point.y - frame.position.y, point.x - frame.position.x) - frame.yawRad;
  const wrapped = Math.atan2(Math.sin(angle), Math.cos(angle));
  const word =
    Math.abs(wrapped) <= Math.PI / 4
      ? "front"
      : Math.abs(wrapped) >= (3 * Math.PI) / 4
        ? "behind"
        : wrapped > 0
          ? "left"
          : "right";
  return { word, angleRad: wrapped };
}

/** Sides by the turn, to the left, that it takes to face them. */
const SIDES_RAD: Readonly<Record<string, number>> = {
  front: 0,
  ahead: 0,
  "front left": Math.PI / 4,
  left: Math.PI / 2,
  "back left": (3 * Math.PI) / 4,
  back: Math.PI,
  behind: Math.PI,
  "back right": (-3 * Math.PI) / 4,
  right: -Math.PI / 2,
  "front right": -Math.PI / 4,
};

/** Which of the sides that are offered a bearing is nearest to; undefined when they are no sides. */
export function nearestSide(angleRad: number, offered: readonly string[]): string | undefined {
  const off = (side: string) => {
    const axis = SIDES_RAD[side.toLowerCase().replaceAll("-", " ")]!;
    return Math.abs(Math.atan2(Math.sin(angleRad - axis), Math.cos(angleRad - axis)));
  };
  if (
    offered.length < 2 ||
    offered.some((side) => SIDES_RAD[side.toLowerCase().replaceAll("-", " ")] === undefined)
  )
    return undefined;
  return offered.reduce((best, side) => (off(side) < off(best) ? side : best));
}

function overlapXY(a: Box, b: Box): number {
  const x = Math.min(a.max.x, b.max.x) - Math.max(a.min.x, b.min.x);
  const y = Math.min(a.max.y, b.max.y) - Math.max(a.min.y, b.min.y);
  const area = Math.max(1e-4, (a.max.x - a.min.x) * (a.max.y - a.min.y));
  return x > 0 && y > 0 ? (x * y) / area : 0;
}

/** On a shelf of a rack: inside its box, above its floor. */
function isOnShelf(a: Box, b: Box): boolean {
  return overlapXY(a, b) > 0.6 && a.min.z > b.min.z + 0.1 && a.max.z < b.max.z + 0.1 && extentOf(b).z > 0.8;
}

function closeness(gap: number, withinM: number): number {
  return gap > withinM ? 0 : 1 - 0.7 * (gap / withinM);
}

/** 1 in the middle of the line between two points, falling off to the sides. */
function betweenness(p: Vec3, a: Vec3, b: Vec3): number {
  const line = { x: b.x - a.x, y: b.y - a.y };
  const squared = line.x * line.x + line.y * line.y;
  if (squared < 1e-6) return 0;
  const t = ((p.x - a.x) * line.x + (p.y - a.y) * line.y) / squared;
  if (t < 0.1 || t > 0.9) return 0;
  const aside = Math.hypot(p.x - a.x - t * line.x, p.y - a.y - t * line.y);
  const most = Math.max(0.5, 0.3 * Math.sqrt(squared));
  return aside > most ? 0 : 1 - 0.7 * (aside / most) - Math.abs(t - 0.5) * 0.3;
}

/** Between the closest surfaces of two things. */
export function gapM(a: Thing, b: Thing): number | undefined {
  if (a.box && b.box && !a.worldFromSubmap && !b.worldFromSubmap) return gapBetween(a.box, b.box);
  const [own, other] = [orientedOf(a), orientedOf(b)];
  return own && other
    ? boxGap(own, other)
    : a.position && b.position
      ? distance(a.position, b.position)
      : undefined;
}

/** The box of a thing along its own axes: what stands askew in a room has smaller sides than its bounds. */
function orientedOf({ state, box, worldFromSubmap }: Thing): OrientedBox | undefined {
  if (worldFromSubmap && state.anchor && state.extent)
    return orientedBox(worldFromSubmap, boxFromCentre(state.anchor.p, state.extent));
  return box && orientedBox(IDENTITY, box);
}

/** One number for how large a thing is along what is asked. */
export function sizeOf(thing: Thing, property: string): number | undefined {
  if (!thing.box) return undefined;
  const { x, y, z } = extentOf(thing.box);
  switch (property) {
    case "height":
      return z;
    case "width":
    case "length":
      return Math.max(x, y);
    case "depth":
      return Math.min(x, y);
    case "longest": {
      const own = thing.state.extent ?? { x, y, z };
      return Math.max(own.x, own.y, own.z);
    }
    default:
      return x * y * z;
  }
}

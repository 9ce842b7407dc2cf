import {
  type Box,
  boxContains,
  centreOf,
  extentOf,
  gapBetween,
  inflate,
  intersectionVolume,
  subtract,
  type Vec3,
  volumeOf,
} from "../geometry/index.ts";
import { holds as holdsThings, isKindOf, mobilityOf, supports } from "../ontology/index.ts";
import { bears, hangsDown, isTooFixed } from "./held-by.ts";
import { labelOf } from "./labels.ts";
import { isWithin, type RackRelation, standsBetween, standsTo } from "./rack-place.ts";
import { RELATING } from "./settings/relations.ts";
import { isPartOf } from "./spots.ts";
import type { KnownThing } from "./thing.ts";
import type { Viewer } from "./viewer.ts";

/** Spatial relations between things. */
export const RELATIONS = [
  "on",
  "in",
  "under",
  "above",
  "below",
  "left",
  "right",
  "front",
  "behind",
  "near",
  "beside",
  "between",
  "opposite",
  "around",
  "with",
  "facing",
  "at",
] as const;
export type Relation = (typeof RELATIONS)[number];

/** What a relation is to: a thing, or a room as the space that it fills. */
export interface Anchor {
  readonly box: Box;
  readonly thing?: KnownThing | undefined;
  /** The tracks of the thing and of what stands on it: a thing held by another is elsewhere. */
  readonly carriers?: ReadonlySet<string> | undefined;
  /** Tracks that were inferred to stand on one of those, without a record that says so. */
  readonly resting?: ReadonlySet<string> | undefined;
}

/** docs/formulas.md#directions: a direction is a cone of 45° about its axis, within this range. */
const CONE_COS = Math.cos(Math.PI / 4) - 0.05;

/** How well a relation holds between a thing and an anchor, 0 for not at all. */
export function holds(
  relation: Relation,
  thing: KnownThing,
  anchor: Anchor,
  viewer?: Viewer | undefined,
  other?: Anchor | undefined,
): number {
  const [a, b] = [thing.box, anchor.box];
  if (!a || thing.trackId === anchor.thing?.trackId) return 0;
  if (other && STACKED.has(relation)) return holdsAmong(relation, thing, anchor, other);
  const inRacks = anchor.thing && holdsInRacks(relation, thing, anchor.thing, other?.thing);
  if (inRacks !== undefined) return inRacks;
  switch (relation) {
    case "on": {
      // What is on a place is in it.
      if (anchor.thing?.spot) return holds("in", thing, anchor);
      const on = isOn(thing, a, anchor);
      return on > 0 && !hangsDown(thing) ? on : 0;
    }
    case "in":
      if (anchor.thing?.spot && isPartOf(thing, anchor.thing)) return 0;
      // Things in a shelf stand on one of its boards.
      if (anchor.thing && isOpenStorage(anchor.thing))
        return Math.max(isIn(thing, a, anchor), isOn(thing, a, anchor));
      return isIn(thing, a, anchor);
    case "under":
    case "below":
      return isUnder(a, b) ? 0.9 * Math.exp(-Math.max(0, b.min.z - a.max.z) / RELATING.underM) : 0;
    case "above":
      if (anchor.thing && (isHeld(thing, "on", anchor) || liesOn(a, b) > 0)) return 0;
      return overlapXY(a, b) > 0.1 && a.min.z > centreOf(b).z && a.min.z > b.max.z - RELATING.touchM
        ? 0.9 - Math.min(0.4, Math.max(0, a.min.z - b.max.z) / 5)
        : 0;
    case "with":
      return hasWithIt(thing, anchor);
    case "at":
      return Math.max(
        closeness(gapBetween(a, b), RELATING.besideM),
        isStagedAt(thing, anchor) ? RELATING.staged : 0,
      );
    case "beside":
      // A table is not beside the vase on it, nor the vase beside the table.
      return isCarriage(thing, anchor) ? 0 : closeness(gapBetween(a, b), RELATING.besideM);
    case "near":
      return Math.max(
        closeness(gapBetween(a, b), RELATING.nearM),
        isStagedAt(thing, anchor) ? RELATING.staged : 0,
      );
    case "around":
      return closeness(gapBetween(a, b), RELATING.nearM);
    case "between":
      if (!other) return 0;
      if (isStacked(b, other.box)) return isAmid(a, b, other.box) ? RELATING.amid : 0;
      return isLevelWith(a, b, other.box) ? betweenness(centreOf(a), centreOf(b), centreOf(other.box)) : 0;
    case "opposite":
    case "facing":
      return closeness(gapBetween(a, b), RELATING.acrossM) * 0.6;
    default:
      return viewer ? directed(relation, a, b, viewer) : 0;
  }
}

/** The relations that order things by height. */
export const STACKED: ReadonlySet<Relation> = new Set(["above", "below", "on", "under"]);

/**
 * A relation by height to two anchors. Where one anchor is over the other, the thing has one on either side and is between them;
 * otherwise it stands so to both.
 */
function holdsAmong(relation: Relation, thing: KnownThing, anchor: Anchor, other: Anchor): number {
  const amid = holds("between", thing, anchor, undefined, other);
  if (amid > 0 || isStacked(anchor.box, other.box)) return amid;
  return Math.min(holds(relation, thing, anchor), holds(relation, thing, other));
}

/** Whether one box is over the other: they overlap seen from above, and one begins about where the other ends. */
function isStacked(one: Box, other: Box): boolean {
  const isOver = Math.max(overlapXY(one, other), overlapXY(other, one)) > RELATING.stackedShare;
  const gapM = Math.max(one.min.z, other.min.z) - Math.min(one.max.z, other.max.z);
  return isOver && gapM > -RELATING.levelM;
}

/** Whether a box lies over the lower and under the upper of two others, by their middles. */
function isAmid(a: Box, one: Box, other: Box): boolean {
  const [low, high] = centreOf(one).z < centreOf(other).z ? [one, other] : [other, one];
  const { z } = centreOf(a);
  const isOver = (b: Box) => Math.max(overlapXY(a, b), overlapXY(b, a)) > RELATING.stackedShare;
  return z > centreOf(low).z && z < centreOf(high).z && isOver(low) && isOver(high);
}

/** Whether one of two things carries or contains the other. */
function isCarriage(one: KnownThing, { thing: other }: Anchor): boolean {
  return (
    other !== undefined && (one.heldBy?.trackId === other.trackId || other.heldBy?.trackId === one.trackId)
  );
}

function isStagedAt({ roomId }: KnownThing, { thing: anchor }: Anchor): boolean {
  const kind = anchor?.spot ? labelOf(anchor.name)?.kind : anchor?.category;
  return (
    kind !== undefined && isKindOf(kind, "dock door") && roomId !== undefined && roomId === anchor?.roomId
  );
}

/** The relations that are judged by slots, for things in racks. */
const OF_SLOTS: Readonly<Partial<Record<Relation, RackRelation>>> = {
  above: "above",
  below: "below",
  under: "below",
  beside: "beside",
  opposite: "opposite",
  facing: "opposite",
  behind: "behind",
};

/**
 * Relations of rack places and of goods in them: by slots, whatever their boxes. The parts of a rack are in none of its
 * slots, and beside none. Undefined where boxes decide.
 */
function holdsInRacks(
  relation: Relation,
  thing: KnownThing,
  anchor: KnownThing,
  second?: KnownThing | undefined,
): number | undefined {
  const [own, other, asked] = [thing.slot, anchor.slot, OF_SLOTS[relation]];
  if (!other) return undefined;
  if (anchor.spot && (relation === "in" || relation === "on")) return own && isWithin(own, other) ? 1 : 0;
  if (relation === "between" && own && second?.slot) return standsBetween(own, other, second.slot) ? 1 : 0;
  const isOrdered = asked !== undefined || relation === "between";
  if (!own) return isOrdered && mobilityOf(thing.category) === "furniture" ? 0 : undefined;
  if (relation === "on" && !anchor.spot && !thing.spot)
    return standsTo("above", own, other) ? RELATING.inSlotAbove : undefined;
  // Two cartons in one slot are compared by their boxes, as any two things are.
  if (asked === undefined || (own.code === other.code && !thing.spot && !anchor.spot)) return undefined;
  return standsTo(asked, own, other) ? 1 : 0;
}

/**
 * How likely a thing is although the relation does not hold: a person who says "below the cloth" stood near the cloth.
 */
export function suggests(thing: KnownThing, { box, thing: anchor }: Anchor): number {
  // For things in slots the relation is certain.
  if (thing.slot && anchor?.slot) return 0;
  return thing.box ? Math.exp(-gapBetween(thing.box, box) / RELATING.nearbyM) : 0;
}

function isOn(thing: KnownThing, a: Box, anchor: Anchor): number {
  if (isHeld(thing, "on", anchor)) return 1;
  if (anchor.resting?.has(thing.trackId)) return 0.8;
  // A thing so far away does not lie on it; this excludes most things of a large place quickly.
  if (isFar(a, anchor.box)) return 0;
  // The box of a counter around a corner, or of a table beside a bed, reaches over what stands on the other.
  if (isElsewhere(thing, anchor) || (anchor.thing && !bears(anchor.thing))) return 0;
  // A chair in front of a counter that is higher than it stands on no board of the counter.
  if (isKindOf(thing.category, "furniture") && a.max.z < anchor.box.max.z) return 0;
  if (isLoadOf(thing, a, anchor)) return 0.8;
  const isSeated = isOnSeat(a, anchor.box) && anchor.thing && isSeat(anchor.thing);
  return Math.max(liesOn(a, anchor.box), isSeated ? 0.8 : 0);
}

/** Goods on a pallet hide most of it and are stacked: they reach this far around and above the visible part. */
const LOAD = { aroundM: 0.35, aboveM: 1.5 } as const;

/** Whether one box ends beside the other, out of reach of any load. */
function isFar(a: Box, b: Box): boolean {
  const { aroundM } = LOAD;
  return (
    a.min.x > b.max.x + aroundM ||
    a.max.x < b.min.x - aroundM ||
    a.min.y > b.max.y + aroundM ||
    a.max.y < b.min.y - aroundM
  );
}

/** A thing off the floor above a pallet, or above a part of it that may be hidden. */
function isLoadOf({ category }: KnownThing, a: Box, { thing, box }: Anchor): boolean {
  if (!thing || !isKindOf(thing.category, "pallet") || isKindOf(category, "pallet")) return false;
  const { x, y } = centreOf(a);
  const reach = inflate(box, LOAD.aroundM);
  const isOver = x > reach.min.x && x < reach.max.x && y > reach.min.y && y < reach.max.y;
  const isUp = a.min.z > centreOf(box).z - RELATING.touchM / 2 && a.min.z < box.max.z + LOAD.aboveM;
  return isOver && isUp && mobilityOf(category) !== "agent" && mobilityOf(category) !== "fixed";
}

/** Whether people sit or lie on it. */
export function isSeat({ category }: Pick<KnownThing, "category">): boolean {
  return ["seat", "bed"].some((kind) => isKindOf(category, kind));
}

/** Whether a box is under another, or carries it: a counter is under the kettle on it. */
function isUnder(a: Box, b: Box): boolean {
  const covered = Math.max(overlapXY(a, b), overlapXY(b, a));
  return covered > 0.2 && centreOf(a).z < centreOf(b).z && a.max.z < b.max.z - 0.05;
}

function isIn(thing: KnownThing, a: Box, anchor: Anchor): number {
  if (anchor.thing && isTooFixed(thing, anchor.thing)) return 0;
  if (isHeld(thing, "in", anchor)) return 1;
  if (isElsewhere(thing, anchor)) return 0;
  // Chairs are pushed under a table, and a table contains nothing.
  if (anchor.thing && supports(anchor.thing.category) && !holdsThings(anchor.thing.category)) return 0;
  return liesIn(a, anchor.box);
}

function isOpenStorage({ category }: KnownThing): boolean {
  return isKindOf(category, "shelf") || isKindOf(category, "storage shelf") || isKindOf(category, "bookcase");
}

/** Whether the record says that the anchor, or a thing on it, holds a thing in this way. */
function isHeld({ heldBy }: KnownThing, relation: "on" | "in", { thing, carriers }: Anchor): boolean {
  if (!heldBy || !thing || heldBy.relation !== relation) return false;
  return heldBy.trackId === thing.trackId || carriers?.has(heldBy.trackId) === true;
}

/** Whether the record gives the thing another holder, or this one in another way. */
function isElsewhere({ heldBy }: KnownThing, { thing }: Anchor): boolean {
  return heldBy !== undefined && thing !== undefined;
}

function liesOn(a: Box, b: Box): number {
  const gapM = a.min.z - b.max.z;
  if (overlapXY(a, b) > 0.3 && gapM > -RELATING.touchM && gapM < RELATING.hoverM) return 0.8;
  return isOnShelf(a, b) ? 0.6 : 0;
}

function liesIn(a: Box, b: Box): number {
  if (volumeOf(a) > 0 && intersectionVolume(a, b) / volumeOf(a) > 0.6) return 0.8;
  return boxContains(b, centreOf(a)) ? 0.5 : 0;
}

/** "a dresser with a mirror": the mirror is on it, in it, above it or a part of it. */
function hasWithIt(thing: KnownThing, { thing: part, box }: Anchor): number {
  const own = thing.box!;
  if (!part) return 0;
  const whole = { box: own, thing };
  return Math.max(
    holds("on", part, whole),
    holds("in", part, whole),
    holds("above", part, whole) * 0.9,
    closeness(gapBetween(own, box), RELATING.besideM) * 0.7,
  );
}

/**
 * Left, right, in front or behind from a viewer's position: sideways across the line of sight, nearer or farther along
 * it.
 */
function directed(
  side: "left" | "right" | "front" | "behind",
  a: Box,
  b: Box,
  { position, yawRad }: Viewer,
): number {
  const gap = gapBetween(a, b);
  if (gap > RELATING.directionM) return 0;
  const d = subtract(centreOf(a), centreOf(b));
  const length = Math.hypot(d.x, d.y);
  if (length < 0.05) return 0;
  const sight = { x: centreOf(b).x - position.x, y: centreOf(b).y - position.y };
  const far = Math.hypot(sight.x, sight.y);
  const forward =
    far > 0.1 ? { x: sight.x / far, y: sight.y / far } : { x: Math.cos(yawRad), y: Math.sin(yawRad) };
  const left = { x: -forward.y, y: forward.x };
  const axis = {
    left,
    right: { x: -left.x, y: -left.y },
    front: { x: -forward.x, y: -forward.y },
    behind: forward,
  }[side];
  const cos = (d.x * axis.x + d.y * axis.y) / length;
  return cos < CONE_COS ? 0 : cos * Math.exp(-gap / 2);
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

/** On the cushions, below the top of the back. */
function isOnSeat(a: Box, b: Box): boolean {
  return overlapXY(a, b) > 0.3 && a.min.z > b.min.z + 0.2 && a.min.z < b.max.z + RELATING.touchM;
}

function closeness(gap: number, withinM: number): number {
  return gap > withinM ? 0 : 1 - 0.7 * (gap / withinM);
}

/** 1 in the middle of the line between two points, falling off to the sides. */
/** Whether a box overlaps the heights of two others: a picture above them is not between them. */
function isLevelWith(a: Box, one: Box, other: Box): boolean {
  const [from, to] = [Math.min(one.min.z, other.min.z), Math.max(one.max.z, other.max.z)];
  return Math.min(a.max.z, to) - Math.max(a.min.z, from) > RELATING.levelM;
}

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

import { carrying } from "../../../belief/holder.ts";
import { type Anchor, holds, type Relation, STACKED, suggests } from "../../../belief/relations.ts";
import type { RoomView } from "../../../belief/room-names.ts";
import { PLACES } from "../../../belief/settings/places.ts";

import type { KnownThing } from "../../../belief/thing.ts";
import type { Viewer } from "../../../belief/viewer.ts";
import { type Box, boxFromPoints, gapBetween } from "../../../geometry/index.ts";
import { isKindOf } from "../../../ontology/index.ts";
import type { Scope } from "../operator.ts";
import type { Completeness, KnownValue, ThingsValue, UnknownValue } from "../value.ts";
import { isAcross } from "./across.ts";
import { thingsValue } from "./find.ts";
import { elsewhere } from "./place.ts";
import { standsAlone } from "./standing.ts";
import { egoSide, viewerOf } from "./viewer.ts";

/** A relation to more things than these is not tested one by one. */
const MOST_ANCHORS = 16;
/** Relations that hold or not; the others are gradual, so a partial fit may be meant. */
const EXACT: ReadonlySet<Relation> = new Set(["on", "in", "under", "between"]);
const STILL_MEANT = 0.3;
/** Factor for a relation that does not hold, higher where it nearly does. */
const NOT_SO = 0.2;
const NEARLY = 0.4;
const UNKNOWN = 0.6;
/** Relations that require the same room. */
const OPEN: ReadonlySet<Relation> = new Set(["beside", "near", "left", "right", "front", "behind"]);
/** Across the room from something. */
const ACROSS: ReadonlySet<Relation> = new Set(["opposite", "facing"]);
const OTHER_ROOM = 0.3;
/** Things that belong to the rooms on both sides of a wall. */
const IN_WALLS = ["door", "window", "stairs"];
/** Factor for things that hang or lie on something: things that stand by themselves are likelier meant. */
const NOT_STANDING = 0.7;

/** How well a relation holds for a thing, and otherwise how plausible the thing still is. */
export interface Judgement {
  readonly score: number;
  readonly hint: number;
}
export type Judge = (thing: KnownThing) => Judgement;

/** The anchors of a relation: things with those that fit as well, or rooms as the space that they fill. */
export function anchorsOf(value: KnownValue | UnknownValue): Anchor[] {
  if (value.kind === "unknown") return value.goal?.box ? [{ box: value.goal.box, thing: value.goal }] : [];
  if (value.kind === "things")
    return [...value.things, ...(value.rivals ?? [])]
      .slice(0, MOST_ANCHORS)
      .flatMap((thing) => (thing.box ? [{ box: thing.box, thing }] : []));
  if (value.kind !== "rooms") return [];
  return value.rooms.slice(0, MOST_ANCHORS).flatMap((room) => {
    const box = spaceOf(room);
    return box ? [{ box }] : [];
  });
}

/** A room as the space that it fills; undefined where its outline is not known. */
export function spaceOf(room: RoomView): Box | undefined {
  const hull = room.record.hull ?? [];
  const box = hull.length < 3 ? undefined : boxFromPoints(hull);
  return box && { ...box, max: { ...box.max, z: box.min.z + PLACES.roomM } };
}

/** A relation to things or rooms. */
export async function judgeByAnchors(
  relation: Relation,
  asked: readonly Anchor[],
  others: readonly Anchor[],
  withinM: number | undefined,
  scope: Scope,
): Promise<Judge> {
  const anchors =
    relation === "on" || relation === "in"
      ? await Promise.all(asked.map((one) => carrying(one, scope.memory, scope.during)))
      : asked;
  const viewers = new Map<Anchor, Viewer | undefined>();
  if (["left", "right", "front", "behind"].includes(relation))
    for (const anchor of anchors) viewers.set(anchor, await viewerOf(anchor.thing, scope));
  const rooms = (await scope.memory.house()) ?? [];
  const storeys = new Map(rooms.map(({ id, storey }) => [id, storey]));
  const spaces = new Map(rooms.map((room) => [room.id, spaceOf(room)]));
  const isToTwo = relation === "between" || (others !== asked && STACKED.has(relation));
  const strength = (thing: KnownThing, anchor: Anchor): number => {
    if (withinM !== undefined) return within(thing, anchor, withinM);
    if (isToTwo) return toBoth(relation, thing, anchor, others);
    const isRoomWide = ACROSS.has(relation) && anchor.thing !== undefined && !anchor.thing.slot;
    const across = isRoomWide ? isAcross(thing, anchor.thing, spaces) : undefined;
    return across ?? holds(relation, thing, anchor, viewers.get(anchor)) * sameRoom(relation, thing, anchor);
  };
  return (thing) => {
    let [score, hint] = [0, 0];
    for (const anchor of anchors) {
      if (isOnOtherFloor(thing, anchor, storeys)) continue;
      const trusted = anchor.thing?.fit ?? 1;
      hint = Math.max(hint, suggests(thing, anchor));
      const held = strength(thing, anchor);
      score = Math.max(score, held * (0.5 + 0.5 * trusted));
    }
    return { score: OPEN.has(relation) && !standsAlone(thing) ? score * NOT_STANDING : score, hint };
  };
}

/** Things below the floor or above the ceiling of an anchor are not beside, under or over it. */
function isOnOtherFloor(
  { roomId, category }: KnownThing,
  { thing: anchor }: Anchor,
  storeys: ReadonlyMap<string, number>,
): boolean {
  const [own, other] = [storeys.get(roomId ?? ""), storeys.get(anchor?.roomId ?? "")];
  // Stairs are on both.
  const isApart = own !== undefined && other !== undefined && own !== other;
  return isApart && ![category, anchor!.category].some((kind) => isKindOf(kind, "stairs"));
}

function within(thing: KnownThing, anchor: Anchor, withinM: number): number {
  if (!thing.box || thing.trackId === anchor.thing?.trackId) return 0;
  const gap = gapBetween(thing.box, anchor.box);
  return gap > withinM ? 0 : 1 - 0.3 * (gap / withinM);
}

/** A relation to an anchor and the best of the others. */
function toBoth(relation: Relation, thing: KnownThing, anchor: Anchor, others: readonly Anchor[]): number {
  const apart = others.filter(
    (other) =>
      other !== anchor &&
      (other.thing === undefined ||
        (other.thing.trackId !== anchor.thing?.trackId && other.thing.trackId !== thing.trackId)),
  );
  return Math.max(0, ...apart.map((other) => holds(relation, thing, anchor, undefined, other)));
}

/**
 * The factor for things in two rooms. A wall stands between them: neither is beside the other, unless one of them is in that
 * wall.
 */
function sameRoom(relation: Relation, { roomId, category }: KnownThing, { thing }: Anchor): number {
  const isOther = roomId !== undefined && thing?.roomId !== undefined && roomId !== thing.roomId;
  if (!OPEN.has(relation) || !isOther) return 1;
  const isInWall = [category, thing.category].some((kind) => IN_WALLS.some((one) => isKindOf(kind, one)));
  return relation === "beside" && !isInWall ? 0 : OTHER_ROOM;
}

/** A relation to a viewer. */
export async function judgeByViewer(
  relation: Relation,
  viewer: Viewer,
  withinM: number | undefined,
  { memory }: Scope,
  isAnything: boolean,
): Promise<Judge> {
  const hereId = viewer.looksInto ?? (await memory.roomAt(viewer.position))?.id;
  const storeys = new Map((await memory.rooms()).map(({ id, storey }) => [id, storey]));
  const own = storeys.get(hereId ?? "");
  return (thing) => {
    const storey = storeys.get(thing.roomId ?? "");
    // A viewer does not see through a floor.
    const isOther = own !== undefined && storey !== undefined && storey !== own;
    if (!thing.position || isOther) return { score: 0, hint: 0 };
    const m = Math.hypot(thing.position.x - viewer.position.x, thing.position.y - viewer.position.y);
    const hint = Math.exp(-m / 2);
    if (withinM !== undefined && m > withinM) return { score: 0, hint };
    if (withinM !== undefined && relation === "near") return { score: 1 - 0.3 * (m / withinM), hint };
    const isAway = hereId !== undefined && thing.roomId !== undefined && thing.roomId !== hereId;
    const into = viewer.looksInto !== undefined;
    if (isAway && into) return { score: 0, hint };
    // "What is there?" means things that stand there; a question about pillows means those on the bed.
    const alone = standsAlone(thing) || (into && !isAnything) ? 1 : into ? 0.1 : 0.35;
    return { score: egoSide(relation, thing, viewer) * (isAway ? 0.2 : 1) * alone, hint };
  };
}

interface Judged extends Judgement {
  readonly of: KnownThing;
}

/** What holds for either track of one thing holds for it: the track for which it holds best. */
function bestOf(thing: KnownThing, judge: Judge): Judged {
  if (!thing.twins) return { of: thing, ...judge(thing) };
  const all = [thing, ...thing.twins].map((of) => ({ of, ...judge(of) }));
  return all.reduce((best, one) => (one.score > best.score ? one : best));
}

/** The things of a set for which a relation holds; the others are elsewhere, the nearer ones likelier. */
export async function related(
  set: ThingsValue,
  relation: Relation,
  judge: Judge,
  more: {
    readonly where: string;
    readonly complete: Completeness;
    readonly lacking?: UnknownValue | undefined;
  },
  scope: Scope,
): Promise<ThingsValue> {
  // "What is above the stove?" is exact; "the hood above it" may be put loosely.
  const isPlumb = relation === "above" || relation === "below";
  const told = new Map<KnownThing, Judged>();
  const judgedOnce = (thing: KnownThing): Judged => {
    const known = told.get(thing) ?? bestOf(thing, judge);
    told.set(thing, known);
    return known;
  };
  const isExact =
    set.phrase === "thing" && (isPlumb || set.things.some((thing) => judgedOnce(thing).score > 0));
  const judged = async (things: readonly KnownThing[]): Promise<KnownThing[]> => {
    const [so, not]: [KnownThing[], KnownThing[]] = [[], []];
    for (const thing of things) {
      const { score, hint, of } = judgedOnce(thing);
      if (score > 0) {
        so.push({ ...of, fit: thing.fit * (0.5 + 0.5 * score) });
        continue;
      }
      // Only known anchors count against a thing; an unknown one does not.
      const fit = thing.fit * (more.lacking ? UNKNOWN * hint : NOT_SO + NEARLY * hint);
      const isOpen = more.lacking !== undefined || (!EXACT.has(relation) && hint >= STILL_MEANT && !isExact);
      (isOpen ? so : not).push({ ...thing, fit });
    }
    return [...so, ...(await elsewhere(not, "relation", scope.memory))];
  };
  const [own, others] = [await judged(set.things), await judged(set.elsewhere ?? [])];
  const parts = { phrase: set.phrase, times: set.times, told: (set.told ?? 0) + 1, scope, ...more };
  return more.lacking
    ? thingsValue([], { ...parts, elsewhere: [...own, ...others] })
    : thingsValue(own, { ...parts, elsewhere: others });
}

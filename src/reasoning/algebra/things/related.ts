import { carrying } from "../../../belief/holder.ts";
import { type Anchor, holds, type Relation, suggests } from "../../../belief/relations.ts";
import type { RoomView } from "../../../belief/room-names.ts";
import { ROOM_M } from "../../../belief/rooms.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import type { Viewer } from "../../../belief/viewer.ts";
import { type Box, boxFromPoints, gapBetween } from "../../../geometry/index.ts";
import type { Scope } from "../operator.ts";
import type { Completeness, KnownValue, ThingsValue, UnknownValue } from "../value.ts";
import { thingsValue } from "./find.ts";
import { elsewhere } from "./place.ts";
import { standsAlone } from "./standing.ts";
import { egoSide, viewerOf } from "./viewer.ts";

/** A relation to more things than these is not looked at one by one. */
const MOST_ANCHORS = 16;
/** The other relations hold more or less: what is not quite so may be meant all the same. */
const EXACT: ReadonlySet<Relation> = new Set(["on", "in", "under", "between"]);
const STILL_MEANT = 0.3;
/** What is left of a likelihood where a relation does not hold, more where it nearly does. */
const NOT_SO = 0.2;
const NEARLY = 0.4;
const UNKNOWN = 0.6;
/** Beside something is what is in the same room. */
const OPEN: ReadonlySet<Relation> = new Set(["beside", "near", "left", "right", "front", "behind"]);
const OTHER_ROOM = 0.3;
/** What hangs or lies on something is named after what stands by itself. */
const NOT_STANDING = 0.7;

/** How well a relation holds for a thing, and how much speaks for its being meant where it does not. */
export interface Judgement {
  readonly score: number;
  readonly hint: number;
}
export type Judge = (thing: KnownThing) => Judgement;

/** Where a relation begins: things with those that fit as well, or rooms as the space that they fill. */
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
  return box && { ...box, max: { ...box.max, z: box.min.z + ROOM_M } };
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
  return (thing) => {
    let [score, hint] = [0, 0];
    for (const anchor of anchors) {
      const trusted = anchor.thing?.fit ?? 1;
      hint = Math.max(hint, suggests(thing, anchor));
      const held =
        withinM !== undefined
          ? within(thing, anchor, withinM)
          : relation === "between"
            ? betweenAny(thing, anchor, others)
            : holds(relation, thing, anchor, viewers.get(anchor)) * sameRoom(relation, thing, anchor);
      score = Math.max(score, held * (0.5 + 0.5 * trusted));
    }
    return { score: OPEN.has(relation) && !standsAlone(thing) ? score * NOT_STANDING : score, hint };
  };
}

function within(thing: KnownThing, anchor: Anchor, withinM: number): number {
  if (!thing.box || thing.trackId === anchor.thing?.trackId) return 0;
  const gap = gapBetween(thing.box, anchor.box);
  return gap > withinM ? 0 : 1 - 0.3 * (gap / withinM);
}

function betweenAny(thing: KnownThing, anchor: Anchor, others: readonly Anchor[]): number {
  const apart = others.filter(
    (other) =>
      other !== anchor &&
      (other.thing === undefined ||
        (other.thing.trackId !== anchor.thing?.trackId && other.thing.trackId !== thing.trackId)),
  );
  return Math.max(0, ...apart.map((other) => holds("between", thing, anchor, undefined, other)));
}

function sameRoom(relation: Relation, { roomId }: KnownThing, { thing }: Anchor): number {
  const isOther = roomId !== undefined && thing?.roomId !== undefined && roomId !== thing.roomId;
  return OPEN.has(relation) && isOther ? OTHER_ROOM : 1;
}

/** A relation to somebody who stands and looks. */
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
    // Nobody sees through a floor.
    const isOther = own !== undefined && storey !== undefined && storey !== own;
    if (!thing.position || isOther) return { score: 0, hint: 0 };
    const m = Math.hypot(thing.position.x - viewer.position.x, thing.position.y - viewer.position.y);
    const hint = Math.exp(-m / 2);
    if (withinM !== undefined && m > withinM) return { score: 0, hint };
    if (withinM !== undefined && relation === "near") return { score: 1 - 0.3 * (m / withinM), hint };
    const isAway = hereId !== undefined && thing.roomId !== undefined && thing.roomId !== hereId;
    const into = viewer.looksInto !== undefined;
    if (isAway && into) return { score: 0, hint };
    // Who asks what is there means what stands there; who asks for pillows means those on the bed.
    const alone = standsAlone(thing) || (into && !isAnything) ? 1 : into ? 0.1 : 0.35;
    return { score: egoSide(relation, thing, viewer) * (isAway ? 0.2 : 1) * alone, hint };
  };
}

/** Those of a set for which a relation holds; the others are elsewhere, the nearer to it the likelier. */
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
  // Who asks what is above the stove means what is; who asks for the hood above it may not have put it well.
  const isPlumb = relation === "above" || relation === "below";
  const isExact = set.phrase === "thing" && (isPlumb || set.things.some((thing) => judge(thing).score > 0));
  const judged = async (things: readonly KnownThing[]): Promise<KnownThing[]> => {
    const [so, not]: [KnownThing[], KnownThing[]] = [[], []];
    for (const thing of things) {
      const { score, hint } = judge(thing);
      if (score > 0) {
        so.push({ ...thing, fit: thing.fit * (0.5 + 0.5 * score) });
        continue;
      }
      // Nothing that was mentioned and is not known speaks against a thing; only what is known does.
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

import { distance, gapBetween, inflate } from "../../geometry/index.ts";
import type { Journal } from "../records/journal.ts";
import { ASSOCIATE } from "../settings/associate.ts";
import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import { isFluent } from "../state/fluents.ts";
import { nearness } from "../state/nearness.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import { mergeKnown } from "./merging.ts";
import { SameThing } from "./same-thing.ts";

const SAME = new SameThing();

/** Whose boxes are believed where both maps have a thing: those along whose axes the house was built are the tighter. */
export type ShapesOf = "first" | "second" | "both";

/**
 * Things of two maps that were joined, one with one: each robot has counted what it saw, so that two of one map are never
 * one, and what is left over beside what is left over of its kind is that. Nearest first.
 */
export function mergeAcross(
  scene: Scene,
  isOther: (thing: Thing) => boolean,
  shapes: ShapesOf,
  journal: Journal,
  isDoubted: (thing: Thing) => boolean = () => false,
): void {
  const all = [...scene.things.values()].filter(({ isConfirmed }) => isConfirmed);
  const pairs = all
    .filter((thing) => !isOther(thing))
    .flatMap((one) =>
      [...scene.things.near(inflate(one.worldBox, MERGE.farthestM))]
        .filter((other) => other.isConfirmed && isOther(other) && mayBeOne(scene, one, other, isOther))
        .map((other) => ({ one, other, awayM: awayOf(one, other) })),
    )
    .sort((p, q) => p.awayM - q.awayM || (p.one.stateId < q.one.stateId ? -1 : 1));
  const taken = new Set<Thing>();
  for (const { one, other } of pairs) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
    if (shapes === "first") other.shape.become(one.shape);
    if (shapes === "second") one.shape.become(other.shape);
    mergeKnown(scene, one, other, journal);
  }
  for (const thing of all) {
    if (taken.has(thing)) continue;
    const isKnown = (one: Thing) => taken.has(one) || (isDoubted(thing) && !isDoubted(one));
    mergeGlimpsed(scene, thing, isKnown, isDoubted(thing), journal);
  }
  mergePeople(scene, isOther, journal);
}

/**
 * What one robot hardly saw, in the place of what both know well, is that: a glimpse at a part of something has its own box, and
 * who has looked so rarely has not counted. Of a robot that is doubted, whatever it calls it, and twice as many looks.
 */
function mergeGlimpsed(
  scene: Scene,
  glimpsed: Thing,
  isKnown: (thing: Thing) => boolean,
  isDoubted: boolean,
  journal: Journal,
): void {
  const { detections } = glimpsed.evidence;
  const few = isDoubted ? 2 * COMMON.fewLooks : COMMON.fewLooks;
  if (detections > few || !scene.things.has(glimpsed)) return;
  const [one] = [...scene.things.near(inflate(glimpsed.worldBox, COMMON.touchM))]
    .filter(
      (thing) =>
        thing !== glimpsed &&
        isKnown(thing) &&
        thing.evidence.detections >= MERGE.oftenTimes * (isDoubted ? 1 : detections) &&
        isInPlaceOf(scene, thing, glimpsed, isDoubted),
    )
    .sort((a, b) => awayOf(a, glimpsed) - awayOf(b, glimpsed) || (a.stateId < b.stateId ? -1 : 1));
  if (one) mergeKnown(scene, one, glimpsed, journal);
}

function isInPlaceOf(scene: Scene, one: Thing, glimpsed: Thing, isDoubted: boolean): boolean {
  const near = nearness(one, glimpsed, true);
  const isOneBody = near === "one-body" || near === "within";
  if (one.words.category === glimpsed.words.category) return isOneBody || near === "overlapping";
  return isOneBody && (isDoubted || SAME.logOdds(scene, one, glimpsed) >= MERGE.lastOdds);
}

/**
 * People are one where they have a name of their own, or look alike where they are only called what all are called: what they
 * have in common is not where they are.
 */
function mergePeople(scene: Scene, isOther: (thing: Thing) => boolean, journal: Journal): void {
  const people = [...scene.movers].filter(({ type, isConfirmed }) => type === "person" && isConfirmed);
  const taken = new Set<Thing>();
  for (const one of people) {
    if (isOther(one)) continue;
    const alike = people.filter((other) => {
      if (!isOther(other) || taken.has(other)) return false;
      const name = properName(one);
      if (name !== undefined || properName(other) !== undefined) return name === properName(other);
      if (one.words.name !== other.words.name) return false;
      const { agree, conflict } = one.words.attributeBalance(other.words, isFluent);
      return agree > 0 && conflict === 0;
    });
    const [other] = alike;
    // Of several that look alike nobody knows which is meant.
    if (other === undefined || alike.length > 1) continue;
    taken.add(other);
    mergeKnown(scene, one, other, journal);
  }
}

/** The name that somebody has, beside the words for what can be seen of them. */
function properName({ words }: Thing): string | undefined {
  return words.name.match(/\p{Lu}[\p{L}'’-]*/gu)?.join(" ");
}

function mayBeOne(scene: Scene, one: Thing, other: Thing, isOther: (thing: Thing) => boolean): boolean {
  const near = nearness(one, other, true);
  const isOneBody = near === "one-body" || near === "within";
  if (one.words.category !== other.words.category)
    return isOneBody && SAME.logOdds(scene, one, other) >= MERGE.lastOdds;
  if (isOneBody) return true;
  const isOtherwise = one.words.attributeBalance(other.words, isFluent).conflict > 0;
  if (isOtherwise && !isOnlyOne(scene, one, isOther)) return false;
  return near !== "apart" || gapBetween(one.worldBox, other.worldBox) <= reachOf(one, other);
}

/** Whether either map has but one of its kind about there: then a colour was misread. */
function isOnlyOne(scene: Scene, one: Thing, isOther: (thing: Thing) => boolean): boolean {
  const alike = [...scene.things.near(inflate(one.worldBox, MERGE.farthestM))].filter(
    (thing) => thing.isConfirmed && thing.words.category === one.words.category,
  );
  const others = alike.filter(isOther).length;
  return others === 1 && alike.length - others === 1;
}

/** Middles of large things depend on how much of them was seen. */
function reachOf(one: Thing, other: Thing): number {
  return Math.min(
    MERGE.farthestM,
    COMMON.touchM + ASSOCIATE.radiusPerDiagonal * Math.max(one.diagonalM, other.diagonalM),
  );
}

/** Kinds come before distances: a chair beside a chair is that chair, not the stool between them. */
function awayOf(one: Thing, other: Thing): number {
  const awayM = distance(one.centre, other.centre);
  return one.words.category === other.words.category ? awayM : awayM + 2 * MERGE.farthestM;
}

import type { Box } from "../../geometry/index.ts";
import { distance, extentOf, gapBetween, inflate } from "../../geometry/index.ts";
import { wereInOnePlace } from "../associate/movers.ts";
import type { Journal } from "../records/journal.ts";
import { fold, giveTo } from "../records/stays.ts";
import { noteChange, writeThing } from "../records/writing.ts";
import { ASSOCIATE } from "../settings/associate.ts";
import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import { isFluent } from "../state/fluents.ts";
import type { AlignedFrame } from "../state/frame.ts";
import { missProbability } from "../state/frame-view.ts";
import { callName, isNamedOtherwise } from "../state/given-name.ts";
import { join } from "../state/join.ts";
import {
  areBeside,
  areOne,
  areTwins,
  isOver,
  type Nearness,
  nearness,
  sharesSide,
} from "../state/nearness.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import { isWithin } from "./features.ts";
import { areBackToBack, areFaces } from "./figures.ts";
import { areInOnePlaceAtOnce, areOneByLooks } from "./one-thing.ts";
import { SameThing } from "./same-thing.ts";

/** The radius in which rivals of a thing are searched: the wings of a curtain are as far apart as a window is wide. */
const REACH_M = MERGE.farthestM;
const SAME = new SameThing();

/**
 * For every thing of this frame, updates the odds that a like neighbour is the same thing, and merges those that are.
 */
export function mergeRivals(
  scene: Scene,
  frame: AlignedFrame,
  seen: ReadonlyMap<Thing, number>,
  journal: Journal,
) {
  const gone = new Set<Thing>();
  for (const [thing, index] of seen) {
    if (gone.has(thing) || thing.type !== "object") continue;
    for (const other of scene.things.near(inflate(thing.worldBox, REACH_M))) {
      if (other === thing || gone.has(other) || !sameAccess(thing, other)) continue;
      const near = rivalry(scene, thing, other);
      const place = seen.get(other);
      const isOfAKind = isInReach(thing, other) && mayBeOfAKind(thing, other);
      if (near === "apart" && !isOfAKind && (place === undefined || !mayBeMistaken(thing, other))) continue;
      if (place !== undefined) {
        const isOneBody = near === "one-body" && Math.max(thing.diagonalM, other.diagonalM) >= COMMON.smallM;
        const arePiecesHere = isPiece(frame, thing, index) && isPiece(frame, other, place);
        // Chairs at a table also show only pieces of themselves; without an overlap no mask was split.
        const isSplit = near !== "apart" && near !== "close" && (isOneBody || arePiecesHere);
        // Stored with the smaller thing: a shelf holds more things than its tally has room for.
        const [small, large] = thing.diagonalM <= other.diagonalM ? [thing, other] : [other, thing];
        const isBeside = areBeside(frame, index, place);
        if (thing.stateId < other.stateId && (isBeside || !isSplit))
          small.rivals.seenTogether(large, isBeside);
        if (isOfAKind && areTwins(thing, other)) keepApart(scene, thing, other);
        continue;
      }
      if (isOfAKind && hasSwung(frame, other, thing)) {
        other.shape.clear();
        merge(scene, other, thing, journal);
        gone.add(thing);
        break;
      }
      if (isOfAKind && isOver(solidOf(frame, index), other.worldBox)) thing.rivals.seenOver(other);
      const visiblePx = near === "apart" ? undefined : visiblePixels(frame, other, near);
      if (visiblePx !== undefined) thing.rivals.seenWithout(other, missProbability(visiblePx));
      if (!areOneNow(scene, thing, other, near, visiblePx !== undefined)) continue;
      const [kept, lost] = inOrder(thing, other);
      merge(scene, kept, lost, journal);
      gone.add(lost);
      if (lost === thing) break;
    }
  }
}

/**
 * A person who was lost from view and detected again elsewhere may have two tracks. They are merged if they look the
 * same, were never seen together in one frame, and one could have walked to where the other is.
 */
export function mergeMovers(scene: Scene, seen: ReadonlyMap<Thing, number>, journal: Journal): void {
  const here = [...seen.keys()].filter(({ type, isConfirmed }) => type !== "object" && isConfirmed);
  if (here.length > 0) mergeNamesakes(scene, journal);
  for (const mover of here) {
    for (const other of [...scene.movers]) {
      if (other === mover || other.type !== mover.type || !other.isConfirmed || !scene.movers.has(mover))
        continue;
      const apartM = distance(mover.centre, other.centre);
      if (seen.has(other)) {
        if (apartM > COMMON.largeM && mover.stateId < other.stateId) mover.rivals.seenTogether(other);
        continue;
      }
      if (mover.words.category !== other.words.category || !sameAccess(mover, other)) continue;
      const isOtherwise = mover.words.attributeBalance(other.words, isFluent).conflict > 0;
      if (isNamedOtherwise(mover, other.words.name)) continue;
      if (isOtherwise && !wereInOnePlace(mover, other)) continue;
      if (mover.rivals.timesWith(other) + other.rivals.timesWith(mover) > 0) continue;
      const elapsedS = (mover.evidence.lastSeenUs - other.evidence.lastSeenUs) / 1e6;
      if (apartM > COMMON.largeM + ASSOCIATE.moverSpeedMps * elapsedS) continue;
      const [kept, lost] = inOrder(mover, other);
      other.shape.clear();
      merge(scene, kept, lost, journal);
      scene.movers.add(kept);
    }
  }
}

/** Movers with the same personal name are one: of open ones one record stays, of the others the track. */
export function mergeNamesakes(scene: Scene, journal: Journal): void {
  const named = [...scene.movers, ...scene.ended].filter(
    (mover) => mover.type !== "object" && mover.isConfirmed && callName(mover) !== undefined,
  );
  for (const all of Map.groupBy(named, (mover) => `${mover.words.category} ${callName(mover)}`).values()) {
    const [first, ...others] = all.toSorted((a, b) => a.evidence.firstSeenUs - b.evidence.firstSeenUs);
    let open = scene.movers.has(first!) ? first : undefined;
    for (const other of others) {
      if (!sameAccess(first!, other)) continue;
      if (open && scene.movers.has(other)) {
        const [kept, lost] = inOrder(open, other);
        // The person is at the latest sighting.
        (kept.evidence.lastSeenUs < lost.evidence.lastSeenUs ? kept : lost).shape.clear();
        merge(scene, kept, lost, journal);
        scene.movers.add(kept);
        open = kept;
        continue;
      }
      open ??= scene.movers.has(other) ? other : undefined;
      const trackId = scene.trackOf(first!.trackId);
      if (scene.trackOf(other.trackId) === trackId) continue;
      giveTo(scene, other, trackId, journal);
      writeThing(scene, other, journal);
    }
  }
}

/**
 * After a map correction, and at the end: merges records of one thing (docs/formulas.md#same-thing), overlapping ones
 * first. By then every record knows which things were seen beside its own, under any record.
 */
export function mergeAll(scene: Scene, journal: Journal): void {
  const areOneThing = (a: Thing, b: Thing) => areOneAtLast(scene, a, b);
  const areOverlapping = (a: Thing, b: Thing) =>
    !["close", "apart"].includes(nearness(a, b, true)) && areOneThing(a, b);
  for (const are of [areOverlapping, areOneThing]) {
    for (const thing of [...scene.things.values()]) {
      if (!thing.isConfirmed || !scene.things.has(thing)) continue;
      for (const other of scene.things.near(inflate(thing.worldBox, REACH_M))) {
        if (other === thing || !other.isConfirmed || !sameAccess(thing, other)) continue;
        if (inOrder(thing, other)[0] === thing && are(thing, other)) merge(scene, thing, other, journal);
      }
    }
  }
}

/**
 * Records with the same label and look are told apart by what frames showed of them; others by the fitted score, which
 * handles wrong labels and misread attributes better than rules do (and pieces of curtains, doors and chairs worse:
 * decision 16).
 */
function areOneNow(scene: Scene, a: Thing, b: Thing, near: Nearness, isShown: boolean): boolean {
  if (a.words.category !== b.words.category) return SAME.logOdds(scene, a, b) >= MERGE.nowOdds;
  if (isInReach(a, b) && mayBeOfAKind(a, b) && areOneByLooks(a, b, false)) return true;
  return isShown && areOne(a, b, near);
}

function areOneAtLast(scene: Scene, a: Thing, b: Thing): boolean {
  if (mayBeOfAKind(a, b)) return areOneByLooks(a, b, true);
  if (areInOnePlaceAtOnce(a, b)) return true;
  if (b.links.movedFrom) return false;
  // A different-looking thing that appeared after the last sighting of the first one replaced it, and is another.
  const isOtherwise = a.words.attributeBalance(b.words, isFluent).conflict > 0;
  if (isOtherwise && !isWithin(a, b) && !isWithin(b, a)) return false;
  return SAME.logOdds(scene, a, b) >= MERGE.lastOdds;
}

/** Whether a flat thing has turned about its edge, as doors do: it stands across, and its old place is seen through. */
function hasSwung({ view }: AlignedFrame, before: Thing, after: Thing): boolean {
  if (
    !before.isConfirmed ||
    after.evidence.detections < COMMON.fewLooks ||
    before.evidence.lastSeenUs >= after.evidence.firstSeenUs
  )
    return false;
  if (before.rivals.timesWith(after) + after.rivals.timesWith(before) > 0 || !areFaces(before, after))
    return false;
  const probe = view.probe(before.worldBox, []);
  return probe !== undefined && probe.through >= COMMON.majorityShare * probe.tested;
}

/** Two things that are seen side by side do not reach over each other: observations that said so covered both. */
function keepApart(scene: Scene, thing: Thing, other: Thing): void {
  const isOverOther = (look: Box) => isOver(look, other.worldBox);
  if (thing.shape.forgetOver(isOverOther, scene.places.placeOf)) scene.settle(thing);
}

/** Whether no attribute of the two contradicts their being one. */
function mayBeOfAKind(a: Thing, b: Thing): boolean {
  if (a.words.category !== b.words.category) return false;
  return a.words.attributeBalance(b.words, isFluent).conflict === 0;
}

function isInReach(a: Thing, b: Thing): boolean {
  const reachM = Math.max(a.diagonalM, b.diagonalM) < COMMON.handyM ? COMMON.flatM : MERGE.farthestM;
  return gapBetween(a.worldBox, b.worldBox) <= reachM;
}

/** The spatial relation of two things, as far as their labels allow them to be one. */
function rivalry(scene: Scene, thing: Thing, other: Thing): Nearness {
  const { agree, conflict } = thing.words.attributeBalance(other.words, isFluent);
  if (conflict > 0) return "apart";
  const sameCategory = thing.words.category === other.words.category;
  if (!sameCategory && agree === 0 && thing.isConfirmed && other.isConfirmed) return "apart";
  // An unlabelled thing has fewer attributes in common with others.
  const isLike = () => thing.words.isLike(other.words, scene.background);
  const areLike = sameCategory || thing.words.maybeAs(other.words) || (agree > 1 && isLike());
  const near = nearness(thing, other, areLike);
  if (near === "close" && !sameCategory) return "apart";
  if (near === "one-body") return near;
  return sharesSide(thing, other) && !areBackToBack(thing, other) ? near : "apart";
}

/**
 * Whether one could later be taken for a piece of the other, or for the other misread: then joint sightings are
 * recorded.
 */
function mayBeMistaken(a: Thing, b: Thing): boolean {
  const { agree, conflict } = a.words.attributeBalance(b.words, isFluent);
  return agree > 0 && conflict === 0 && nearness(a, b, true) !== "apart";
}

function solidOf({ candidates }: AlignedFrame, index: number): Box | undefined {
  return candidates.find((candidate) => candidate.index === index)?.solid.box;
}

/** A detection clearly smaller than the thing: two of those in one frame are the halves of a split mask. */
function isPiece({ percept, candidates }: AlignedFrame, thing: Thing, index: number): boolean {
  const solid = candidates.find((candidate) => candidate.index === index)?.solid;
  if (!solid || percept.detections[index]!.truncated) return false;
  const e = extentOf(thing.worldBox);
  const share =
    (((2 * solid.half.x + COMMON.edgeM) / (e.x + COMMON.edgeM)) *
      ((2 * solid.half.y + COMMON.edgeM) / (e.y + COMMON.edgeM)) *
      (2 * solid.half.z + COMMON.edgeM)) /
    (e.z + COMMON.edgeM);
  return share < 1 - COMMON.partShare;
}

/** The number of pixels that the other one should show in this frame, or undefined when the frame cannot tell. */
function visiblePixels(frame: AlignedFrame, other: Thing, near: Nearness): number | undefined {
  const probe = frame.view.probe(other.worldBox, [], COMMON.edgeM);
  if (!probe || probe.through > COMMON.majorityShare * probe.tested) return undefined;
  const hidden = near === "close" ? probe.match < 0.5 * probe.tested : probe.occluded > 0.5 * probe.tested;
  return hidden ? undefined : (probe.expectedPx * (probe.tested - probe.occluded)) / probe.tested;
}

/** The record to keep: the one the memory has already, otherwise the one seen first. */
function inOrder(a: Thing, b: Thing): [kept: Thing, lost: Thing] {
  if (a.isConfirmed !== b.isConfirmed) return a.isConfirmed ? [a, b] : [b, a];
  // A recording read late may contain an earlier sighting than the one that created the record. Without this rule, each
  // of two concurrent writers would keep the other's record.
  const { wasKnown } = a.identity;
  if (wasKnown !== b.identity.wasKnown) return wasKnown ? [a, b] : [b, a];
  const earlier = a.evidence.firstSeenUs - b.evidence.firstSeenUs;
  // With equal first times, the smaller id wins, so that both writers agree.
  return earlier < 0 || (earlier === 0 && a.stateId <= b.stateId) ? [a, b] : [b, a];
}

/** Evidence is joined only with evidence that the same principals may see. */
export function sameAccess(a: Thing, b: Thing): boolean {
  return a.labels.length === b.labels.length && a.labels.every((label) => b.labels.includes(label));
}

/** Merges two records that another component found to be of one thing. */
export function mergeKnown(scene: Scene, a: Thing, b: Thing, journal: Journal): void {
  if (!sameAccess(a, b)) return;
  const [kept, lost] = inOrder(a, b);
  merge(scene, kept, lost, journal);
}

/** One of two records takes over the evidence of the other, and the merge is written. */
export function merge(scene: Scene, kept: Thing, lost: Thing, journal: Journal): void {
  scene.drop(lost);
  const changes = join(kept, lost);
  for (const other of scene.things.near(inflate(kept.worldBox, REACH_M))) {
    if (other !== kept) other.rivals.takeFor(lost, kept);
  }
  scene.settle(kept);
  fold(scene, kept, lost, journal);
  for (const change of changes) noteChange(scene, kept, change, { author: lost.author }, journal);
}

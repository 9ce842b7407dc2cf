import { dot, extentOf, inflate } from "../geometry/index.ts";
import { isFluent } from "./fluents.ts";
import type { AlignedFrame } from "./frame.ts";
import { missProbability } from "./frame-view.ts";
import type { Journal } from "./journal.ts";
import { areOne, areTwins, type Nearness, nearness, TOUCHING_M } from "./nearness.ts";
import type { Scene } from "./scene.ts";
import type { Thing } from "./thing.ts";
import { noteLook, writeThing, writeTrack } from "./writing.ts";

/** How far around a thing its rivals are looked for: the wings of a curtain are as far apart as a window is wide. */
const REACH_M = 1;
/** Depth must agree more closely than for presence: a picture on the other side of a wall is another picture. */
const TOLERANCE_M = 0.04;
/** Cosine between two directions that count as the same side. */
const SAME_SIDE = 0.3;
/** With fewer of a mask's pixels than this behind its box, the mask has more parts than the one that was lifted. */
const WHOLE = 0.8;
/** Two looks at less than this share of their things' boxes are halves. */
const PIECE = 0.7;
/** How likely a part of a mask is to be another thing that went unreported. */
const IN_MASK_MISS = 0.3;
/** From this size on, boxes are known well enough that two in one place, or touching ones never seen together, are one. */
const LARGE_M = 0.8;
const LARGE_LEAST_ODDS = -4;
const SMALL_LEAST_ODDS = -2.5;
/** Being seen together this often speaks against two things in one place being one. */
const LEAST_ODDS = -0.5;
/** Looks of a thing seen often are worth so many of one seen now and then. */
const OFTEN = 4;

/** Weighs, for every thing of this frame, whether a like thing beside it is another or the same, and merges those. */
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
      const near = rivalry(scene, frame, thing, other, index);
      if (near === "apart") continue;
      const place = seen.get(other);
      if (place !== undefined) {
        const isOneBody = near === "one-body" && Math.max(thing.diagonalM, other.diagonalM) >= LARGE_M;
        const isSplit = isOneBody || (isPiece(frame, thing, index) && isPiece(frame, other, place));
        if (thing.stateId < other.stateId && !isSplit) thing.rivals.seenTogether(other);
        continue;
      }
      const visiblePx = visiblePixels(frame, other, near);
      if (visiblePx === undefined) continue;
      thing.rivals.seenWithout(other, near === "one-mask" ? IN_MASK_MISS : missProbability(visiblePx));
      if (!areOne(thing, other, near)) continue;
      const [kept, lost] = thing.firstSeenUs <= other.firstSeenUs ? [thing, other] : [other, thing];
      merge(scene, kept, lost, journal);
      gone.add(lost);
      if (lost === thing) break;
    }
  }
}

/**
 * After the map has moved, and at the end: things that now lie in one place and were not seen side by side are one
 * (§4.5.9). Also a few looks that agree in all but the kind, in the place of a thing seen often: they were of it.
 */
export function mergeOverlapping(scene: Scene, journal: Journal): void {
  for (const thing of [...scene.things.values()]) {
    if (!thing.isConfirmed || !scene.things.has(thing)) continue;
    for (const other of scene.things.near(inflate(thing.worldBox, TOUCHING_M))) {
      if (other === thing || !other.isConfirmed || !sameAccess(thing, other)) continue;
      if (other.firstSeenUs < thing.firstSeenUs) continue;
      const { agree, conflict } = thing.words.attributeBalance(other.words, isFluent);
      if (conflict > 0) continue;
      const [few, many] = [
        Math.min(thing.detections, other.detections),
        Math.max(thing.detections, other.detections),
      ];
      if (thing.words.category !== other.words.category && (agree === 0 || few * OFTEN > many)) continue;
      const near = nearness(thing, other, true);
      const odds = thing.rivals.oddsWith(other) + other.rivals.oddsWith(thing);
      if (areTwins(thing, other) || odds < oddsNeeded(thing, other, near, few * OFTEN <= many)) continue;
      merge(scene, thing, other, journal);
    }
  }
}

/**
 * Faces of a large thing seen from different sides touch and are never seen together; a sliver in the place of a
 * large thing seen often is a piece of it, even if a split mask once showed both.
 */
function oddsNeeded(a: Thing, b: Thing, near: Nearness, isSliver: boolean): number {
  const isLarge = Math.min(a.diagonalM, b.diagonalM) >= LARGE_M;
  if (near === "apart") return Infinity;
  if (near === "close") return isLarge && a.words.category === b.words.category ? LEAST_ODDS / 2 : Infinity;
  const isKnownSize = Math.max(a.diagonalM, b.diagonalM) >= LARGE_M;
  if (near === "one-body") return isKnownSize ? LARGE_LEAST_ODDS : SMALL_LEAST_ODDS;
  if (isSliver && (near === "within" || isKnownSize))
    return isKnownSize ? LARGE_LEAST_ODDS : SMALL_LEAST_ODDS;
  return LEAST_ODDS;
}

/** How two things lie to each other, as far as words allow them to be one. */
function rivalry(scene: Scene, frame: AlignedFrame, thing: Thing, other: Thing, index: number): Nearness {
  const { agree, conflict } = thing.words.attributeBalance(other.words, isFluent);
  if (conflict > 0) return "apart";
  const sameCategory = thing.words.category === other.words.category;
  if (!sameCategory && agree === 0 && thing.isConfirmed && other.isConfirmed) return "apart";
  const areLike = sameCategory || (agree > 1 && thing.words.isLike(other.words, scene.background));
  let near = nearness(thing, other, areLike);
  if (near === "close" && !sameCategory) return "apart";
  if ((near === "close" || near === "apart") && sameCategory) {
    const at = frame.view.pixelOf(other.centre);
    const [left, top, right, bottom] = frame.percept.detections[index]!.bbox;
    const inMask = at && at.u > left && at.u < right && at.v > top && at.v < bottom;
    const points = frame.percept.detections[index]!.solid?.count ?? 0;
    const hasMore = points < WHOLE * frame.percept.detections[index]!.areaPx;
    if (inMask && hasMore) near = "one-mask";
  }
  return near === "one-body" || sharesSide(thing, other) ? near : "apart";
}

/** A look at clearly less than the thing: two of those in one frame are the halves of a split mask. */
function isPiece({ percept, candidates }: AlignedFrame, thing: Thing, index: number): boolean {
  const solid = candidates.find((candidate) => candidate.index === index)?.solid;
  if (!solid || percept.detections[index]!.truncated) return false;
  const e = extentOf(thing.worldBox);
  const share =
    (((2 * solid.half.x + 0.05) / (e.x + 0.05)) *
      ((2 * solid.half.y + 0.05) / (e.y + 0.05)) *
      (2 * solid.half.z + 0.05)) /
    (e.z + 0.05);
  return share < PIECE;
}

/** Pixels that the other one shows in this frame, or undefined when the frame cannot tell. */
function visiblePixels(frame: AlignedFrame, other: Thing, near: Nearness): number | undefined {
  const probe = frame.view.probe(other.worldBox, [], TOLERANCE_M);
  if (!probe || probe.through > 0.6 * probe.tested) return undefined;
  const hidden = near === "close" ? probe.match < 0.5 * probe.tested : probe.occluded > 0.5 * probe.tested;
  return hidden ? undefined : (probe.expectedPx * (probe.tested - probe.occluded)) / probe.tested;
}

/** Whether two things were ever seen from about the same side: things back to back on a wall never are. */
function sharesSide(a: Thing, b: Thing): boolean {
  return a.viewpoints.some((one) => b.viewpoints.some((other) => dot(one, other) > SAME_SIDE));
}

/** Evidence is only ever joined with evidence that the same people may see. */
function sameAccess(a: Thing, b: Thing): boolean {
  return a.labels.length === b.labels.length && a.labels.every((label) => b.labels.includes(label));
}

/**
 * One of two records takes over all that the other knew. Where the memory has heard of the lost one, its track
 * says what it was merged into, and its state is closed in the instant it began, at the place of the kept one: an
 * earlier reading of the memory still shows it, and a later correction can take the merge back.
 */
function merge(scene: Scene, kept: Thing, lost: Thing, journal: Journal): void {
  scene.drop(lost);
  kept.words.absorb(lost.words);
  kept.shape.absorb(lost.shape);
  kept.fluents.absorb(lost.fluents);
  kept.detections += lost.detections;
  kept.existence = Math.max(kept.existence, lost.existence);
  kept.firstSeenUs = Math.min(kept.firstSeenUs, lost.firstSeenUs);
  kept.lastSeenUs = Math.max(kept.lastSeenUs, lost.lastSeenUs);
  for (const direction of lost.viewpoints) if (kept.viewpoints.length < 8) kept.viewpoints.push(direction);
  kept.rivals.forget(lost);
  scene.settle(kept);
  if (!lost.isConfirmed) scene.tentatives--;
  if (!lost.isConfirmed || !kept.isConfirmed) {
    for (const look of lost.pending) noteLook(scene, kept, look, journal);
    if (!lost.isConfirmed) return;
  }
  if (!kept.isConfirmed) return;
  journal.counts.merged++;
  const entry = scene.tracks.get(lost.trackId);
  const keptTrack = scene.trackOf(kept.trackId);
  if (entry && scene.trackOf(lost.trackId) !== keptTrack) entry.mergedInto = keptTrack;
  lost.words.absorb(kept.words);
  writeTrack(scene, lost, journal, lost.trackId);
  lost.trackId = keptTrack;
  lost.endedUs = lost.firstSeenUs + 1;
  lost.shape.clear();
  lost.shape.absorb(kept.shape);
  lost.worldBox = kept.worldBox;
  writeThing(scene, lost, journal);
  scene.byState.delete(lost.stateId);
  scene.redirect(lost.stateId, kept);
  kept.absorbed.push(lost, ...lost.absorbed);
  for (const older of lost.absorbed) scene.redirect(older.stateId, kept);
  for (const timeUs of [lost.firstSeenUs, lost.lastSeenUs]) {
    journal.sightings.push({
      stateId: kept.stateId,
      timeUs,
      outcome: "seen",
      agentId: lost.author,
      labels: [...kept.labels],
    });
  }
  writeThing(scene, kept, journal);
  journal.changed.add(kept.stateId);
}

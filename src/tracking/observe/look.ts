import {
  distance,
  dot,
  gapBetween,
  inflate,
  intersectionVolume,
  normalize,
  subtract,
  volumeOf,
} from "../../geometry/index.ts";
import type { Percept } from "../../schema/core.ts";
import { isBehindWall } from "../associate/association.ts";
import type { Journal } from "../records/journal.ts";
import { confirm } from "../records/stays.ts";
import { noteChange, noteLook } from "../records/writing.ts";
import { ASSOCIATE } from "../settings/associate.ts";
import { COMMON, SLIP_SHARE } from "../settings/common.ts";
import { OBSERVE } from "../settings/observe.ts";
import { isFluent } from "../state/fluents.ts";
import type { AlignedFrame, Candidate } from "../state/frame.ts";
import type { FrameView } from "../state/frame-view.ts";
import { lately } from "../state/lately.ts";
import { lookOf } from "../state/look.ts";
import { areBeside, areTwins, isOver } from "../state/nearness.ts";
import type { Scene } from "../state/scene.ts";
import { type PlacedSolid, thickened } from "../state/shape.ts";
import type { Thing } from "../state/thing.ts";
import { categoryOf, isAside } from "../state/words.ts";
import { postureIn } from "./posture.ts";

/** Adds one observation to a thing: words, box, states, credit; confirms the thing once it is proved. */
export function refine(
  scene: Scene,
  thing: Thing,
  candidate: Candidate,
  frame: AlignedFrame,
  journal: Journal,
): void {
  const { detection, solid } = candidate;
  const { percept, view } = frame;
  const look = lookOf(detection, percept);
  thing.evidence.noteTime(percept.timeUs);
  thing.seenAt(percept.timeUs);
  // Evidence that fewer principals may see than the thing itself must not change what the others read.
  if (percept.labels.length > thing.labels.length) {
    noteLook(scene, thing, look, journal);
    return;
  }
  scene.readings.noteLook(detection, thing);
  thing.words.add(detection, 1 / Math.max(0.5, solid.depthM));
  if (thing.type !== "object") thing.shape.clear();
  if (!goesOverTwin(scene, thing, solid)) thing.shape.add(solid);
  keepSurface(thing, candidate);
  scene.settle(thing);
  thing.evidence.detections++;
  readFluents(scene, thing, candidate, percept, journal);
  const direction = normalize(subtract(view.cameraInWorld, thing.centre));
  const cosine = Math.cos(COMMON.sideRad);
  if (
    thing.shape.viewpoints.length < OBSERVE.maxViewpoints &&
    thing.shape.viewpoints.every((v) => dot(direction, v) < cosine)
  ) {
    thing.shape.viewpoints.push(direction);
  }
  const isIndependent =
    categoryOf(detection) === thing.words.category &&
    (thing.shape.viewpoints.length > 1 || percept.timeUs - thing.evidence.firstSeenUs >= COMMON.momentUs);
  thing.evidence.existence = Math.min(
    thing.evidence.existence + (isIndependent ? 2 * COMMON.clearOdds : COMMON.clearOdds),
    COMMON.sureOdds,
  );
  thing.evidence.mostPx = Math.max(thing.evidence.mostPx, detection.areaPx);
  thing.evidence.surest = Math.max(thing.evidence.surest, detection.score);
  const share = detection.areaPx / Math.max(1, view.expectedPx(thing.worldBox));
  const atMetre = detection.areaPx * solid.depthM * solid.depthM;
  thing.shape.pxAtMetre = lately(thing.shape.pxAtMetre, atMetre);
  if (thing.evidence.detections === 1) thing.shape.fill = Math.min(1, Math.max(SLIP_SHARE, share));
  if (!solid.isPartial) {
    thing.shape.wasWhole = true;
    thing.shape.fill = Math.min(2, Math.max(SLIP_SHARE, lately(thing.shape.fill, share)));
    learnTransparency(thing, view);
  }
  noteLook(scene, thing, look, journal);
  if (!thing.isConfirmed && isProved(scene, thing)) confirm(scene, thing, journal);
}

/**
 * At the end of a recording, a thing hardly in view after its first sighting cannot be confirmed any more. Small things
 * are shown once and missed twice. One that has a description, is no piece of a known thing, and was not missed when it
 * should have been visible is more likely real than not.
 */
export function confirmGlimpsed(scene: Scene, journal: Journal): void {
  if (scene.mode === "paper") return;
  const glimpsed = [...scene.things.values()]
    .filter(({ isConfirmed, evidence }) => !isConfirmed && evidence.existence >= COMMON.lookOdds)
    .sort((a, b) => b.evidence.detections - a.evidence.detections);
  for (const thing of glimpsed) {
    const isDescribed = thing.diagonalM <= COMMON.handyM && thing.words.attributes.size > 0;
    if ((thing.evidence.detections < 2 && !isDescribed) || mayBeOfAnother(scene, thing)) continue;
    confirm(scene, thing, journal);
    // A single glimpse does not show that a like thing has left its place.
    scene.unlinked.delete(thing);
  }
}

/**
 * Whether a known thing of its colour or material covers its place, or a much larger one of its kind is right beside
 * it: then it may be a part of that.
 */
function mayBeOfAnother(scene: Scene, thing: Thing): boolean {
  const box = thickened(thing.worldBox);
  for (const other of scene.things.near(inflate(thing.worldBox, COMMON.flatM))) {
    if (other === thing || !other.isConfirmed) continue;
    const { agree, conflict } = thing.words.attributeBalance(other.words, isFluent);
    // A white book called "VOLCANOES" has the material of what it leans on, and is still no part of it.
    if (agree === 0 || conflict > agree) continue;
    const isTwin = other.words.category === thing.words.category;
    if (isTwin && (isPieceOf(thing, other) || areSplit(thing, other))) return true;
    const place = inflate(thickened(other.worldBox), isTwin ? 0 : COMMON.edgeM);
    if (intersectionVolume(box, place) > COMMON.bodyShare * volumeOf(box)) return true;
  }
  return false;
}

function isPieceOf(thing: Thing, whole: Thing): boolean {
  return whole.diagonalM > COMMON.handyM && thing.diagonalM < COMMON.majorityShare * whole.diagonalM;
}

/** Whether they touch and were seen at once, with nothing between them. */
function areSplit(thing: Thing, other: Thing): boolean {
  if (gapBetween(thing.worldBox, other.worldBox) > COMMON.edgeM) return false;
  const [a, b] = [thing.rivals.tallyOf(other), other.rivals.tallyOf(thing)];
  return a.together + b.together > 0 && a.beside + b.beside === 0;
}

/** A mask over this thing and a known neighbour says nothing about where either ends. */
function goesOverTwin(scene: Scene, thing: Thing, solid: PlacedSolid): boolean {
  if (thing.evidence.detections === 0) return false;
  for (const other of scene.things.near(solid.box)) {
    if (other === thing || other.words.category !== thing.words.category) continue;
    if (isOver(solid.box, other.worldBox) && isOver(solid.box, thing.worldBox) && areTwins(thing, other))
      return true;
  }
  return false;
}

/** A piece of a thing that another detection of this frame was already matched with: a split mask, so the two touch. */
export function isFragment(
  scene: Scene,
  { index, detection, solid }: Candidate,
  frame: AlignedFrame,
  taken: ReadonlySet<Thing | undefined>,
): boolean {
  const box = inflate(solid.box, COMMON.hairM / 2);
  for (const thing of scene.things.near(solid.box)) {
    if (!taken.has(thing) || thing.words.category !== categoryOf(detection)) continue;
    const other = frame.candidates[frame.matched.indexOf(thing)];
    if (other && areBeside(frame, index, other.index)) continue;
    const shared = intersectionVolume(box, inflate(thing.worldBox, COMMON.edgeM));
    if (shared <= (1 - COMMON.partShare) * volumeOf(box)) continue;
    // A mask is split now and then; two things reported together again and again are two.
    if (
      thing.evidence.fragments >= COMMON.twice &&
      thing.evidence.fragments > SLIP_SHARE * thing.evidence.detections
    )
      continue;
    thing.evidence.fragments++;
    return true;
  }
  return false;
}

/**
 * The known thing behind a detection with a wrong label: it was not reported in this frame though it would show about
 * as many pixels, and its box contains the detection. A mug on a table lies in the table's box as well, but shows a
 * twentieth of its pixels.
 */
export function mistakenFor(
  scene: Scene,
  { detection, solid }: Candidate,
  { view, percept }: AlignedFrame,
  taken: ReadonlySet<Thing | undefined>,
): Thing | undefined {
  const box = thickened(solid.box);
  const marginM = COMMON.edgeM + 2 * solid.pixelM;
  for (const thing of scene.things.near(solid.box)) {
    if (!thing.isConfirmed || thing.evidence.detections < COMMON.wellKnownLooks || taken.has(thing)) continue;
    if (thing.labels.length !== percept.labels.length || !sharesAttribute(thing, detection)) continue;
    if (isBehindWall({ solid, detection }, thing)) continue;
    if (
      intersectionVolume(box, inflate(thickened(thing.worldBox), marginM)) <
      (1 - COMMON.partShare) * volumeOf(box)
    )
      continue;
    thing.evidence.mostPx = Math.max(thing.evidence.mostPx, detection.areaPx);
    const share = detection.areaPx / Math.max(1, thing.shape.fill * view.expectedPx(thing.worldBox));
    if (share > COMMON.bodyShare && share < 1 / COMMON.bodyShare) return thing;
  }
  return undefined;
}

/**
 * A person tracked to about here who is not reported in this frame and would show as many pixels, detected with the
 * label of a thing. Where nothing was known before, all attributes of the detection must match the person.
 */
export function moverMistaken(
  { movers, mode }: Scene,
  { detection, solid }: Candidate,
  { percept }: AlignedFrame,
  taken: ReadonlySet<Thing | undefined>,
): Thing | undefined {
  const said = Object.entries(detection.attributes).filter(
    ([name, value]) => !isFluent(name, value) && !isAside(name),
  );
  if (said.length === 0 || mode === "paper") return undefined;
  return [...movers].find((mover) => {
    const { evidence, shape, words } = mover;
    if (!mover.isConfirmed || taken.has(mover) || mover.labels.length !== percept.labels.length) return false;
    if (evidence.detections < COMMON.wellKnownLooks) return false;
    if (said.some(([name, value]) => words.attributes.get(name)?.best() !== value)) return false;
    const elapsedUs = Math.min(COMMON.instantUs, Math.abs(percept.timeUs - evidence.lastSeenUs));
    const reachM = COMMON.smallM + (ASSOCIATE.moverSpeedMps * elapsedUs) / 1e6;
    if (distance(solid.centroid, mover.centre) >= reachM) return false;
    // The person's box is that of the last sighting, in which furniture may have hidden half: the recent pixel count is
    // more reliable.
    const share = (detection.areaPx * solid.depthM * solid.depthM) / Math.max(1, shape.pxAtMetre ?? 0);
    return share > COMMON.partShare && share < 1 / COMMON.partShare;
  });
}

/** Detectors confuse kinds, and keep colour or material. */
function sharesAttribute(thing: Thing, { attributes }: Candidate["detection"]): boolean {
  return Object.entries(attributes).some(
    ([name, value]) => !isFluent(name, value) && thing.words.attributes.get(name)?.best() === value,
  );
}

/**
 * docs/formulas.md#same-thing: two sightings from two sides or some time apart, or three; unless it was missed when it
 * should have been visible.
 */
function isProved({ mode }: Scene, thing: Thing): boolean {
  if (mode === "paper") return true;
  if (thing.evidence.existence <= COMMON.clearOdds) return false;
  if (thing.evidence.detections >= COMMON.fewLooks) return true;
  // A mover is at one place only once, so only another sighting can correct a mistake.
  if (thing.type !== "object") return false;
  const apartUs = thing.evidence.lastSeenUs - thing.evidence.firstSeenUs;
  // docs/formulas.md#same-thing requires this only of small things. A thing well visible in two frames is no flicker,
  // unless the detector gave it a score below even: a systematic mistake repeats in the next frame.
  const showsWell = thing.evidence.mostPx >= COMMON.halfMissedPx && thing.evidence.surest >= 0.5;
  const apart = apartUs >= (showsWell ? OBSERVE.confirmSoonUs : COMMON.momentUs);
  return thing.evidence.detections >= COMMON.twice && (thing.shape.viewpoints.length > 1 || apart);
}

function readFluents(
  scene: Scene,
  thing: Thing,
  candidate: Candidate,
  percept: Percept,
  journal: Journal,
): void {
  const { detection, solid } = candidate;
  const posture = postureIn(scene, thing, candidate);
  const said = { ...(posture !== undefined && { posture }), ...detection.attributes };
  const errorP = Math.min(0.5, OBSERVE.misreadP * Math.max(1, solid.depthM));
  const looks = COMMON.twice;
  for (const [name, value] of Object.entries(said)) {
    if (!isFluent(name, value)) continue;
    const change = thing.evidence.fluents.observe(name, value, percept.timeUs, errorP, looks);
    if (!change || !thing.isConfirmed) continue;
    const anchor = { submap: percept.submap, p: detection.solid!.centroid };
    noteChange(scene, thing, change, { author: percept.agentId, anchor }, journal);
  }
}

/** The share of a thing that is seen through while it is there: chairs and racks are mostly air. */
function learnTransparency(thing: Thing, view: FrameView): void {
  const probe = view.probe(thing.worldBox, []);
  if (!probe || probe.tested < COMMON.minRays) return;
  const share = probe.through / probe.tested;
  // The mean, not the maximum: one observation from a wrong pose sees past anything.
  thing.shape.transparency = lately(thing.shape.transparency, share);
}

/**
 * A few points of its surface from the closest observation: the targets of rays that test whether it is still there.
 */
function keepSurface(thing: Thing, { detection, solid }: Candidate): void {
  const weight = (solid.isPartial ? COMMON.partShare : 1) / solid.depthM;
  if (thing.shape.surface && thing.shape.surface.weight > weight) return;
  const { samples } = detection.solid!;
  const count = Math.floor(samples.length / 3);
  const kept = Math.min(OBSERVE.maxSurfacePoints, count);
  const points = new Float32Array(kept * 3);
  for (let k = 0; k < kept; k++) {
    const at = Math.floor((k * count) / kept) * 3;
    points.set(samples.subarray(at, at + 3), k * 3);
  }
  thing.shape.surface = { submap: solid.submap, points, weight };
}

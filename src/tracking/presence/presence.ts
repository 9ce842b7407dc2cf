import type { Vec3 } from "../../geometry/index.ts";
import { apply, iou, normalize, subtract } from "../../geometry/index.ts";
import type { Journal } from "../records/journal.ts";
import { end, giveUp } from "../records/stays.ts";
import { anchorOf, eventRecord } from "../records/thing-records.ts";
import { noteAbsence } from "../records/writing.ts";
import { COMMON, NEARLY_ALL } from "../settings/common.ts";
import { PRESENCE } from "../settings/presence.ts";
import { isFluent } from "../state/fluents.ts";
import type { AlignedFrame } from "../state/frame.ts";
import { type FrameView, missProbability, type Probe } from "../state/frame-view.ts";
import type { Scene } from "../state/scene.ts";
import { thickened } from "../state/shape.ts";
import { isUsualSide, type Thing } from "../state/thing.ts";
import { coverOf } from "./cover.ts";
import { emptinessOf, learnEmptiness } from "./emptiness.ts";

/**
 * Weighs the evidence for every known place in view without a detection: doubts new things, and ends the stays of
 * things that are gone (docs/formulas.md#presence).
 */
export function watch(
  scene: Scene,
  frame: AlignedFrame,
  seen: ReadonlyMap<Thing, number>,
  journal: Journal,
): void {
  if (!frame.percept.depth) return;
  const owners = new Map([...seen].map(([thing, index]) => [index, thing]));
  for (const thing of scene.things.near(frame.view.bounds)) {
    if (seen.has(thing)) {
      if (thing.isConfirmed && thing.diagonalM < COMMON.smallM) learnEmptiness(frame.view, thing);
      continue;
    }
    if (thing.isConfirmed) watchKnown(scene, frame, thing, owners, journal);
    else doubt(scene, frame, thing, journal);
  }
}

/** A new thing in a place that had been seen empty has arrived: recorded with the time span in which it did. */
export function noteArrival(scene: Scene, thing: Thing, journal: Journal): void {
  if (thing.doubts.cameAfterUs !== undefined) return;
  const empty = scene.past.lastEmpty(thing, scene.places.placeOf);
  if (!empty) {
    thing.doubts.cameAfterUs = stoodThere(scene, thing)?.evidence.lastSeenUs;
    return;
  }
  thing.doubts.cameAfterUs = empty.timeUs;
  noteAbsence(thing, { ...empty, labels: thing.labels }, "absent", journal);
  journal.put(
    eventRecord({
      type: "appear",
      sceneId: scene.sceneId,
      author: thing.author,
      labels: thing.labels,
      fromUs: empty.timeUs,
      toUs: thing.evidence.firstSeenUs,
      who: [thing.stateId],
      anchor: anchorOf(thing, scene.places).anchor,
      detail: { trackId: thing.trackId },
      line: `the ${thing.words.name} appeared`,
      regionId: thing.links.regionId,
    }),
  );
}

/** The thing that stood in this place before, and has left it. */
function stoodThere(scene: Scene, thing: Thing): Thing | undefined {
  return scene.ended.findLast(
    (old) =>
      old.type === "object" &&
      old.evidence.lastSeenUs < thing.evidence.firstSeenUs &&
      iou(thickened(old.worldBox), thickened(thing.worldBox)) >= COMMON.bodyShare &&
      (old.words.category !== thing.words.category ||
        old.words.attributeBalance(thing.words, isFluent).conflict > 0),
  );
}

/** A tentative thing that is not reported again while its place is in plain view was a mistake. */
function doubt(scene: Scene, frame: AlignedFrame, thing: Thing, journal: Journal): void {
  const probe = frame.view.probe(thing.worldBox, [], COMMON.edgeM);
  if (!probe) return;
  const { timeUs } = frame.percept;
  const sinceUs = timeUs - (thing.doubts.missedSinceUs ?? timeUs);
  thing.doubts.missedSinceUs = timeUs;
  const mostOdds = COMMON.lookOdds / 2;
  const odds = Math.min(mostOdds, missedOdds(thing, probe));
  // An observation that could hardly show the thing does not count as a miss; a piece of another thing has had enough
  // chances.
  const weight = thing.shape.wasWhole ? odds / mostOdds : 1;
  if (sinceUs > 0 && sinceUs <= COMMON.momentUs) thing.doubts.opportunityUs += sinceUs * weight;
  thing.evidence.miss(odds);
  if (thing.evidence.existence >= PRESENCE.doubt && thing.doubts.opportunityUs < COMMON.visitUs) return;
  giveUp(scene, thing);
  journal.counts.dropped++;
}

function watchKnown(
  scene: Scene,
  frame: AlignedFrame,
  thing: Thing,
  owners: ReadonlyMap<number, Thing>,
  journal: Journal,
): void {
  const { percept, view } = frame;
  // Nothing vanishes between two frames; a thing that slides out of the image or behind a door is missed for a moment.
  if (
    percept.timeUs < thing.evidence.lastSeenUs + COMMON.momentUs ||
    percept.labels.length > thing.labels.length
  )
    return;
  // The cheapest test first: most things within the bounds of a frame are not in the image.
  if (!view.pixelOf(thing.centre) || !isWellPlaced(thing)) return;
  const surface = surfaceOf(scene, thing);
  const probe = view.probe(thing.worldBox, surface);
  if (!probe || probe.tested < COMMON.minRays || probe.silhouettePx < COMMON.halfMissedPx) return;
  const usual = thing.shape.transparency ?? 1 - COMMON.majorityShare;
  const isSmall = thing.diagonalM < COMMON.smallM && thing.evidence.detections >= COMMON.twice;
  const emptiness = isSmall ? emptinessOf(view, thing) : "unknown";
  const share = throughAsked(thing, emptiness, COMMON.majorityShare);
  const isThrough =
    emptiness !== "full" &&
    probe.through >= Math.max(share, usual + COMMON.partShare) * probe.tested &&
    isSeenPast(view, thing, probe, COMMON.majorityShare);
  const cover = coverOf(frame, thing, owners);
  const absent = isThrough || cover === "another";
  const isEmpty = emptiness === "empty" && cover === "nothing";
  // Low things are within the depth tolerance above their support: half seen through is much for one that was never
  // real.
  const isPartlyThrough =
    isSmall && cover === "nothing" && probe.through >= (usual + COMMON.partShare) * probe.tested;
  if (!absent && !isPartlyThrough && !isEmpty && probe.match < COMMON.partShare * probe.tested) return;
  if (isThrough && thing.links.supportedBy !== undefined && !view.showsSurface(under(thing))) return;
  const direction = normalize(subtract(view.cameraInWorld, thing.centre));
  const counts = cover === "nothing" && isUsualSide(thing, direction) && isEasilySeen(thing, probe);
  const overlooked = counts ? missedOddsOf(view, thing, surface) : 0;
  // If a thing was seen too rarely to know how its empty place looks, no ray at all may end there.
  const isClear =
    emptiness === "unknown" && thing.doubts.emptiness !== undefined && probe.through === probe.tested;
  const isSure = isThrough && (isEmpty || (isSmall && isClear));
  const through = isSure
    ? 2 * COMMON.lookOdds
    : isEmpty
      ? COMMON.clearOdds
      : isPartlyThrough
        ? COMMON.clearOdds / 2
        : 0;
  // An undetected object of its height in its place is most likely the thing.
  const odds = emptiness === "full" ? 0 : overlooked + through;
  if (overlooked > 0) thing.doubts.missesSince++;
  thing.doubts.absence.add({
    timeUs: percept.timeUs,
    direction,
    says: absent ? "absent" : "present",
    isSure,
    missedOdds: odds,
  });
  const absentUs = thing.doubts.absence.confirmedUs(cautionFor(thing));
  if (absentUs !== undefined)
    end(scene, thing, absentUs, percept, cover === "another" ? "replaced" : "absent", journal);
}

/**
 * The share of rays that must pass its place. With a pose error of a hand's breadth some rays pass a wardrobe that is
 * still there; once it is gone, hardly any ray ends in its place. The same holds for a small thing whose place should
 * look empty and does not quite.
 */
function throughAsked(thing: Thing, emptiness: ReturnType<typeof emptinessOf>, usual: number): number {
  const isDoubtful = emptiness === "unknown" && (thing.doubts.emptiness?.looks ?? 0) >= COMMON.twice;
  return thing.diagonalM >= COMMON.smallM || isDoubtful ? Math.max(usual, NEARLY_ALL) : usual;
}

function cautionFor(thing: Thing): number {
  const isLarge = thing.diagonalM >= COMMON.smallM;
  const isAiry = (thing.shape.transparency ?? 0) > COMMON.partShare;
  const isKnown = thing.evidence.detections >= COMMON.wellKnownLooks * (isLarge ? COMMON.fewLooks : 1);
  return (isKnown ? 1 : 2) * (isLarge || isAiry ? 2 : 1);
}

/**
 * Seen whole from close by at least once: the position of a thing seen only from afar may be half a metre off. The
 * distance in earlier runs is not stored.
 */
function isWellPlaced({ shape: { surface }, identity }: Thing): boolean {
  return surface === undefined ? identity.isStored : surface.weight >= 1 / (2 * COMMON.nearM);
}

function isEasilySeen(thing: Thing, probe: Probe): boolean {
  return (
    thing.diagonalM < COMMON.smallM &&
    thing.evidence.detections >= COMMON.twice &&
    probe.occluded <= COMMON.slightShare * probe.tested &&
    visiblePx(thing, probe) >= COMMON.halfMissedPx
  );
}

/** The other face of a picture's wall lies within the depth tolerance: here the tolerance is not granted. */
function missedOddsOf(view: FrameView, thing: Thing, surface: readonly Vec3[]): number {
  const probe = view.probe(thing.worldBox, surface, COMMON.edgeM);
  if (!probe || !isEasilySeen(thing, probe)) return 0;
  return Math.min(COMMON.clearOdds, missedOdds(thing, probe));
}

/**
 * Whether rays pass the places of its known surface, and not only the air between its legs: a ray to a surface point of
 * a thing that is there ends at that point or before it.
 */
function isSeenPast(view: FrameView, thing: Thing, probe: Probe, share: number): boolean {
  const inner = view.probe(thing.worldBox, []);
  // Of a thing from an earlier run only the box is known: then all of it must be seen through, and it must be too small
  // for legs.
  if (!thing.shape.surface)
    return thing.diagonalM < COMMON.smallM && probe.through >= NEARLY_ALL * probe.tested;
  const tested = probe.tested - (inner?.tested ?? 0);
  return tested >= COMMON.fewLooks && probe.through - (inner?.through ?? 0) >= share * tested;
}

/** −ln of the chance that a detector misses it, by its size in the image and by how often it was missed before. */
function missedOdds(thing: Thing, probe: Probe): number {
  const before = thing.doubts.misses / (thing.doubts.misses + thing.evidence.detections);
  return -Math.log(Math.max(missProbability(visiblePx(thing, probe)), before, COMMON.minErrorP));
}

/**
 * Barely visible things are reported only when they show more pixels than usual, which biases their fill upwards: they
 * are assumed to fill their box no more than the average.
 */
function visiblePx(thing: Thing, probe: Probe): number {
  const fill = probe.expectedPx < COMMON.halfMissedPx ? Math.min(1, thing.shape.fill) : thing.shape.fill;
  // A box enlarged by a few bad observations would predict more pixels than were ever reported.
  const mostPx = thing.shape.pxAtMetre === undefined ? Infinity : thing.shape.pxAtMetre / probe.depthM ** 2;
  return (Math.min(fill * probe.expectedPx, mostPx) * (probe.tested - probe.occluded)) / probe.tested;
}

function surfaceOf(scene: Scene, { shape: { surface } }: Thing): Vec3[] {
  const place = surface && scene.places.placeOf(surface.submap);
  if (!surface || !place) return [];
  const points: Vec3[] = [];
  for (let i = 0; i + 2 < surface.points.length; i += 3) {
    const [x, y, z] = [surface.points[i]!, surface.points[i + 1]!, surface.points[i + 2]!];
    points.push(apply(place, { x, y, z }));
  }
  return points;
}

/** A point just below a thing, on its support. */
function under({ worldBox: { min, max } }: Thing): Vec3 {
  return { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: min.z - COMMON.hairM };
}

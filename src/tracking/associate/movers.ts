import { assign, distance } from "../../geometry/index.ts";
import { isKindOf, movesItself } from "../../ontology/index.ts";
import type { LiftedDetection } from "../../schema/core.ts";
import type { Journal } from "../records/journal.ts";
import { close, giveUp } from "../records/stays.ts";
import { ASSOCIATE } from "../settings/associate.ts";
import { COMMON, SLIP_SHARE } from "../settings/common.ts";
import { isFluent } from "../state/fluents.ts";
import type { Candidate } from "../state/frame.ts";
import { isNamedOtherwise, isNamedSo } from "../state/given-name.ts";
import type { ThingType } from "../state/identity.ts";
import type { Scene } from "../state/scene.ts";
import type { PlacedSolid } from "../state/shape.ts";
import type { Thing } from "../state/thing.ts";
import { categoryOf } from "../state/words.ts";

/** The type of track that a detection's label implies. */
export function typeOf(detection: LiftedDetection): ThingType {
  const category = categoryOf(detection);
  if (!movesItself(category)) return "object";
  return isKindOf(category, "person") ? "person" : "mover";
}

/** Matches detections to movers: by the distance they can have walked since, and by appearance. */
export function matchMovers(
  scene: Scene,
  candidates: readonly Candidate[],
  timeUs: number,
): (Thing | undefined)[] {
  const movers = [...scene.movers];
  const matched: (Thing | undefined)[] = candidates.map(() => undefined);
  if (candidates.length === 0 || movers.length === 0) return matched;
  const columns = movers.length + candidates.length;
  const costs = new Float64Array(candidates.length * columns).fill(Infinity);
  candidates.forEach((candidate, row) => {
    movers.forEach((mover, column) => {
      const cost = costOf(scene, candidate, mover, timeUs);
      if (cost !== undefined) costs[row * columns + column] = cost;
    });
    costs[row * columns + movers.length + row] = 1;
  });
  assign(costs, candidates.length, columns).forEach((column, row) => {
    matched[row] = movers[column];
  });
  return matched;
}

/** A second piece of a person whose other piece was matched: two people do not stand in one place. */
export function isPartOf({ detection, solid }: Candidate, mover: Thing): boolean {
  return (
    mover.words.category === categoryOf(detection) && distance(solid.centroid, mover.centre) < COMMON.smallM
  );
}

/** Movers that were not seen for long: their stay ends where they were last seen, without a disappearance. */
export function retireMovers(scene: Scene, journal: Journal): void {
  for (const mover of [...scene.movers]) {
    if (scene.latestUs - mover.evidence.lastSeenUs <= 2 * COMMON.visitUs) continue;
    if (!mover.isConfirmed) {
      giveUp(scene, mover);
      continue;
    }
    close(scene, mover, mover.evidence.lastSeenUs + 1, journal);
  }
}

/** Whether two were tracked through one place at one time: then one of them was a false track. */
export function wereInOnePlace(a: Thing, b: Thing): boolean {
  return a.shape.trail.some(({ timeUs, position }) =>
    b.shape.trail.some(
      (other) =>
        Math.abs(other.timeUs - timeUs) <= COMMON.whileUs &&
        distance(other.position, position) < COMMON.smallM,
    ),
  );
}

function costOf(scene: Scene, { detection, solid }: Candidate, mover: Thing, timeUs: number) {
  const { background } = scene;
  if (mover.words.kindAgreement(detection, background) < COMMON.majorityShare) return undefined;
  const elapsedS = Math.abs(timeUs - mover.evidence.lastSeenUs) / 1e6;
  // An unnamed person lost for longer is not searched for farther away.
  const walkedM = ASSOCIATE.moverSpeedMps * Math.min(elapsedS, COMMON.whileUs / 1e6);
  const radiusM = COMMON.largeM + walkedM;
  const metres = distance(solid.centroid, mover.centre);
  if (isNamedOtherwise(mover, detection.phrase)) return undefined;
  if (isNamedSo(mover, detection.phrase)) {
    // A personal name identifies a person, however far they walked; of a split mask the nearer piece is tracked.
    const isThem = !(metres > COMMON.smallM && isMuchLower(solid, mover));
    return isThem ? SLIP_SHARE * (metres / (metres + radiusM)) : undefined;
  }
  if (metres >= radiusM) return undefined;
  if (metres > COMMON.smallM && isMuchLower(solid, mover)) return undefined;
  const isOtherwise = isDressedOtherwise(detection, mover);
  if (isOtherwise && (metres > COMMON.smallM || elapsedS * 1e6 > COMMON.whileUs)) return undefined;
  const looks = mover.words.looksLike(detection.appearance) ?? 0.5;
  const { moverLooksWeight: weight } = ASSOCIATE;
  return ((1 - weight) * metres) / radiusM + weight * (1 - looks + (isOtherwise ? 1 : 0));
}

/** A table top that was labelled with a person's name: people keep their height, unless only a part was seen. */
function isMuchLower({ box, isPartial }: PlacedSolid, { shape }: Thing): boolean {
  const tallM = shape.box.max.z - shape.box.min.z;
  return !isPartial && box.max.z - box.min.z < COMMON.slightShare * tallM;
}

/**
 * Clothes that differ from most observations of a person. A single misread colour does not make a new person, since
 * three observations must agree.
 */
function isDressedOtherwise({ attributes }: LiftedDetection, { words }: Thing): boolean {
  return Object.entries(attributes).some(([name, value]) => {
    const votes = words.attributes.get(name);
    return (
      !isFluent(name, value) && votes !== undefined && votes.total > 0 && votes.shareOf(value) < SLIP_SHARE
    );
  });
}

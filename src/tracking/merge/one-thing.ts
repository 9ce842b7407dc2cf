import { gapBetween, inflate, intersectionVolume, iou, volumeOf } from "../../geometry/index.ts";
import { COMMON, SLIP_SHARE } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import { isFluent } from "../state/fluents.ts";
import { nearness } from "../state/nearness.ts";
import type { Thing } from "../state/thing.ts";
import { isWithin } from "./features.ts";
import { areBackToBack, areFaces, areFootAndHead, areWings } from "./figures.ts";

/**
 * Whether two records of one kind and look are of one thing, by what frames showed of them. Seen side by side with
 * something between them they are two; so are those that were mostly reported both where either was. Else they are
 * one if they share a place, or if looks at the one went over the place of the other, as at a curtain's two wings.
 */
export function areOneByLooks(a: Thing, b: Thing, isLastWord: boolean): boolean {
  if (a.words.category !== b.words.category) return false;
  // A sign that hangs free says the same on both faces; what hangs on two faces of a wall does not.
  if (areBackToBack(a, b) && a.words.writingAgreement(b.words) <= 0) return false;
  const { beside, touching, alone, covered } = between(a, b);
  const forOne = alone + covered;
  const together = beside + touching;
  const isLarge = Math.max(a.diagonalM, b.diagonalM) >= MERGE.minLargeM;
  if (isLastWord && together <= 1 && areFootAndHead(a, b)) return true;
  if (isLastWord && (together <= 1 || covered >= COMMON.twice) && areWings(a, b)) return true;
  // Bodies do not share a place, and masks are split now and then.
  const splits = Math.max(1, SLIP_SHARE * (a.evidence.detections + b.evidence.detections));
  if (isLastWord && isLarge && together <= splits && areOneBody(a, b)) return true;
  if (covered < 2 * beside && (beside > 1 || forOne < 2 * COMMON.wellKnownLooks * beside)) return false;
  const often = Math.max(a.diagonalM, b.diagonalM) < COMMON.handyM ? COMMON.twice : COMMON.fewLooks;
  if (touching >= often && touching > COMMON.partShare * forOne) return false;
  // Books on a shelf stand as close as that.
  const grownM = Math.min(a.diagonalM, b.diagonalM) < COMMON.handyM ? COMMON.slackM / 2 : COMMON.slackM;
  const [boxA, boxB] = [inflate(a.worldBox, grownM), inflate(b.worldBox, grownM)];
  const shared = intersectionVolume(boxA, boxB) / Math.min(volumeOf(boxA), volumeOf(boxB));
  // A chair behind a table is overlooked more often than its pixels say, so that counts only in its very place.
  const speaking = isLarge || shared >= COMMON.bodyShare ? forOne : covered;
  if (shared >= COMMON.hardlyShare && speaking >= COMMON.twice) return true;
  // What a memory holds as two was found to be two by frames that nobody remembers, unless they are now one body.
  if (a.identity.isStored && b.identity.isStored && iou(boxA, boxB) < COMMON.bodyShare) return false;
  const maySplit = isLarge || shared >= COMMON.bodyShare;
  const isOutweighed =
    Math.max(a.diagonalM, b.diagonalM) >= COMMON.handyM && forOne >= 2 * COMMON.wellKnownLooks * touching;
  if (shared >= COMMON.hardlyShare)
    return isLastWord && beside === 0 && (maySplit || touching === 0 || isOutweighed);
  // Masks over two things are as rare as split ones, and rarer with something between the two.
  if (covered >= COMMON.twice + 2 * together) return true;
  if (!isLastWord) return false;
  return (
    beside + touching === 0 && (areFaces(a, b) || isSliver(a, b) || isSliver(b, a) || areInscribedAlike(a, b))
  );
}

/**
 * Whether two bodies would have been in one place at one time, of which no frame showed both: then looks at the one were
 * misread. Nobody carries large things about; of small ones another may have stood there for a while, so that only a few
 * looks between many are taken for misread.
 */
export function areInOnePlaceAtOnce(a: Thing, b: Thing): boolean {
  const [few, many] = a.evidence.detections <= b.evidence.detections ? [a, b] : [b, a];
  const isLarge = Math.min(a.diagonalM, b.diagonalM) >= COMMON.largeM;
  const isSlip = isWithin(few, many) && few.evidence.detections <= SLIP_SHARE * many.evidence.detections;
  if (!isLarge && !isSlip) return false;
  const lastUs = Math.min(a.evidence.lastSeenUs, b.evidence.lastSeenUs);
  if (lastUs <= Math.max(a.evidence.firstSeenUs, b.evidence.firstSeenUs)) return false;
  const { beside, touching } = between(a, b);
  if (beside + touching > 0 || areBackToBack(a, b) || nearness(a, b, true) !== "one-body") return false;
  // A drawn curtain and the window behind it have neither their kind nor anything else in common.
  return a.words.attributeBalance(b.words, isFluent).agree > 0;
}

/** Whether two bodies would have to be in one place. */
function areOneBody(a: Thing, b: Thing): boolean {
  return ["one-body", "within"].includes(nearness(a, b, true));
}

/** What both records know about having been seen together. */
function between(a: Thing, b: Thing) {
  const [x, y] = [a.rivals.tallyOf(b), b.rivals.tallyOf(a)];
  const beside = x.beside + y.beside;
  return {
    beside,
    touching: x.together + y.together - beside,
    alone: x.apart + y.apart,
    covered: x.covered + y.covered,
  };
}

/** Where the same is written a hand's breadth apart, and no frame ever showed both, the map was off by that. */
function areInscribedAlike(a: Thing, b: Thing): boolean {
  return a.words.writingAgreement(b.words) > 0 && gapBetween(a.worldBox, b.worldBox) <= COMMON.flatM;
}

/** A few looks at something small right beside a large thing that is never seen with it: a corner or a leg of it. */
function isSliver(large: Thing, piece: Thing): boolean {
  if (large.diagonalM < MERGE.minLargeM || piece.diagonalM > COMMON.majorityShare * large.diagonalM)
    return false;
  if (piece.evidence.detections * COMMON.wellKnownLooks > large.evidence.detections) return false;
  return gapBetween(large.worldBox, piece.worldBox) <= COMMON.flatM;
}

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
 * something between them they are two; so are those that were mostly both reported where either was. Otherwise they are
 * one if they share a place, or if detections of the one covered the place of the other, like a curtain's two wings.
 */
export function areOneByLooks(a: Thing, b: Thing, isLastWord: boolean): boolean {
  if (a.words.category !== b.words.category) return false;
  // A freely hanging sign says the same on both faces; things on two faces of a wall do not.
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
  // Books on a shelf stand this close together.
  const grownM = Math.min(a.diagonalM, b.diagonalM) < COMMON.handyM ? COMMON.slackM / 2 : COMMON.slackM;
  const [boxA, boxB] = [inflate(a.worldBox, grownM), inflate(b.worldBox, grownM)];
  const shared = intersectionVolume(boxA, boxB) / Math.min(volumeOf(boxA), volumeOf(boxB));
  // A chair behind a table is missed more often than its pixels suggest, so misses count only in its very place.
  const speaking = isLarge || shared >= COMMON.bodyShare ? forOne : covered;
  if (shared >= COMMON.hardlyShare && speaking >= COMMON.twice) return true;
  // Two things that the memory keeps apart were told apart by frames that are no longer available, so they stay two
  // unless they are now one body.
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
 * Whether two bodies would have been in one place at one time without a frame that showed both: then observations of
 * one were misread. Large things are not carried about. In the place of a small thing another may have stood for a
 * while, so only a few observations between many count as misread.
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
  // A drawn curtain and the window behind it share neither kind nor attributes.
  return a.words.attributeBalance(b.words, isFluent).agree > 0;
}

/** Whether two bodies would have to be in one place. */
function areOneBody(a: Thing, b: Thing): boolean {
  return ["one-body", "within"].includes(nearness(a, b, true));
}

/** The joint sightings that both records counted. */
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

/** The same text a few centimetres apart, never in one frame, is one thing with a map error. */
function areInscribedAlike(a: Thing, b: Thing): boolean {
  return a.words.writingAgreement(b.words) > 0 && gapBetween(a.worldBox, b.worldBox) <= COMMON.flatM;
}

/**
 * A few observations of something small right beside a large thing, never in one frame with it: a corner or a leg of
 * it.
 */
function isSliver(large: Thing, piece: Thing): boolean {
  if (large.diagonalM < MERGE.minLargeM || piece.diagonalM > COMMON.majorityShare * large.diagonalM)
    return false;
  if (piece.evidence.detections * COMMON.wellKnownLooks > large.evidence.detections) return false;
  return gapBetween(large.worldBox, piece.worldBox) <= COMMON.flatM;
}

import { extentOf, gapBetween, inflate, intersectionVolume, iou, volumeOf } from "../../geometry/index.ts";
import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import { isFluent } from "../state/fluents.ts";
import { sharesSide } from "../state/nearness.ts";
import type { Scene } from "../state/scene.ts";
import { thickened } from "../state/shape.ts";
import type { Thing } from "../state/thing.ts";
import { areBackToBack, areFaces, areFootAndHead, areWings } from "./figures.ts";

/** The data about two records that the features use, computed once. */
export interface Pair {
  readonly sameKind: boolean;
  readonly likeKind: boolean;
  readonly agree: number;
  readonly conflict: number;
  /** The intersection of the boxes as they are, as a share of the union and of the smaller one. */
  readonly overlap: number;
  readonly shared: number;
  /** The same for boxes grown to the least thickness that observations can resolve. */
  readonly overlapThick: number;
  readonly gapM: number;
  readonly smallM: number;
  readonly largeM: number;
  /** Frames that showed both, with something between them or not; one without the other; and one over both places. */
  readonly beside: number;
  readonly touching: number;
  readonly alone: number;
  readonly covered: number;
  /** Natural log of the odds that the second would have been reported in the frames that showed the first alone. */
  readonly missed: number;
  readonly few: number;
  readonly many: number;
  readonly a: Thing;
  readonly b: Thing;
}

export function pairOf(scene: Scene, a: Thing, b: Thing): Pair {
  const { agree, conflict } = a.words.attributeBalance(b.words, isFluent);
  const [boxA, boxB] = [inflate(a.worldBox, COMMON.slackM), inflate(b.worldBox, COMMON.slackM)];
  const [x, y] = [a.rivals.tallyOf(b), b.rivals.tallyOf(a)];
  const beside = x.beside + y.beside;
  const [few, many] = [a.evidence.detections, b.evidence.detections].sort((p, q) => p - q) as [
    number,
    number,
  ];
  return {
    sameKind: a.words.category === b.words.category,
    likeKind: a.words.isLike(b.words, scene.background),
    agree,
    conflict,
    overlap: iou(boxA, boxB),
    shared: intersectionVolume(boxA, boxB) / Math.min(volumeOf(boxA), volumeOf(boxB)),
    overlapThick: iou(thickened(a.worldBox), thickened(b.worldBox)),
    gapM: gapBetween(a.worldBox, b.worldBox),
    smallM: Math.min(a.diagonalM, b.diagonalM),
    largeM: Math.max(a.diagonalM, b.diagonalM),
    beside,
    touching: x.together + y.together - beside,
    alone: x.apart + y.apart,
    covered: x.covered + y.covered,
    missed: x.odds + y.odds,
    few,
    many,
    a,
    b,
  };
}

/** Evidence for or against two records being of one thing; about 0 to 1, so that weights are comparable. */
export type Feature = (pair: Pair) => number;

/**
 * The features, by name. Their weights are in `weights.ts`, fitted by bench/tracking/fit-links.ts; a feature without a
 * weight counts for nothing, so one is added here, fitted, and kept if held-out houses agree.
 */
export const FEATURES: Readonly<Record<string, Feature>> = {
  always: () => 1,
  sameKind: ({ sameKind }) => Number(sameKind),
  likeKind: ({ sameKind, likeKind }) => Number(!sameKind && likeKind),
  agree: ({ agree }) => Math.min(2, agree) / 2,
  conflict: ({ conflict }) => Math.min(2, conflict) / 2,
  conflictOfFew: ({ conflict, few, many }) => (conflict > 0 ? 1 - few / many : 0),
  overlap: ({ overlap }) => overlap,
  overlapOfKind: ({ overlap, sameKind }) => (sameKind ? overlap : 0),
  overlapThick: ({ overlapThick }) => overlapThick,
  shared: ({ shared }) => shared,
  sharedOfKind: ({ shared, sameKind }) => (sameKind ? shared : 0),
  touches: ({ gapM }) => Number(gapM <= COMMON.touchM),
  gap: ({ gapM }) => Math.min(1, gapM / MERGE.farthestM),
  likeSize: ({ smallM, largeM }) => smallM / Math.max(largeM, COMMON.slackM),
  large: ({ largeM }) => Math.min(1, largeM / 2),
  small: ({ smallM }) => Math.exp(-smallM / COMMON.touchM),
  beside: ({ beside }) => Math.log1p(beside),
  everBeside: ({ beside }) => Number(beside > 0),
  touching: ({ touching }) => Math.log1p(touching),
  touchingShared: ({ touching, shared }) => Math.log1p(touching) * shared,
  besideShared: ({ beside, shared }) => Math.log1p(beside) * shared,
  alone: ({ alone }) => Math.log1p(alone),
  aloneShared: ({ alone, shared }) => Math.log1p(alone) * shared,
  covered: ({ covered }) => Math.log1p(covered),
  togetherShare: ({ beside, touching, alone }) => (beside + touching) / (1 + beside + touching + alone),
  missed: ({ missed }) => Math.max(-1, Math.min(1, missed / (2 * COMMON.wellKnownLooks))),
  few: ({ few }) => Math.log1p(few),
  many: ({ few, many }) => Math.log(many / Math.max(1, few)),
  backToBack: ({ a, b }) => Number(areBackToBack(a, b)),
  sameSide: ({ a, b }) => Number(sharesSide(a, b)),
  faces: ({ a, b, sameKind }) => Number(sameKind && areFaces(a, b)),
  footAndHead: ({ a, b, sameKind }) => Number(sameKind && areFootAndHead(a, b)),
  wings: ({ a, b, sameKind }) => Number(sameKind && areWings(a, b)),
  stored: ({ a, b }) => Number(a.identity.isStored && b.identity.isStored),
  within: ({ a, b }) => Number(isWithin(a, b) || isWithin(b, a)),
  sameHeight: ({ a, b }) => sharedHeight(a, b),
};

/** Seen first and last between two observations of the other. */
export function isWithin({ evidence: a }: Thing, { evidence: b }: Thing): boolean {
  return b.firstSeenUs <= a.firstSeenUs && a.lastSeenUs <= b.lastSeenUs;
}

/** The height range that both share, as a share of the lower one's height. */
function sharedHeight({ worldBox: a }: Thing, { worldBox: b }: Thing): number {
  const sharedM = Math.min(a.max.z, b.max.z) - Math.max(a.min.z, b.min.z);
  return Math.max(
    0,
    Math.min(1, (sharedM + COMMON.slackM) / (Math.min(extentOf(a).z, extentOf(b).z) + COMMON.slackM)),
  );
}

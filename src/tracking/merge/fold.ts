import type { Box } from "../../geometry/index.ts";
import {
  centreOf,
  distance,
  gapBetween,
  inflate,
  intersectionVolume,
  iou,
  unionBoxes,
  volumeOf,
} from "../../geometry/index.ts";
import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import { isFluent } from "../state/fluents.ts";
import type { Thing } from "../state/thing.ts";
import { FOLD_WEIGHTS } from "./fold-weights.ts";

/** A thing of one map before it was merged with any of another map. */
export interface Part {
  readonly thing: Thing;
  readonly box: Box;
  readonly diagonalM: number;
  /** The frames that showed it. */
  readonly frames: ReadonlySet<string>;
}

/** The data about a thing of one map and a thing of another that the features use. */
export interface Across {
  readonly part: Part;
  readonly other: Part;
  readonly sameKind: boolean;
  readonly agree: number;
  readonly conflict: number;
  readonly overlap: number;
  /** The shared volume, as a share of the smaller box. */
  readonly shared: number;
  readonly gapM: number;
  readonly awayM: number;
  readonly smallM: number;
  readonly largeM: number;
  readonly looks: number;
  /** Other things of that kind nearby, in both maps together. */
  readonly others: number;
  /**
   * A thing of its own map is already merged with the other: how the two lie, and how many observations showed both.
   */
  readonly rival?: Rival | undefined;
}

interface Rival {
  readonly together: number;
  readonly gapM: number;
  /** How far both together reach beyond the other map's box: two halves of one thing do not, two neighbours do. */
  readonly beyond: number;
}

export function acrossOf(part: Part, other: Part, others: number, rival?: Part): Across {
  const [a, b] = [part.thing.words, other.thing.words];
  const { agree, conflict } = a.attributeBalance(b, isFluent);
  const [boxA, boxB] = [inflate(part.box, COMMON.edgeM), inflate(other.box, COMMON.edgeM)];
  const common = intersectionVolume(boxA, boxB);
  return {
    part,
    other,
    sameKind: a.category === b.category,
    agree,
    conflict,
    overlap: iou(boxA, boxB),
    shared: common / Math.min(volumeOf(boxA), volumeOf(boxB)),
    gapM: gapBetween(part.box, other.box),
    awayM: distance(centreOf(part.box), centreOf(other.box)),
    smallM: Math.min(part.diagonalM, other.diagonalM),
    largeM: Math.max(part.diagonalM, other.diagonalM),
    looks: part.frames.size,
    others,
    rival: rival && rivalOf(part, other, rival),
  };
}

function rivalOf(part: Part, other: Part, rival: Part): Rival {
  const together = [...part.frames].filter((frame) => rival.frames.has(frame)).length;
  const both = unionBoxes(part.box, rival.box);
  const [grown, known] = [inflate(both, COMMON.edgeM), inflate(other.box, COMMON.edgeM)];
  return {
    together,
    gapM: gapBetween(part.box, rival.box),
    beyond: 1 - intersectionVolume(grown, known) / volumeOf(grown),
  };
}

/** Evidence for or against; about 0 to 1, so that weights are comparable. */
type Feature = (across: Across) => number;

const ofRival =
  (feature: (rival: Rival, across: Across) => number): Feature =>
  (across) =>
    across.rival ? feature(across.rival, across) : 0;

/** The features by name; their weights are fitted by bench/join/fit-fold.ts. */
export const FOLD_FEATURES: Readonly<Record<string, Feature>> = {
  always: () => 1,
  sameKind: ({ sameKind }) => Number(sameKind),
  agree: ({ agree }) => Math.min(2, agree) / 2,
  conflict: ({ conflict }) => Math.min(2, conflict) / 2,
  overlap: ({ overlap }) => overlap,
  overlapOfKind: ({ overlap, sameKind }) => (sameKind ? overlap : 0),
  shared: ({ shared }) => shared,
  sharedOfKind: ({ shared, sameKind }) => (sameKind ? shared : 0),
  gap: ({ gapM }) => Math.min(1, gapM / MERGE.farthestM),
  away: ({ awayM }) => Math.min(1, awayM / MERGE.farthestM),
  awayOfSize: ({ awayM, largeM }) => Math.min(2, awayM / (largeM + COMMON.touchM)) / 2,
  likeSize: ({ smallM, largeM }) => smallM / Math.max(largeM, COMMON.edgeM),
  large: ({ largeM }) => Math.min(1, largeM / 2),
  looks: ({ looks }) => Math.log1p(looks) / 3,
  others: ({ others, sameKind }) => (sameKind ? Math.log1p(others) : 0),
  rival: ofRival(() => 1),
  rivalTogether: ofRival(({ together }) => Math.min(COMMON.fewLooks, together) / COMMON.fewLooks),
  rivalGap: ofRival(({ gapM }) => Math.min(1, gapM / MERGE.farthestM)),
  rivalBeyond: ofRival(({ beyond }) => beyond),
  rivalLooks: ofRival((_, { looks }) => Math.log1p(looks) / 3),
};

/** Whether a thing of one map is a thing of another, as natural log of the odds: one weighted sum over one table. */
export class SameAcross {
  logOdds(across: Across): number {
    let sum = 0;
    for (const [name, feature] of Object.entries(FOLD_FEATURES))
      sum += (FOLD_WEIGHTS[name] ?? 0) * feature(across);
    return sum;
  }
}

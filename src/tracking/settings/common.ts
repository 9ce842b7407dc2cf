import { settings } from "../../schema/settings.ts";

/** Numbers that several stages mean alike: value, unit, least, most, where it comes from. */
export const COMMON = settings(
  "common",
  {
    /** Weight of the latest look in a running mean. */
    fading: [0.2, "share", 0.05, 0.5, "experiment"],
    /** Less than this is nothing: boxes are grown by it before they are compared. */
    hairM: [0.02, "m", 0.01, 0.04, "experiment"],
    /** No reading and no detector is surer than this; from afar it errs more often, by this for every metre. */
    minErrorP: [0.02, "probability", 0.005, 0.05, "experiment"],
    /** One standard deviation of depth: at its best distance, and by the square of the metres from there (Nguyen et al. 2012). */
    depthSdM: [0.0012, "m", 0.0006, 0.0024, "datasheet"],
    depthSdPerM2: [0.0019, "m", 0.001, 0.004, "datasheet"],
    depthBestM: [0.4, "m", 0.2, 0.8, "datasheet"],
    /** Rays of a place that must have told something before they count. */
    minRays: [5, "count", 3, 9, "experiment"],
    /** Looks, or things, from which a handful is enough to believe what they agree on (docs/formulas.md#same-thing). */
    fewLooks: [3, "count", 2, 6, "paper"],
    /** What is seen once may be a slip; twice it hardly is. */
    twice: [2, "count", 1, 4, "paper"],
    /** Share of a place that a look must have in common with it to be perhaps of what is there; how much of a box is air. All but that is most of it. */
    partShare: [0.3, "share", 0.15, 0.5, "paper"],
    /** A clear majority of rays, looks or answers. */
    majorityShare: [0.6, "share", 0.5, 0.8, "paper"],
    /** Up to here a share is one that masks and labels lose by themselves. */
    slightShare: [0.2, "share", 0.1, 0.3, "experiment"],
    /** Less than this of a box is an edge that is off; twice as much may slip, as masks are split; all but that is nearly all. */
    hardlyShare: [0.05, "share", 0.02, 0.1, "experiment"],
    /** A share of votes, or of a height, that is not just a slip. */
    minorityShare: [0.25, "share", 0.12, 0.4, "experiment"],
    /** Pixels of which detectors report half (docs/formulas.md#noise): smaller things are overlooked. */
    halfMissedPx: [60, "px", 30, 120, "paper"],
    /** Boxes are grown by this before they are compared, and nothing lower is told from what carries it. */
    slackM: [0.03, "m", 0.015, 0.06, "experiment"],
    /** How closely looks at one thing agree on where it is. */
    placeM: [0.12, "m", 0.06, 0.24, "experiment"],
    /** By how much the edge of a mask, and so of a box, is off; within this depth cannot tell two surfaces apart. */
    edgeM: [0.05, "m", 0.02, 0.1, "experiment"],
    /** Smaller things are carried about, seen whole from close by, and missed by detectors; larger ones are known by their boxes. */
    smallM: [0.8, "m", 0.5, 1.2, "experiment"],
    /** Thinner than this a thing hangs on a wall or stands before it; what lies farther apart is not one small thing. */
    flatM: [0.3, "m", 0.15, 0.6, "experiment"],
    /** What one holds in a hand or two. */
    handyM: [0.5, "m", 0.3, 0.8, "experiment"],
    /** A body that is this large, or this far away: nobody carries it about without being seen to, and it is no piece of another. */
    largeM: [1, "m", 0.8, 1.5, "experiment"],
    /** What is as tall as this may be a door, and a door is the same from both sides. */
    tallM: [1.5, "m", 1, 2, "experiment"],
    /** Things within this are each other's neighbours, and near to who passes them. */
    nearM: [2, "m", 1, 4, "paper"],
    /** Looks over less than this are one look. */
    instantUs: [1_000_000, "µs", 500_000, 2_000_000, "paper"],
    /** Nothing vanishes or is swapped within this time of a look at it; looks farther apart are of two moments. */
    momentUs: [3_000_000, "µs", 1_500_000, 6_000_000, "paper"],
    /** Somebody can have carried a thing elsewhere meanwhile. */
    whileUs: [10_000_000, "µs", 5_000_000, 20_000_000, "experiment"],
    /** Looks this far apart are of two visits: what erred in the one did not in the other. Who was away twice as long has gone. */
    visitUs: [30_000_000, "µs", 15_000_000, 60_000_000, "paper"],
    /** How long things stay away. */
    dayUs: [86_400_000_000, "µs", 43_200_000_000, 172_800_000_000, "paper"],
    /** Looks from directions this far apart are from two sides. */
    sideRad: [(10 * Math.PI) / 180, "rad", 0.087, 0.35, "paper"],
    /** Cosine from which two directions go together: faces with borders, looks with sides. */
    alongCosine: [0.3, "share", 0.15, 0.6, "experiment"],
    /**
     * Natural log of odds: what one look says at most, what a clear one says, from which on something is sure, and what must
     * speak against a thing in its place before it is given up, unreported or contradicted.
     */
    lookOdds: [1.5, "log-odds", 0.75, 3, "experiment"],
    clearOdds: [2, "log-odds", 1, 4, "experiment"],
    sureOdds: [5.5, "log-odds", 3, 11, "experiment"],
    againstOdds: [7, "log-odds", 3.5, 14, "experiment"],
    /** Deviations beyond which chance does not go. */
    certainSd: [3, "sd", 2, 4, "paper"],
  },
  (own) => ({
    /** Share of two boxes, or of their sizes, from which two bodies cannot be in both: what a clear majority leaves. */
    get bodyShare() {
      return 1 - own.majorityShare;
    },
    /** So many of the looks at a thing are no slips. */
    get someShare() {
      return own.partShare / 2;
    },
    /** What is the same place, height or depth: two looks, each with an edge that is off (docs/formulas.md#presence). */
    get toleranceM() {
      return 2 * own.edgeM;
    },
    /** Boxes with less between them touch, and none is known to be thinner: edges are not off by more. */
    get touchM() {
      return own.certainSd * own.edgeM;
    },
    /** Looks from which a thing is known well enough to tell by it that a look was wrong: as many again as are no slip. */
    get wellKnownLooks() {
      return 2 * own.twice;
    },
  }),
);

/** So much may slip: masks that are split, edges that are off on both sides. */
export const SLIP_SHARE = 2 * COMMON.hardlyShare;
/** All but what may slip: nearly all, or nearly sure. */
export const NEARLY_ALL = 1 - SLIP_SHARE;

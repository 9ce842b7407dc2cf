import { settings } from "../../schema/settings.ts";

/** The settings that several stages share: value, unit, minimum, maximum, source. */
export const COMMON = settings(
  "common",
  {
    /** Weight of the latest observation in a running mean. */
    fading: [0.2, "share", 0.05, 0.5, "experiment"],
    /** A negligible length: boxes are grown by it before they are compared. */
    hairM: [0.02, "m", 0.01, 0.04, "experiment"],
    /** The lowest error rate of any reading or detector, and its increase for every metre of distance. */
    minErrorP: [0.02, "probability", 0.005, 0.05, "experiment"],
    /** One standard deviation of depth: at its best distance, and by the square of the metres from there (Nguyen et al. 2012). */
    depthSdM: [0.0012, "m", 0.0006, 0.0024, "datasheet"],
    depthSdPerM2: [0.0019, "m", 0.001, 0.004, "datasheet"],
    depthBestM: [0.4, "m", 0.2, 0.8, "datasheet"],
    /** The fewest rays with a result for a place that count. */
    minRays: [5, "count", 3, 9, "experiment"],
    /** The fewest observations, or things, that are believed if they agree (docs/formulas.md#same-thing). */
    fewLooks: [3, "count", 2, 6, "paper"],
    /** A single observation may be a mistake; two hardly are. */
    twice: [2, "count", 1, 4, "paper"],
    /**
     * The overlap from which a detection may belong to what is in a place; the share of a box that is air. Its
     * complement means "most".
     */
    partShare: [0.3, "share", 0.15, 0.5, "paper"],
    /** A clear majority of rays, observations or answers. */
    majorityShare: [0.6, "share", 0.5, 0.8, "paper"],
    /** Up to this share, a loss is explained by inaccurate masks and labels. */
    slightShare: [0.2, "share", 0.1, 0.3, "experiment"],
    /**
     * Less than this share of a box is an inaccurate edge; twice as much is tolerated, as masks are split; its
     * complement means "nearly all".
     */
    hardlyShare: [0.05, "share", 0.02, 0.1, "experiment"],
    /** A share of votes, or of a height, that is more than a mistake. */
    minorityShare: [0.25, "share", 0.12, 0.4, "experiment"],
    /**
     * The size at which detectors report half of all things (docs/formulas.md#noise): smaller things are missed more
     * often.
     */
    halfMissedPx: [60, "px", 30, 120, "paper"],
    /** Boxes are grown by this before they are compared; a lower thing cannot be separated from its support. */
    slackM: [0.03, "m", 0.015, 0.06, "experiment"],
    /** The spread of the measured positions of one thing. */
    placeM: [0.12, "m", 0.06, 0.24, "experiment"],
    /** The error of the edge of a mask, and so of a box; within this depth cannot separate two surfaces. */
    edgeM: [0.05, "m", 0.02, 0.1, "experiment"],
    /**
     * Smaller things are carried about, seen whole from close by, and missed by detectors; larger ones are recognised
     * by their boxes.
     */
    smallM: [0.8, "m", 0.5, 1.2, "experiment"],
    /**
     * A thing thinner than this hangs on a wall or stands against it; detections farther apart are not one small thing.
     */
    flatM: [0.3, "m", 0.15, 0.6, "experiment"],
    /** The size of a thing that is held in a hand or two. */
    handyM: [0.5, "m", 0.3, 0.8, "experiment"],
    /**
     * A body this large is not carried about unseen, and is no piece of another; also the distance from which bodies
     * are separate.
     */
    largeM: [1, "m", 0.8, 1.5, "experiment"],
    /** A thing at least this tall may be a door, and a door is the same from both sides. */
    tallM: [1.5, "m", 1, 2, "experiment"],
    /** Things within this are neighbours of each other, and near to an agent passing them. */
    nearM: [2, "m", 1, 4, "paper"],
    /** Observations within this time are one. */
    instantUs: [1_000_000, "µs", 500_000, 2_000_000, "paper"],
    /** Nothing vanishes or is swapped within this time of a sighting; observations farther apart are of two moments. */
    momentUs: [3_000_000, "µs", 1_500_000, 6_000_000, "paper"],
    /** The time in which a person can have carried a thing elsewhere. */
    whileUs: [10_000_000, "µs", 5_000_000, 20_000_000, "experiment"],
    /**
     * Observations this far apart belong to two visits, with independent errors. A person not seen for twice as long
     * has left.
     */
    visitUs: [30_000_000, "µs", 15_000_000, 60_000_000, "paper"],
    /** The time for which things stay away. */
    dayUs: [86_400_000_000, "µs", 43_200_000_000, 172_800_000_000, "paper"],
    /** Observations from directions this far apart are from two sides. */
    sideRad: [(10 * Math.PI) / 180, "rad", 0.087, 0.35, "paper"],
    /** Cosine from which two directions count as the same: faces with image borders, observations with sides. */
    alongCosine: [0.3, "share", 0.15, 0.6, "experiment"],
    /**
     * Natural log of odds: the most that one observation counts; what a clear one counts; from which on something is
     * sure; and what must speak against a thing in its place, unreported or contradicted, before it is given up.
     */
    lookOdds: [1.5, "log-odds", 0.75, 3, "experiment"],
    clearOdds: [2, "log-odds", 1, 4, "experiment"],
    sureOdds: [5.5, "log-odds", 3, 11, "experiment"],
    againstOdds: [7, "log-odds", 3.5, 14, "experiment"],
    /** Deviations beyond which chance is excluded. */
    certainSd: [3, "sd", 2, 4, "paper"],
  },
  (own) => ({
    /**
     * The overlap, or ratio of sizes, above which two bodies cannot be separate: the complement of a clear majority.
     */
    get bodyShare() {
      return 1 - own.majorityShare;
    },
    /** A share of the observations of a thing that is more than mistakes. */
    get someShare() {
      return own.partShare / 2;
    },
    /**
     * The difference up to which places, heights or depths are the same: two observations, each with an inaccurate edge
     * (docs/formulas.md#presence).
     */
    get toleranceM() {
      return 2 * own.edgeM;
    },
    /** Boxes with a smaller gap touch, and no box is thinner: edges are not less accurate than this. */
    get touchM() {
      return own.certainSd * own.edgeM;
    },
    /**
     * The number of observations from which a thing is known well enough to recognise a wrong one: twice the number
     * that excludes a mistake.
     */
    get wellKnownLooks() {
      return 2 * own.twice;
    },
  }),
);

/** The tolerated share: masks that are split, edges that are off on both sides. */
export const SLIP_SHARE = 2 * COMMON.hardlyShare;
/** The complement of the tolerated share: nearly all, or nearly sure. */
export const NEARLY_ALL = 1 - SLIP_SHARE;

import { settings } from "../../schema/settings.ts";
import { COMMON } from "./common.ts";

/** The settings of `merge`: value, unit, minimum, maximum, source. */
export const MERGE = settings(
  "merge",
  {
    /** An observation seldom shows the whole of a thing this large. */
    minLargeM: [1.2, "m", 0.8, 2, "experiment"],
    /** Natural log of odds from which two records are merged when no more observations of either will come. */
    lastOdds: [0.5, "log-odds", -1, 3, "experiment"],
    /** The largest distance between pieces of one thing. */
    farthestM: [1.4, "m", 0.7, 2.8, "experiment"],
    /** The largest distance between the pieces of a split mask, as a share of the image's width. */
    betweenShare: [0.032, "share", 0.016, 0.064, "experiment"],
    maxRivals: [24, "count", 12, 48, "limit"],
  },
  () => ({
    /** The same while more observations of both will come: the most that two observations count. */
    get nowOdds() {
      return 2 * COMMON.lookOdds;
    },
  }),
);

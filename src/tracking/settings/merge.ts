import { settings } from "../../schema/settings.ts";
import { COMMON } from "./common.ts";

/** The numbers of `merge`: value, unit, least, most, where it comes from. */
export const MERGE = settings(
  "merge",
  {
    /** Of things this large a look seldom shows all. */
    minLargeM: [1.2, "m", 0.8, 2, "experiment"],
    /** Natural log of odds from which two records are merged at last, when nothing more will be seen of either. */
    lastOdds: [0.5, "log-odds", -1, 3, "experiment"],
    /** Pieces of one thing lie no farther apart than this. */
    farthestM: [1.4, "m", 0.7, 2.8, "experiment"],
    /** Masks of one thing that was split end this close to each other, in parts of the image's width. */
    betweenShare: [0.032, "share", 0.016, 0.064, "experiment"],
    maxRivals: [24, "count", 12, 48, "limit"],
  },
  () => ({
    /** The same while more will be seen of both: what two looks say at most. */
    get nowOdds() {
      return 2 * COMMON.lookOdds;
    },
  }),
);

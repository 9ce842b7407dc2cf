import { settings } from "../../schema/settings.ts";

/** Which changes are told. */
export const CHANGING = settings("belief.changes", {
  /** A change less likely than this is mostly false. */
  leastP: [0.5, "probability", 0.25, 1, "experiment"],
  certainP: [0.99, "probability", 0.975, 0.995, "experiment"],
  leastLooks: [3, "count", 1, 6, "experiment"],
  passingUs: [2_000_000, "µs", 1_000_000, 4_000_000, "experiment"],
  /** A thing of the same category this near to where another was is taken for the same one. */
  twinM: [0.6, "m", 0.3, 1.2, "experiment"],
  /** A state that ends this soon was mostly misread; a question about changes means lasting ones. */
  lastingUs: [10_000_000, "µs", 5_000_000, 20_000_000, "experiment"],
  /** A thing must be this far away to count as moved. */
  movedM: [0.5, "m", 0.25, 1, "experiment"],
  /** A shorter stay is left over from a merge. */
  leastStayUs: [1_500_000, "µs", 750_000, 3_000_000, "experiment"],
});

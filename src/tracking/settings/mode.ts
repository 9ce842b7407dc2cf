/** "loci", or R⁴ literally: one fixed radius, one similarity, and the adjudicator asked about every proposal. */
export type Mode = "loci" | "paper";

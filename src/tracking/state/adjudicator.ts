import type { LiftedDetection } from "../../schema/core.ts";
import { COMMON } from "../settings/common.ts";

/** A pair that eq. 5 proposes with an inconclusive score (docs/formulas.md#same-thing). */
export interface Proposal {
  readonly detection: LiftedDetection;
  readonly known: { readonly stateId: string; readonly name: string; readonly category: string };
  /** The whole score and its parts, each in [0, 1]; looks is absent without a picture. */
  readonly score: number;
  readonly meaning: number;
  readonly place: number;
  readonly looks?: number | undefined;
  /** 0 for kinds that are never confused. */
  readonly kindAgreement: number;
  readonly overlap: number;
}

/** Decides for each proposal whether it is the same thing: a rule, or a model that is shown both. */
export interface Adjudicator {
  decide(proposals: readonly Proposal[]): Promise<readonly boolean[]>;
}

/**
 * The default: two solid things do not share a place, so a good overlap outweighs a wrong label; otherwise the kind
 * must be likely and the place must match.
 */
export const RULE_ADJUDICATOR: Adjudicator = {
  decide: (proposals) =>
    Promise.resolve(
      proposals.map(
        ({ kindAgreement, place, overlap }) =>
          overlap >= COMMON.bodyShare || (kindAgreement >= COMMON.majorityShare && place >= 0.5),
      ),
    ),
};

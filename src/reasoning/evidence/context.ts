import type { Belief } from "../../belief/belief.ts";
import type { Transform } from "../../geometry/index.ts";
import type { ShortIds } from "./short-ids.ts";

/** What evidence is made ready with: what is believed, and the short ids of this question. */
export interface EvidenceContext {
  readonly memory: Belief;
  readonly ids: ShortIds;
  /** Where the asked one stands. */
  readonly pose?: Transform | undefined;
  readonly signal?: AbortSignal | undefined;
}

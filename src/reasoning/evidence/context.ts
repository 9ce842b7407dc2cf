import type { Belief } from "../../belief/belief.ts";
import type { Transform } from "../../geometry/index.ts";
import type { ShortIds } from "./short-ids.ts";

/** The context for preparing evidence: the beliefs, and the short ids of this question. */
export interface EvidenceContext {
  readonly memory: Belief;
  readonly ids: ShortIds;
  /** The pose of the robot asked. */
  readonly pose?: Transform | undefined;
  readonly signal?: AbortSignal | undefined;
}

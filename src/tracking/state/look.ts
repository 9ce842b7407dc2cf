import type { Vec3 } from "../../geometry/index.ts";
import type { LiftedDetection, Percept } from "../../schema/core.ts";

/** One look that matched: what a sighting row will say. */
export interface Look {
  readonly timeUs: number;
  readonly agentId: string;
  readonly observationId: string;
  readonly detectionId: string;
  readonly labels: readonly string[];
  /** Where it was seen, in the submap of that look. */
  readonly submap: string;
  readonly positionInSubmap: Vec3;
}

/** One detection as a look at whatever it is of. */
export function lookOf({ id, solid }: LiftedDetection, percept: Percept): Look {
  const { timeUs, agentId, observationId, labels, submap } = percept;
  return {
    timeUs,
    agentId,
    observationId,
    detectionId: id,
    labels,
    submap,
    positionInSubmap: solid!.centroid,
  };
}

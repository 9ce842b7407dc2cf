import type { Vec3 } from "../../geometry/index.ts";
import type { LiftedDetection, Percept } from "../../schema/core.ts";

/** One matched observation: the contents of a sighting row. */
export interface Look {
  readonly timeUs: number;
  readonly agentId: string;
  readonly observationId: string;
  readonly detectionId: string;
  readonly labels: readonly string[];
  /** The position in the submap of that observation. */
  readonly submap: string;
  readonly positionInSubmap: Vec3;
}

/** One detection as an observation of its thing. */
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

import { z } from "zod";
import { anchorSchema, idSchema, labelsSchema, timeUsSchema } from "./primitives.ts";

/**
 * One observation of one state: seen, or searched for and found absent, hidden or replaced
 * (docs/formulas.md#presence). Rows are only ever appended; presence, `lastSeen` and a mover's trajectory are
 * computed from them, so that no frequently read record grows with time.
 */
export const sightingSchema = z.object({
  stateId: idSchema,
  timeUs: timeUsSchema,
  outcome: z.enum(["seen", "absent", "occluded", "replaced"]),
  agentId: idSchema.default("local"),
  observationId: idSchema.optional(),
  detectionId: idSchema.optional(),
  /** Position of a mover at that moment. */
  anchor: anchorSchema.pick({ submap: true, p: true }).optional(),
  labels: labelsSchema,
});

export type Sighting = z.infer<typeof sightingSchema>;
export type SightingInput = z.input<typeof sightingSchema>;
export type SightingOutcome = Sighting["outcome"];

/** Computed from sightings: the four timestamps of docs/formulas.md#presence, and how often it was seen. */
export interface Presence {
  readonly stateId: string;
  readonly firstSeenUs: number | null;
  readonly lastSeenUs: number | null;
  readonly lastAbsentBeforeUs: number | null;
  readonly firstAbsentAfterUs: number | null;
  readonly seenCount: number;
}

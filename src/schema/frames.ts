import { z } from "zod";
import { WORLD_FRAME } from "./constants.ts";
import { idSchema, quatSchema, timeUsSchema, vec3Schema } from "./primitives.ts";

/** The stored form of geometry's FrameEdge: `transform` is parentFromChild, `revision` counts corrections. */
export const frameEdgeSchema = z
  .object({
    parent: idSchema,
    child: idSchema,
    stampUs: timeUsSchema.nullable().default(null),
    transform: z.object({ p: vec3Schema, q: quatSchema }),
    kind: z.enum(["static", "odom", "submap", "alignment", "loop", "geodetic"]).default("static"),
    revision: z.int().min(0).default(0),
  })
  .refine((edge) => edge.parent !== edge.child, "a frame is not its own parent")
  .refine(
    (edge) => edge.child !== WORLD_FRAME || edge.kind === "geodetic",
    "only a geodetic edge places the world",
  );

export type FrameEdgeInput = z.input<typeof frameEdgeSchema>;

import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { idSchema, labelsSchema, nameSchema, timeUsSchema, vec3Schema } from "./primitives.ts";

/** Radius of a named place where none is given. */
export const SPOT_RADIUS_M = 1;

const author = idSchema.describe("who says so; default: whoever the request is of");
const target = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.nameChars)
  .describe("the id of a thing (track or state) or room, or words for it: “the box on the desk”");

/** "That is a printer." */
export const correctRequestSchema = z.strictObject({
  target,
  is: nameSchema.describe("what kind of thing or room it is: “printer”"),
  author: author.optional(),
});

/** "This is the charging dock", "Grandma's corner": of a thing, a room, or a place by its coordinates. */
export const nameRequestSchema = z
  .strictObject({
    target: target.optional(),
    at: vec3Schema.optional().describe("a place instead, in metres in the world"),
    radiusM: z
      .number()
      .positive()
      .max(1_000)
      .optional()
      .describe(`how far the place reaches, in metres; default: ${SPOT_RADIUS_M}`),
    name: nameSchema.describe("what it is called: “charging dock”, “Grandma's corner”"),
    author: author.optional(),
    labels: labelsSchema.optional().describe("of a place: labels that a reader must hold"),
    sceneId: idSchema.optional().describe("of a place: in which scene"),
  })
  .refine(({ target, at }) => (target === undefined) !== (at === undefined), {
    message: "a name is given to one thing or room (target), or to a place (at)",
  });

/** A correction by a person, as stored. */
export const correctionSchema = z.object({
  id: idSchema,
  what: z.enum(["kind", "name"]),
  /** The track, room or named place that it refers to. */
  target: idSchema,
  says: nameSchema,
  /** Its earlier name, if it had one. */
  was: nameSchema.optional(),
  author: idSchema,
  labels: labelsSchema,
  sceneId: idSchema,
  saidAtUs: timeUsSchema,
  undone: z.object({ by: idSchema, atUs: timeUsSchema }).optional(),
});

export const correctionsQuerySchema = z.strictObject({
  limit: z.int().min(1).max(1_000).optional().describe("how many"),
});

export type CorrectionsQuery = z.input<typeof correctionsQuerySchema>;
export type CorrectRequest = z.input<typeof correctRequestSchema>;
export type NameRequest = z.input<typeof nameRequestSchema>;
export type Correction = z.infer<typeof correctionSchema>;

import { z } from "zod";
import { RECORD_KINDS } from "./constants.ts";
import { expressionSchema } from "./expression.ts";
import { LIMITS } from "./limits.ts";
import { idSchema, nameSchema, probabilitySchema, timeUsSchema } from "./primitives.ts";

/** A subscription to commits: where to start and what to include. */
export const changesQuerySchema = z.strictObject({
  after: timeUsSchema
    .optional()
    .describe(
      "Memory time of the last known commit; without it, only future commits. Last-Event-ID comes first",
    ),
  kinds: z
    .array(z.enum(RECORD_KINDS))
    .min(1)
    .max(RECORD_KINDS.length)
    .optional()
    .describe("Only these kinds of record"),
  records: z.boolean().optional().describe("Whole records instead of their names"),
});

/** One commit, as far as the reader may see it. `commitUs` is the point to resume after. */
export const memoryChangeSchema = z.object({
  commitUs: timeUsSchema,
  put: z.array(
    z.object({
      id: idSchema,
      kind: z.enum(RECORD_KINDS),
      version: z.int(),
      category: nameSchema.optional(),
      record: z.looseObject({}).optional(),
    }),
  ),
  /** Number of sightings, and of frame-graph edges. */
  sightings: z.int(),
  frames: z.int(),
  forgotten: z.array(idSchema),
});

const webhookSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  /** Signs the payload; generated and returned once if not given. */
  secret: z.string().min(16).max(256).optional(),
});

/** A standing query: the question, and when to notify (docs/formulas.md#watches). */
export const watchRequestSchema = z
  .strictObject({
    /** In words: “tell me when the door opens”, “who is in the kitchen?” */
    question: z
      .string()
      .trim()
      .min(1)
      .max(LIMITS.nameChars * 4)
      .optional(),
    /** Or an expression of the algebra, in its notation or as JSON. */
    expression: z.union([z.string().min(1).max(LIMITS.queryChars), expressionSchema]).optional(),
    /** Notify when the condition becomes true, becomes false, or both. The question may imply it. */
    on: z.enum(["enter", "exit", "change"]).optional(),
    /** The condition counts as true from this confidence on … */
    minConfidence: probabilitySchema.default(0.5),
    /** … until the confidence falls below that by this much. For numbers: the relative change that counts. */
    hysteresis: probabilitySchema.default(0.1),
    /** Seconds of silence after a notification; the state at their end is reported. */
    cooldownS: z
      .number()
      .min(0)
      .max(7 * 86_400)
      .default(0),
    scene: idSchema.optional(),
    agent: idSchema.optional(),
    webhook: webhookSchema.optional(),
  })
  .refine(({ question, expression }) => (question === undefined) !== (expression === undefined), {
    message: "a watch has a question in words or an expression, one of them",
  });

const memberSchema = z.object({ id: z.string(), name: z.string(), p: probabilitySchema });

/** What triggers a new evaluation of a standing query. */
export const dependenciesSchema = z.object({
  kinds: z.array(z.enum(RECORD_KINDS)),
  /** Categories of things; null is any. */
  categories: z.array(z.string()).nullable(),
  /** Rooms by name; null is anywhere. */
  rooms: z.array(z.string()).nullable(),
});

export const watchSchema = z.object({
  id: idSchema,
  question: z.string().optional(),
  /** In the algebra's notation. */
  expression: z.string(),
  on: z.enum(["enter", "exit", "change"]),
  minConfidence: probabilitySchema,
  hysteresis: probabilitySchema,
  cooldownS: z.number(),
  scene: idSchema.optional(),
  agent: idSchema.optional(),
  owner: z.string(),
  createdUs: timeUsSchema,
  dependsOn: dependenciesSchema,
  /** The members for which the condition was last reported true. */
  holds: z.array(memberSchema),
  /** Number of events; their ids count from 1. */
  events: z.int(),
  webhook: z
    .object({
      url: z.string(),
      delivered: z.int(),
      /** Events that were dropped after all delivery attempts failed. */
      lost: z.int(),
      attempts: z.int(),
      error: z.string().optional(),
    })
    .optional(),
  /** Why the last evaluation failed. */
  error: z.string().optional(),
  /** Why it is no longer evaluated: it cost more than a standing query may. Its last event says so too. */
  suspended: z.string().optional(),
});

/** The condition became true or false. `id` is the same for every delivery. */
export const watchEventSchema = z.object({
  id: z.string(),
  watchId: idSchema,
  number: z.int(),
  /** When it was noticed, and the memory's moment that it refers to. */
  toldUs: timeUsSchema,
  atUs: timeUsSchema,
  question: z.string().optional(),
  entered: z.array(memberSchema),
  left: z.array(memberSchema),
  /** The current answer, in words. */
  text: z.string(),
});

export type ChangesQuery = z.input<typeof changesQuerySchema>;
export type MemoryChange = z.infer<typeof memoryChangeSchema>;
export type WatchRequest = z.input<typeof watchRequestSchema>;
export type Watch = z.infer<typeof watchSchema>;
export type WatchEvent = z.infer<typeof watchEventSchema>;
export type WatchMember = z.infer<typeof memberSchema>;
export type Dependencies = z.infer<typeof dependenciesSchema>;

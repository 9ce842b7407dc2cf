import { z } from "zod";
import { RECORD_KINDS } from "./constants.ts";
import { expressionSchema } from "./expression.ts";
import { LIMITS } from "./limits.ts";
import { idSchema, nameSchema, probabilitySchema, timeUsSchema } from "./primitives.ts";

/** Commits of a memory as they happen: what to be told of them. */
export const changesQuerySchema = z.strictObject({
  /** The memory time of the last commit that is known; without one, only commits to come. */
  after: timeUsSchema.optional(),
  kinds: z.array(z.enum(RECORD_KINDS)).min(1).max(RECORD_KINDS.length).optional(),
  /** Whole records instead of what they are called. */
  records: z.boolean().optional(),
});

/** One commit, as far as the reader may see it. `commitUs` is what to resume after. */
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
  /** How many looks at things, and edges of the frame graph. */
  sightings: z.int(),
  frames: z.int(),
  forgotten: z.array(idSchema),
});

const webhookSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  /** Signs what is sent; made, and told once, where none is given. */
  secret: z.string().min(16).max(256).optional(),
});

/** A standing query: what is asked, and when to tell (docs/formulas.md#watches). */
export const watchRequestSchema = z
  .strictObject({
    /** In words: “tell me when the door opens”, “who is in the kitchen?” */
    question: z
      .string()
      .trim()
      .min(1)
      .max(LIMITS.nameChars * 4)
      .optional(),
    /** Or as an expression of the algebra, in its notation or as JSON. */
    expression: z.union([z.string().min(1).max(LIMITS.queryChars), expressionSchema]).optional(),
    /** When something comes to be so, stops being so, or either. Words may say it. */
    on: z.enum(["enter", "exit", "change"]).optional(),
    /** Something is so from this confidence on … */
    minConfidence: probabilitySchema.default(0.5),
    /** … until it falls below that by this much; of a number, the share by which it must differ. */
    hysteresis: probabilitySchema.default(0.1),
    /** Seconds after telling in which nothing more is told; what is so at their end is. */
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

/** What a standing query waits for: nothing else makes it look. */
export const dependenciesSchema = z.object({
  kinds: z.array(z.enum(RECORD_KINDS)),
  /** Kinds of things; null is any. */
  categories: z.array(z.string()).nullable(),
  /** Rooms by name; null is anywhere. */
  rooms: z.array(z.string()).nullable(),
});

export const watchSchema = z.object({
  id: idSchema,
  question: z.string().optional(),
  /** In the notation of the algebra. */
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
  /** What is so as far as it was told. */
  holds: z.array(memberSchema),
  /** How many events there were; their ids count from 1. */
  events: z.int(),
  webhook: z
    .object({
      url: z.string(),
      delivered: z.int(),
      /** Events that were given up after all attempts. */
      lost: z.int(),
      attempts: z.int(),
      error: z.string().optional(),
    })
    .optional(),
  /** Why it could not be looked at the last time. */
  error: z.string().optional(),
  /** Why it is not looked at any more: looking took more than a standing query may cost. Its last event says so too. */
  suspended: z.string().optional(),
});

/** Something came to be so, or no longer is. `id` is the same however often it is delivered. */
export const watchEventSchema = z.object({
  id: z.string(),
  watchId: idSchema,
  number: z.int(),
  /** When it was noticed, and the moment of the memory that it is of. */
  toldUs: timeUsSchema,
  atUs: timeUsSchema,
  question: z.string().optional(),
  entered: z.array(memberSchema),
  left: z.array(memberSchema),
  /** The answer now, in words. */
  text: z.string(),
});

export type ChangesQuery = z.input<typeof changesQuerySchema>;
export type MemoryChange = z.infer<typeof memoryChangeSchema>;
export type WatchRequest = z.input<typeof watchRequestSchema>;
export type Watch = z.infer<typeof watchSchema>;
export type WatchEvent = z.infer<typeof watchEventSchema>;
export type WatchMember = z.infer<typeof memberSchema>;
export type Dependencies = z.infer<typeof dependenciesSchema>;

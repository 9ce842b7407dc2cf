import { z } from "zod";
import { RECORD_KINDS, SYSTEM_NAMES } from "./constants.ts";
import { frameEdgeSchema } from "./frames.ts";
import { LIMITS } from "./limits.ts";
import {
  extentSchema,
  idSchema,
  labelsSchema,
  lineSchema,
  nameSchema,
  probabilitySchema,
  quatSchema,
  timeUsSchema,
  vec3Schema,
} from "./primitives.ts";
import { recordSchema } from "./records.ts";
import { sightingSchema } from "./sighting.ts";

/**
 * The requests and responses of a memory's API as JSON: shared by the library, HTTP, MCP and the remote client. Times
 * are microseconds since the epoch or ISO 8601, lengths metres, angles radians.
 */

/** A moment as people write it. */
export const momentSchema = z.union([timeUsSchema, z.iso.datetime({ offset: true })], {
  error: "expected µs since 1970, or a time in ISO 8601 with its zone, such as 2026-03-02T09:00:00Z",
});

/** A moment as people write or say it: "yesterday", "9:05", "an hour ago"; read as it is in a question. */
export const saidMomentSchema = z.union([momentSchema, z.string().min(1).max(LIMITS.nameChars)]);

const metres = z.number().min(0).max(LIMITS.coordinateM);
const ids = z.array(idSchema).min(1).max(1_000);
const names = z.array(nameSchema).min(1).max(1_000);

/** The view to read through; it never widens what a caller may see. */
const asOf = {
  /** Only what was true in the world at this time. */
  asOfWorld: momentSchema.optional(),
  /** Only what the memory believed at this time. */
  asOfMemory: momentSchema.optional(),
};

/** One search: any mixture of meaning, place, time and plain conditions; all of them filter, `rank` orders. */
export const searchQuerySchema = z.strictObject({
  kinds: z.array(z.enum(RECORD_KINDS)).min(1).max(RECORD_KINDS.length).optional(),
  /** The topic, in words. */
  text: z.string().min(1).max(LIMITS.queryChars).optional(),
  /** Whether `text` is compared by meaning, by words, or both (default). */
  by: z.enum(["both", "meaning", "words"]).default("both"),
  /** A vector from this memory's own text embedder, instead of `text`, for comparison by meaning. */
  vector: z.array(z.number()).min(1).max(LIMITS.vectorDim).optional(),
  near: vec3Schema.optional(),
  /** Distance from `near`; without it the nearest come first. */
  within: metres.optional(),
  box: z.strictObject({ min: vec3Schema, max: vec3Schema }).optional(),
  from: momentSchema.optional(),
  to: momentSchema.optional(),
  ids: ids.optional(),
  scene: idSchema.optional(),
  author: idSchema.optional(),
  category: names.optional(),
  /** The track of a state, the subject of a relation. */
  owner: ids.optional(),
  region: ids.optional(),
  rank: z.enum(["meaning", "words", "fused", "distance", "earliest", "latest", "id"]).optional(),
  limit: z.int().min(1).max(1_000).default(10),
  /** Add the current belief about each found thing beside the record. */
  believed: z.boolean().default(false),
  ...asOf,
});

/** A fact with a place and a time, for callers that have only text. */
export const factSchema = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(LIMITS.lineChars * 4),
  at: vec3Schema.optional(),
  frame: idSchema.optional(),
  time: momentSchema.optional(),
  until: momentSchema.nullable().optional(),
  topic: nameSchema.optional(),
  author: idSchema.optional(),
  scene: idSchema.optional(),
  labels: labelsSchema,
  id: idSchema.optional(),
  /** An idempotency key: the same key is the same fact, so that a request can be retried. */
  key: nameSchema.optional(),
});

/** One atomic write of records, sightings and frame edges. */
export const writeSchema = z.strictObject({
  records: z.array(recordSchema).max(LIMITS.recordsPerBatch).default([]),
  sightings: z.array(sightingSchema).max(LIMITS.sightingsPerBatch).default([]),
  frames: z.array(frameEdgeSchema).max(LIMITS.recordsPerBatch).default([]),
});

/** Detections of an external detector from one observation, lifted to 3D: boxes along the axes of `frame`. */
const lookSchema = z.strictObject({
  time: momentSchema,
  agent: idSchema.optional(),
  sensor: idSchema.default("detector"),
  frame: idSchema.default("world"),
  /** The sensor's pose: its position and, in optical axes (+Z forward), its orientation. */
  pose: z.strictObject({ p: vec3Schema, q: quatSchema.optional() }).optional(),
  detections: z
    .array(
      z.strictObject({
        category: nameSchema,
        position: vec3Schema,
        extent: extentSchema.optional(),
        score: probabilitySchema.default(1),
        /** A phrase that describes it: "a red mug with the text ANNA"; default: its category. */
        text: lineSchema.optional(),
        /** Left, top, right, bottom in pixels. */
        bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
      }),
    )
    .max(4_096),
});

export const detectionsSchema = z.strictObject({
  looks: z.array(lookSchema).min(1).max(1_000),
  /**
   * Also track the things across observations, so that questions can be answered about them. Needs each observation's
   * pose.
   */
  track: z.boolean().default(false),
  scene: idSchema.optional(),
  labels: labelsSchema,
});

/** Sentences from an external captioner, each with a time and, if known, a place. */
export const captionsSchema = z.strictObject({
  captions: z
    .array(
      z.strictObject({
        text: z.string().min(1).max(LIMITS.lineChars),
        time: momentSchema,
        until: momentSchema.optional(),
        agent: idSchema.optional(),
        position: vec3Schema.optional(),
        frame: idSchema.default("world"),
      }),
    )
    .min(1)
    .max(1_000),
  scene: idSchema.optional(),
  labels: labelsSchema,
});

/** The settings of a question. */
export const askSettingsSchema = z.strictObject({
  /** Time of the question; default: the latest moment the memory knows. */
  now: momentSchema.optional(),
  options: z.array(nameSchema).min(1).max(26).optional(),
  agent: idSchema.optional(),
  scene: idSchema.optional(),
  /** Answers for the map that contains this frame; places and goals are given in it. */
  frame: idSchema.optional(),
  pose: z.strictObject({ position: vec3Schema, yawRad: z.number() }).optional(),
  /** The paper's system that answers; default: the rules, or R⁴ where there is a language model. */
  system: z
    .enum(SYSTEM_NAMES, {
      error: ({ input }) => `expected a system (${SYSTEM_NAMES.join(", ")}), got ${JSON.stringify(input)}`,
    })
    .optional(),
  /** For a system: our choices, or the paper literally. */
  mode: z.enum(["ours", "paper"]).optional(),
  /** Largest share of given answers that may be wrong; less certain questions are declined. */
  risk: z.number().gt(0, "expected a share above 0").max(1, "expected a share of at most 1").optional(),
  /** Also find where to stand to see the result; default true. */
  navigate: z.boolean().optional(),
  ...asOf,
});

const listed = {
  now: momentSchema.optional(),
  scene: idSchema.optional(),
  /** Selects the map that contains this frame. */
  frame: idSchema.optional(),
  ...asOf,
};

/** A plain listing, from the operators that answer questions. */
export const listQuerySchema = z.discriminatedUnion("what", [
  z.strictObject({
    what: z.literal("things"),
    room: nameSchema.optional(),
    floor: nameSchema.optional(),
    kind: nameSchema.optional(),
    ...listed,
  }),
  z.strictObject({ what: z.literal("rooms"), ...listed }),
  z.strictObject({ what: z.literal("people"), ...listed }),
  z.strictObject({ what: z.literal("changes"), since: saidMomentSchema.optional(), ...listed }),
  z.strictObject({
    what: z.literal("route"),
    from: nameSchema.optional(),
    to: nameSchema,
    ...listed,
  }),
]);

export const forgetSchema = z.strictObject({
  ids: z.array(idSchema).min(1).max(LIMITS.hitsPerSearch),
  reason: nameSchema,
  /** What happens to pictures that also show other things. */
  pictures: z.enum(["blacken", "give up"]).default("blacken"),
});

export const retainSchema = z
  .strictObject({
    maxBytes: z.int().min(1).optional(),
    /** Of looks, detections, captions and views. */
    maxAgeDays: z.number().positive().max(36_500).optional(),
    /** From when ages count; default the last moment that the memory knows. */
    nowUs: timeUsSchema.optional(),
  })
  .refine(({ maxBytes, maxAgeDays }) => maxBytes !== undefined || maxAgeDays !== undefined, {
    message: "expected maxBytes or maxAgeDays",
  });

/** The current belief about a thing: whether it is still where it was last seen, and where that is. */
export const believedSchema = z.object({
  trackId: idSchema,
  stateId: idSchema,
  name: z.string(),
  status: z.enum(["there", "gone", "taken", "unknown"]),
  lastSeenUs: timeUsSchema,
  position: vec3Schema.optional(),
  room: z.object({ id: idSchema, name: z.string() }).optional(),
});
export type Believed = z.infer<typeof believedSchema>;

export const hitSchema = z.object({
  record: z.looseObject({ kind: z.enum(RECORD_KINDS), id: idSchema }),
  score: z.number(),
  scores: z.object({
    meaning: z.number().optional(),
    image: z.number().optional(),
    words: z.number().optional(),
    distanceM: z.number().optional(),
  }),
  position: vec3Schema.optional(),
  box: z.object({ min: vec3Schema, max: vec3Schema }).optional(),
  believed: believedSchema.optional(),
});

export const commitSchema = z.object({
  commitUs: timeUsSchema,
  written: z.int(),
  unchanged: z.int(),
  versions: z.array(z.int()),
});

/** One logged forgetting or correction: author, time and reason. */
export const auditEntrySchema = z.object({
  atUs: timeUsSchema,
  /** The name of the token, or "owner". */
  who: nameSchema,
  act: nameSchema,
  ids: z.array(idSchema).max(LIMITS.hitsPerSearch),
  reason: z.string().max(LIMITS.nameChars).optional(),
});

export const listedSchema = z.object({
  expression: z.string(),
  rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  text: z.string(),
  notes: z.array(z.string()).optional(),
});

export type SearchQuery = z.input<typeof searchQuerySchema>;
export type Fact = z.input<typeof factSchema>;
export type DetectionsInput = z.input<typeof detectionsSchema>;
export type CaptionsInput = z.input<typeof captionsSchema>;
export type WriteInput = z.input<typeof writeSchema>;
export type AskSettings = z.input<typeof askSettingsSchema>;
export type ListQuery = z.input<typeof listQuerySchema>;
export type ForgetInput = z.input<typeof forgetSchema>;
export type AuditEntry = z.infer<typeof auditEntrySchema>;

import { z } from "zod";
import { RECORD_KINDS } from "./constants.ts";
import { LIMITS } from "./limits.ts";
import {
  idSchema,
  lineSchema,
  nameSchema,
  probabilitySchema,
  timeUsSchema,
  vec3Schema,
} from "./primitives.ts";

/**
 * The types of answer; the field of the same name holds the value (docs/formulas.md#records). `text` needs no other
 * field.
 */
export const ANSWER_TYPES = [
  "text",
  "binary",
  "position",
  "time",
  "duration",
  "count",
  "quantity",
  "choice",
  "set",
  "motion",
] as const;

/**
 * The outcome of a question. The ways of not knowing are kept apart: never seen, observed to be absent, a false
 * premise ("which way did the parked car turn?"), and not enough evidence. `ambiguous` means that several things fit
 * the question; `denied` that the reader may not know.
 */
export const ANSWER_STATUSES = [
  "answered",
  "not-seen",
  "looked-absent",
  "false-premise",
  "ambiguous",
  "insufficient",
  "denied",
] as const;

const seconds = z
  .number()
  .min(-LIMITS.timeUs / 1e6)
  .max(LIMITS.timeUs / 1e6);
const milliseconds = z.number().min(0);

/** A number with its unit: lengths, areas, speeds, angles, and plain ratios such as a probability. */
export const quantitySchema = z.object({
  value: z.number(),
  unit: z.enum(["m", "m2", "m3", "m/s", "rad", "rad/s", "1"]),
});

const position = z.object({
  point: vec3Schema,
  frame: idSchema.default("world"),
  sdM: z.number().min(0).optional(),
  trackId: idSchema.optional(),
  /** The room or region, as people call it. */
  region: nameSchema.optional(),
});

/** The time of the fact. `agoS` counts back from the moment of asking. */
const time = z.object({ atUs: timeUsSchema, untilUs: timeUsSchema.optional(), agoS: seconds });

const motion = z.object({
  moving: z.boolean(),
  /** A direction word in the frame: "left", "towards the door", "north". */
  direction: nameSchema.optional(),
  speedMps: z.number().min(0).optional(),
  /** As seen from above. */
  turn: z.enum(["clockwise", "counter-clockwise", "none"]).optional(),
  frame: z.enum(["ego", "object", "viewer", "world"]).default("world"),
});

/** Where a robot can drive, and where to look once it is there. */
export const navGoalSchema = z.object({
  frame: idSchema.default("world"),
  position: vec3Schema,
  yawRad: z.number(),
  lookAt: vec3Schema.optional(),
  trackId: idSchema.optional(),
  /** The name of what it leads to. */
  name: nameSchema.optional(),
  pathM: z.number().min(0).optional(),
  reachable: z.boolean().optional(),
  /** The revision of the frames that the pose holds for: a later correction of the map moves it. */
  mapRevision: z.int().min(0).optional(),
  /** When the thing was last seen, or the place last looked at, and how long before the question that was. */
  lookedAtUs: timeUsSchema.optional(),
  ageS: z.number().min(0).optional(),
  /** "not looked at for 9 days": set where that is longer than asked (default: a day). */
  stale: lineSchema.optional(),
  /** Standard deviations of the pose, from the target's own and the map's cells. */
  sdM: z.number().min(0).optional(),
  yawSdRad: z.number().min(0).optional(),
});

const kind = z.enum(RECORD_KINDS);

/** One record that supports the answer, and what it says. */
export const evidenceSchema = z.object({
  ref: idSchema,
  kind,
  why: lineSchema,
  /** When it was true in the world, not when it was stored. */
  atUs: timeUsSchema,
  agentId: idSchema,
  score: z.number(),
  trackId: idSchema.optional(),
  position: vec3Schema.optional(),
  /** Its best picture. */
  viewId: idSchema.optional(),
});

/** One record that retrieval gave the reasoner, whether used or not; best first. */
export const shownSchema = z.object({
  ref: idSchema,
  kind,
  fromUs: timeUsSchema,
  toUs: timeUsSchema.nullable(),
  score: z.number(),
  /** The tracks it mentions, with repeats: redundancy and track recall are counted from them. */
  trackIds: z.array(idSchema).max(LIMITS.refsPerRecord).default([]),
  position: vec3Schema.optional(),
});

/** One round of retrieval and reasoning. */
export const roundSchema = z.object({
  /** The search texts. */
  cues: z.array(lineSchema).max(64).default([]),
  strategy: nameSchema.optional(),
  /** How wide the search was: 0 as asked, each step broader (docs/formulas.md#rounds). */
  broadened: z.int().min(0).default(0),
  found: z.int().min(0),
  added: z.int().min(0),
  sufficient: z.boolean(),
  rejected: z
    .array(z.object({ reason: nameSchema, count: z.int().min(1) }))
    .max(64)
    .default([]),
  ms: milliseconds.optional(),
});

export const traceSchema = z.object({
  rounds: z.array(roundSchema).max(64).default([]),
  /** The retrieval plan as data, so that an answer can be replayed. */
  plan: z.json().optional(),
  shown: z.array(shownSchema).max(LIMITS.hitsPerSearch).default([]),
  /** Wall-clock time by stage. */
  ms: z.record(nameSchema, milliseconds).default({}),
  /** Size of the evidence given to the reasoner, counted the same way for every strategy. */
  contextTokens: z.int().min(0).optional(),
  /** Billed by the language models, input and output; absent where none was called. */
  tokens: z.int().min(0).optional(),
  /** Metres driven and steps taken to find out; absent when no agent moved. */
  pathM: z.number().min(0).optional(),
  steps: z.int().min(0).optional(),
  models: z.record(nameSchema, nameSchema).default({}),
});

/**
 * An answer with everything behind it: what `ask --json` prints, what the evaluation scores. `type` says which typed
 * field the question asked for; others may be filled too ("how tall was the bus, and when did I see it?"). Times are
 * microseconds since the epoch, lengths metres, angles radians.
 */
export const answerSchema = z
  .object({
    question: z.string().min(1).max(LIMITS.queryChars),
    askedAtUs: timeUsSchema,
    strategy: nameSchema,
    type: z.enum(ANSWER_TYPES),
    status: z.enum(ANSWER_STATUSES),
    /** A sentence or a few words a person can read; empty only if there is no answer. */
    text: z.string().max(LIMITS.lineChars),
    binary: z.boolean().optional(),
    position: position.optional(),
    yawRad: z.number().optional(),
    time: time.optional(),
    durationS: seconds.optional(),
    count: z.int().min(0).optional(),
    quantity: quantitySchema.optional(),
    /** The letter of the chosen option, A first. */
    choice: z
      .string()
      .regex(/^[A-Z]$/, "an option is one letter from A to Z")
      .optional(),
    set: z.array(nameSchema).max(LIMITS.refsPerRecord).optional(),
    motion: motion.optional(),
    /** Calibrated: of answers with 0.8, about 8 in 10 are right. */
    confidence: probabilitySchema,
    evidence: z.array(evidenceSchema).max(LIMITS.refsPerRecord).default([]),
    /** Evidence against it and conflicts among the evidence, in words. */
    contradictions: z.array(lineSchema).max(64).default([]),
    asOfUs: timeUsSchema.optional(),
    navGoal: navGoalSchema.optional(),
    trace: traceSchema.prefault({}),
  })
  .refine((a) => a.status !== "answered" || hasTypedField(a), {
    message: "an answered question has the field of its type (binary, position, time …)",
    path: ["type"],
  });

export type AnswerRecord = z.infer<typeof answerSchema>;
export type AnswerInput = z.input<typeof answerSchema>;
export type AnswerType = (typeof ANSWER_TYPES)[number];
export type AnswerStatus = (typeof ANSWER_STATUSES)[number];
export type AnswerEvidence = z.infer<typeof evidenceSchema>;
export type ShownEvidence = z.infer<typeof shownSchema>;
export type AnswerTrace = z.infer<typeof traceSchema>;
export type ReasoningRound = z.infer<typeof roundSchema>;
export type NavGoal = z.infer<typeof navGoalSchema>;
export type Quantity = z.infer<typeof quantitySchema>;

function hasTypedField(answer: {
  readonly type: AnswerType;
  readonly text: string;
  readonly durationS?: number | undefined;
}): boolean {
  if (answer.type === "text") return answer.text !== "";
  if (answer.type === "duration") return answer.durationS !== undefined;
  return (answer as Readonly<Record<string, unknown>>)[answer.type] !== undefined;
}

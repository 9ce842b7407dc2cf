import { z } from "zod";
import { quantitySchema } from "./answer.ts";
import { LIMITS } from "./limits.ts";
import {
  idSchema,
  lineSchema,
  nameSchema,
  probabilitySchema,
  timeUsSchema,
  vec3Schema,
} from "./primitives.ts";

/** The twenty question types of docs/formulas.md#questions, and four more from the papers. */
export const QUESTION_TYPES = [
  "recognition",
  "localisation",
  "attribute",
  "spatial",
  "state",
  "counting",
  "comparison",
  "relationship",
  "temporal",
  "change",
  "ego",
  "functional",
  "world-knowledge",
  "implicit",
  "global",
  "existence",
  "multimodal",
  "nearest",
  "predictive",
  "collaborative",
  "motion",
  "capacity",
  "carried",
  "compound",
] as const;

/** Why a question has no answer: never seen, observed to be absent, or a false premise. */
export const UNANSWERABLE_REASONS = ["never-seen", "looked-absent", "false-premise"] as const;

const seconds = z.number().min(0).max(1e12);
/** Every answer has a text in people's words; scores are computed from the other fields. */
const text = z.string().min(1).max(LIMITS.lineChars);
/** Other correct places: one of several sinks. */
const accepted = z.array(vec3Schema).max(256).optional();

const simpleAnswers = [
  z.object({ type: z.literal("text"), text, position: vec3Schema.optional(), accepted }),
  z.object({
    type: z.literal("binary"),
    text,
    value: z.boolean(),
    /** For a "no": whether the place was observed. */
    status: z.enum(["answered", "not-seen", "looked-absent"]).optional(),
  }),
  z.object({ type: z.literal("position"), text, position: vec3Schema, accepted }),
  z.object({ type: z.literal("time"), text, atUs: timeUsSchema, agoS: z.number() }),
  z.object({ type: z.literal("duration"), text, durationS: seconds }),
  z.object({ type: z.literal("count"), text, count: z.int().min(0) }),
  z.object({ type: z.literal("quantity"), text, quantity: quantitySchema }),
  z.object({ type: z.literal("choice"), text, letter: z.string().regex(/^[A-Z]$/) }),
  z.object({ type: z.literal("set"), text, items: z.array(nameSchema).max(LIMITS.refsPerRecord) }),
  z.object({
    type: z.literal("motion"),
    text,
    moving: z.boolean(),
    /** A direction word in the question's frame: "left", "away". */
    direction: nameSchema.optional(),
    speedMps: z.number().min(0).optional(),
    /** As seen from above. */
    turn: z.enum(["clockwise", "counter-clockwise", "none"]).optional(),
  }),
  /** Facts that a free answer should mention, each with accepted phrasings. */
  z.object({
    type: z.literal("rubric"),
    text,
    facts: z.array(z.array(nameSchema).min(1).max(32)).min(1).max(64),
  }),
  /** Unanswerable: the correct reply says so, and why. */
  z.object({
    type: z.literal("none"),
    text,
    status: z.enum(["not-seen", "looked-absent", "false-premise"]),
  }),
] as const;

/** The true answer, by type; "compound" has one part for each thing asked. */
export const truthSchema = z.discriminatedUnion("type", [
  ...simpleAnswers,
  z.object({
    type: z.literal("compound"),
    text,
    parts: z
      .array(z.discriminatedUnion("type", [...simpleAnswers]))
      .min(2)
      .max(8),
  }),
]);

const pose = z.object({ position: vec3Schema, yawRad: z.number() });
const wordings = z.array(lineSchema).max(64).default([]);

/**
 * One question with its answer, the evidence and the shortest path to it (docs/formulas.md#questions): a line of
 * questions.jsonl. Generated questions and those of real datasets have the same form; only fields that an adapter
 * does not know are absent. Ids of targets and regions refer to the ground truth, never to a memory.
 */
export const questionSchema = z
  .object({
    id: idSchema,
    /** Its source: "house", "open-eqa", "navqa". */
    family: nameSchema,
    suite: nameSchema,
    type: z.enum(QUESTION_TYPES),
    subtype: nameSchema,
    /** The wording to ask. */
    text: lineSchema,
    /** Two disjoint sets: parsers are built on `dev`, results are reported on `test`. */
    paraphrases: z.object({ dev: wordings, test: wordings }).prefault({}),
    answer: truthSchema,
    /** Other correct wordings of the answer. */
    extra: wordings,
    /** For multiple choice, A first. */
    options: z.array(lineSchema).min(2).max(26).optional(),
    targets: z.array(idSchema).max(LIMITS.refsPerRecord).default([]),
    regions: z.array(idSchema).max(LIMITS.refsPerRecord).default([]),
    /** When the answer was visible, for recall@k. */
    evidenceTimesUs: z.array(timeUsSchema).max(LIMITS.refsPerRecord).default([]),
    /** Tolerated error of a number; `share` is relative. */
    tolerance: z
      .object({ m: z.number().min(0), s: z.number().min(0), share: z.number().min(0) })
      .partial()
      .prefault({}),
    /** Episodic questions are answered from memory; active ones may also be answered by exploring. */
    scope: z.enum(["episodic", "active"]),
    /** Nothing later may be used. */
    askedAtUs: timeUsSchema,
    /** The agent that is asked: "I" and "you" in the text. */
    askedOf: idSchema.optional(),
    start: pose.optional(),
    /** The shortest walk that shows the evidence; absent where the evidence lies in the past or is unreachable. */
    minPath: z
      .object({
        m: z.number().min(0),
        steps: z.int().min(0),
        viewpoints: z.array(pose).max(256),
        approximate: z.boolean().default(false),
      })
      .optional(),
    /** What "this" refers to: a region of the picture that an agent took at a time. */
    image: z
      .object({
        agentId: idSchema,
        timeUs: timeUsSchema,
        bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
      })
      .optional(),
    /** The reference frame for left and front, and its time. */
    frame: z
      .object({
        kind: z.enum(["ego", "object", "viewer", "world"]),
        /** The thing or agent that the frame belongs to. */
        ref: idSchema.optional(),
        atUs: timeUsSchema.optional(),
        position: vec3Schema.optional(),
        yawRad: z.number().optional(),
      })
      .optional(),
    /** Share of the blind baselines that answer correctly without any observation; measured. */
    blindAnswerable: probabilitySchema.optional(),
    difficulty: z.enum(["easy", "medium", "hard"]),
    answerable: z.boolean(),
    unanswerableReason: z.enum(UNANSWERABLE_REASONS).optional(),
    /** The subject of the question as data, from which a checker derives the answer again. */
    about: z.record(nameSchema, z.json()).default({}),
  })
  .refine((q) => q.answerable === (q.answer.type !== "none"), {
    message: "an unanswerable question has an answer of type none, and only that",
    path: ["answerable"],
  })
  .refine((q) => (q.answer.type === "choice") === (q.options !== undefined), {
    message: "multiple choice has options and a letter",
    path: ["options"],
  })
  .refine(
    (q) => q.answer.type !== "choice" || q.answer.letter.charCodeAt(0) - 65 < (q.options?.length ?? 0),
    {
      message: "the letter names one of the options",
      path: ["answer", "letter"],
    },
  );

export type QuestionRecord = z.infer<typeof questionSchema>;
export type QuestionInput = z.input<typeof questionSchema>;
export type QuestionType = (typeof QUESTION_TYPES)[number];
export type TruthAnswer = z.infer<typeof truthSchema>;
export type UnanswerableReason = (typeof UNANSWERABLE_REASONS)[number];

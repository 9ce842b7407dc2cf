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

/** The twenty kinds of question of docs/formulas.md#questions, and four that the papers ask besides. */
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

/** Why there is nothing to answer: nobody saw it, somebody looked and it was not there, or it is not so at all. */
export const UNANSWERABLE_REASONS = ["never-seen", "looked-absent", "false-premise"] as const;

const seconds = z.number().min(0).max(1e12);
/** Every answer has words a person would use; the other fields are what a score is computed from. */
const text = z.string().min(1).max(LIMITS.lineChars);
/** Other places that are as good an answer: one of several sinks. */
const accepted = z.array(vec3Schema).max(256).optional();

const simpleAnswers = [
  z.object({ type: z.literal("text"), text, position: vec3Schema.optional(), accepted }),
  z.object({
    type: z.literal("binary"),
    text,
    value: z.boolean(),
    /** For a "no": whether one looked. */
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
    /** In words of the question's frame: "left", "away". */
    direction: nameSchema.optional(),
    speedMps: z.number().min(0).optional(),
    /** Seen from above. */
    turn: z.enum(["clockwise", "counter-clockwise", "none"]).optional(),
  }),
  /** Facts that a free answer should mention, each with phrasings that count. */
  z.object({
    type: z.literal("rubric"),
    text,
    facts: z.array(z.array(nameSchema).min(1).max(32)).min(1).max(64),
  }),
  /** Unanswerable: the right reply is to say so, and why. */
  z.object({
    type: z.literal("none"),
    text,
    status: z.enum(["not-seen", "looked-absent", "false-premise"]),
  }),
] as const;

/** The true answer, by type; "compound" has one part for each of the things asked. */
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
 * One question with its answer, the evidence and the shortest way to it (docs/formulas.md#questions): a line of questions.jsonl.
 * Generated questions and those of real datasets have the same form; only what an adapter does not know is
 * absent. Ids of targets and regions are those of the truth they come from, never of a memory.
 */
export const questionSchema = z
  .object({
    id: idSchema,
    /** Where it comes from: "house", "open-eqa", "navqa". */
    family: nameSchema,
    suite: nameSchema,
    type: z.enum(QUESTION_TYPES),
    subtype: nameSchema,
    /** The wording that is asked. */
    text: lineSchema,
    /** Two disjoint sets: parsers are built on `dev`, figures are reported on `test`. */
    paraphrases: z.object({ dev: wordings, test: wordings }).prefault({}),
    answer: truthSchema,
    /** Other wordings of the answer that are as right. */
    extra: wordings,
    /** For multiple choice, A first. */
    options: z.array(lineSchema).min(2).max(26).optional(),
    targets: z.array(idSchema).max(LIMITS.refsPerRecord).default([]),
    regions: z.array(idSchema).max(LIMITS.refsPerRecord).default([]),
    /** When the answer could be seen, for recall@k. */
    evidenceTimesUs: z.array(timeUsSchema).max(LIMITS.refsPerRecord).default([]),
    /** How far off a number may be; `share` is relative. */
    tolerance: z
      .object({ m: z.number().min(0), s: z.number().min(0), share: z.number().min(0) })
      .partial()
      .prefault({}),
    /** Episodic questions are answered from memory; active ones may be answered by going to look. */
    scope: z.enum(["episodic", "active"]),
    /** Nothing after it may be used. */
    askedAtUs: timeUsSchema,
    /** The agent that is asked; "I" and "you" in the text. */
    askedOf: idSchema.optional(),
    start: pose.optional(),
    /** The least walk that shows the evidence; absent where it lies in the past or cannot be reached. */
    minPath: z
      .object({
        m: z.number().min(0),
        steps: z.int().min(0),
        viewpoints: z.array(pose).max(256),
        approximate: z.boolean().default(false),
      })
      .optional(),
    /** What "this" is: a place in the picture that an agent took at a time. */
    image: z
      .object({
        agentId: idSchema,
        timeUs: timeUsSchema,
        bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
      })
      .optional(),
    /** Whose left and front are meant, and when. */
    frame: z
      .object({
        kind: z.enum(["ego", "object", "viewer", "world"]),
        /** The thing or agent whose frame it is. */
        ref: idSchema.optional(),
        atUs: timeUsSchema.optional(),
        position: vec3Schema.optional(),
        yawRad: z.number().optional(),
      })
      .optional(),
    /** Share of the blind answerers that get it right without seeing anything; measured. */
    blindAnswerable: probabilitySchema.optional(),
    difficulty: z.enum(["easy", "medium", "hard"]),
    answerable: z.boolean(),
    unanswerableReason: z.enum(UNANSWERABLE_REASONS).optional(),
    /** What the question is about, as data: what a checker derives the answer from again. */
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

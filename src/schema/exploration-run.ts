import { z } from "zod";
import { answerSchema } from "./answer.ts";
import {
  idSchema,
  lineSchema,
  nameSchema,
  probabilitySchema,
  timeUsSchema,
  vec3Schema,
} from "./primitives.ts";

/** The policies that can choose where to go next. */
export const POLICIES = ["memory", "memory-eqa", "explore-eqa", "nearest", "random", "oracle"] as const;
export type PolicyName = (typeof POLICIES)[number];

/** The format version; a reader refuses newer ones. */
export const RUN_VERSION = 1;

const metres = z.number().min(0);
const stand = z.object({ position: vec3Schema, yawRad: z.number() });

/** The modules that may read the memory during an exploration. */
export const MODULES = ["planner", "stopping", "answering"] as const;
export type Module = (typeof MODULES)[number];

/** The papers' ablations: which modules may read the memory. Ours has all on. */
export const switchesSchema = z.object({
  planner: z.boolean().default(true),
  stopping: z.boolean().default(true),
  answering: z.boolean().default(true),
});
export type Switches = z.infer<typeof switchesSchema>;

export const budgetSchema = z.object({
  steps: z.int().min(1).max(10_000),
  pathM: metres,
  /** By the bodies' own clocks. */
  seconds: z.number().min(0),
});
export type Budget = z.infer<typeof budgetSchema>;

/** Why a run ended; each reason also comes with a sentence. */
export const RUN_ENDS = [
  "answered", // confident enough
  "absent", // every place where it could be was observed
  "explored", // nothing left to observe that could help
  "budget", // steps, metres or seconds ran out
  "unreachable", // what is left cannot be reached
  "not-understood", // the question asks for nothing that exploring could show
  "body-failed", // a body did not answer or can no longer move
  "cancelled",
] as const;
export type RunEnd = (typeof RUN_ENDS)[number];

/** The first line: the question, the agents and the place. */
const runHead = z.object({
  kind: z.literal("run"),
  version: z.literal(RUN_VERSION),
  id: idSchema,
  /** The question, or for a drive the thing to go to. */
  question: lineSchema,
  options: z.array(lineSchema).max(26).optional(),
  task: z.enum(["answer", "navigate"]),
  policy: z.enum(POLICIES),
  mode: z.enum(["loci", "paper"]),
  agents: z
    .array(z.object({ id: idSchema, start: stand }))
    .min(1)
    .max(64),
  budget: budgetSchema,
  switches: switchesSchema,
  /** The system that gives the final answer, and the model used on the way. */
  system: nameSchema.optional(),
  model: nameSchema.optional(),
  /** The place: the simulator's family and seed, or the name of a robot's site. */
  place: z.object({ family: nameSchema, seed: nameSchema.optional(), noise: z.number().optional() }),
  sceneId: idSchema,
  startedUs: timeUsSchema,
});

export const FRONTIER_FATES = ["chosen", "kept", "discarded", "claimed"] as const;

/** A frontier (border of the known area) as judged at one step. */
const frontierLine = z.object({
  id: idSchema,
  /** Where to stand to see past it. */
  stand,
  /** The midpoint of the border, and its length. */
  middle: vec3Schema,
  lengthM: metres,
  /** Unknown floor visible from there. */
  gainM2: metres,
  /** Path length to it; null if it is unreachable. */
  costM: metres.nullable(),
  /** The terms of its score, by name. */
  scores: z.record(nameSchema, z.number()).default({}),
  fate: z.enum(FRONTIER_FATES),
  /** Why it was discarded, or which agent claims it. */
  why: lineSchema.optional(),
});
export type FrontierLine = z.infer<typeof frontierLine>;

/** One part of the question, and whether it is known by now. */
const checkLine = z.object({ what: lineSchema, known: z.boolean(), p: probabilitySchema.optional() });

/** One module's query to the memory, the model's reply to what it found, and the result. */
const consultation = z.object({
  module: z.enum(MODULES),
  /** The search text; absent where the module may not read the memory. */
  query: lineSchema.optional(),
  /** The author of the search text: the model, or rules from the question and the step. */
  by: z.enum(["model", "rules"]),
  /** Retrieved records, best first. */
  retrieved: z.array(idSchema).max(64),
  /** Prompts used, in order, as id@version. */
  prompts: z.array(nameSchema).max(8),
  /** For the planner: the offered places by letter, and the one its own rules would choose. */
  offered: z
    .array(z.object({ letter: z.string().length(1), what: lineSchema, target: idSchema.optional() }))
    .max(26)
    .optional(),
  own: z.string().length(1).optional(),
  /** The choice: a letter, or an answer's status. */
  choice: lineSchema.optional(),
  reason: lineSchema.optional(),
  /** For stopping: how confident an answer would be. */
  sure: probabilitySchema.optional(),
  /** Why the module followed its own rules instead. */
  fallback: lineSchema.optional(),
  /** Billed by the model, input and output. */
  tokens: z.int().min(0).optional(),
});
export type Consultation = z.infer<typeof consultation>;

export const DECISIONS = ["look-around", "recall", "verify", "explore", "inspect", "stay", "answer"] as const;

/** One step of one agent: what it knew, what it chose and why, and the outcome. */
const runStep = z.object({
  kind: z.literal("step"),
  n: z.int().min(0),
  agentId: idSchema,
  timeUs: timeUsSchema,
  /** Its estimated pose when it decided. */
  pose: stand,
  sdM: metres,
  frontiers: z.array(frontierLine).max(256),
  checklist: z.array(checkLine).max(64),
  /** The current answer and its confidence. */
  belief: z.object({ text: z.string(), status: nameSchema, confidence: probabilitySchema }).optional(),
  decision: z.object({
    kind: z.enum(DECISIONS),
    reason: lineSchema,
    goal: stand.optional(),
    /** The frontier or record that it heads for. */
    target: idSchema.optional(),
  }),
  /** Records behind the decision, and those that the step created. */
  used: z.array(idSchema).max(64),
  made: z.array(idSchema).max(256),
  /** Memory queries behind the decision, by module. */
  consulted: z.array(consultation).max(8).optional(),
  went: z
    .object({ outcome: nameSchema, pathM: metres, turnRad: metres, why: lineSchema.optional() })
    .optional(),
  /** This agent's total so far. */
  pathM: metres,
  coverage: probabilitySchema.optional(),
  planMs: z.number().min(0),
});
export type RunStep = z.infer<typeof runStep>;

/**
 * The known floor at a step, for drawing: rows from the lowest y, cells from the lowest x, as runs `<count><state>`
 * with u unknown, f free, o occupied ("120u4f2o"). Written when it changed.
 */
const runMap = z.object({
  kind: z.literal("map"),
  n: z.int().min(0),
  floorZ: z.number(),
  originX: z.number(),
  originY: z.number(),
  cellM: z.number().positive(),
  width: z.int().min(0).max(4096),
  height: z.int().min(0).max(4096),
  runs: z
    .string()
    .max(4_194_304)
    .regex(/^(?:\d+[ufo])*$/),
});
export type RunMap = z.infer<typeof runMap>;

/** The last line. A run without it was interrupted. */
const runEnd = z.object({
  kind: z.literal("end"),
  end: z.enum(RUN_ENDS),
  why: lineSchema,
  answer: answerSchema.nullable(),
  steps: z.int().min(0),
  pathM: z.record(idSchema, metres),
  seconds: z.number().min(0),
  /** Rooms by name and the share of each that was observed: proof of the search. */
  looked: z.array(z.object({ room: nameSchema, share: probabilitySchema })).max(256),
  /** Memory queries after the last step: for stopping and answering. */
  consulted: z.array(consultation).max(8).optional(),
});

export const runLineSchema = z.discriminatedUnion("kind", [runHead, runStep, runMap, runEnd]);
export type RunLine = z.infer<typeof runLineSchema>;
export type RunHead = z.infer<typeof runHead>;
export type RunEndLine = z.infer<typeof runEnd>;

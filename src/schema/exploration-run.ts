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

/** What may decide where to go next. */
export const POLICIES = ["memory", "memory-eqa", "explore-eqa", "nearest", "random", "oracle"] as const;
export type PolicyName = (typeof POLICIES)[number];

/** One format, one number; a reader refuses what is newer. */
export const RUN_VERSION = 1;

const metres = z.number().min(0);
const stand = z.object({ position: vec3Schema, yawRad: z.number() });

/** The modules that may look into the memory while a place is explored. */
export const MODULES = ["planner", "stopping", "answering"] as const;
export type Module = (typeof MODULES)[number];

/** The papers' ablations: which modules may look into the memory. All on is ours. */
export const switchesSchema = z.object({
  planner: z.boolean().default(true),
  stopping: z.boolean().default(true),
  answering: z.boolean().default(true),
});
export type Switches = z.infer<typeof switchesSchema>;

export const budgetSchema = z.object({
  steps: z.int().min(1).max(10_000),
  pathM: metres,
  /** Of the bodies' own clocks. */
  seconds: z.number().min(0),
});
export type Budget = z.infer<typeof budgetSchema>;

/** Why a run ended; each is said in words as well. */
export const RUN_ENDS = [
  "answered", // sure enough
  "absent", // everywhere it could be was looked at
  "explored", // nothing left to look at that could help
  "budget", // steps, metres or seconds ran out
  "unreachable", // what is left cannot be reached
  "not-understood", // the question asks for nothing that going somewhere could show
  "body-failed", // a body did not answer or no longer moves
  "cancelled",
] as const;
export type RunEnd = (typeof RUN_ENDS)[number];

/** The first line: what was asked, of whom, where. */
const runHead = z.object({
  kind: z.literal("run"),
  version: z.literal(RUN_VERSION),
  id: idSchema,
  /** What was to be found out, or the goal to go to. */
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
  /** The system that answers in the end, and the model that was asked on the way. */
  system: nameSchema.optional(),
  model: nameSchema.optional(),
  /** The place: the simulator's family and seed, or the name of a robot's site. */
  place: z.object({ family: nameSchema, seed: nameSchema.optional(), noise: z.number().optional() }),
  sceneId: idSchema,
  startedUs: timeUsSchema,
});

export const FRONTIER_FATES = ["chosen", "kept", "discarded", "claimed"] as const;

/** A border of the known, as it was judged at one step. */
const frontierLine = z.object({
  id: idSchema,
  /** Where to stand to look over it. */
  stand,
  /** The border itself: its middle, and its length. */
  middle: vec3Schema,
  lengthM: metres,
  /** Unknown floor in sight from there. */
  gainM2: metres,
  /** Way there; null where none leads. */
  costM: metres.nullable(),
  /** The terms that made up its worth, by name. */
  scores: z.record(nameSchema, z.number()).default({}),
  fate: z.enum(FRONTIER_FATES),
  /** Why it was discarded, or who claims it. */
  why: lineSchema.optional(),
});
export type FrontierLine = z.infer<typeof frontierLine>;

/** One part of what is asked, and whether it is known by now. */
const checkLine = z.object({ what: lineSchema, known: z.boolean(), p: probabilitySchema.optional() });

/** What one module asked the memory, and a model with what it found; what came of it. */
const consultation = z.object({
  module: z.enum(MODULES),
  /** The words that the memory was searched by; absent where the module may not look into it. */
  query: lineSchema.optional(),
  /** Who wrote these words: the model, or rules from the question and the step. */
  by: z.enum(["model", "rules"]),
  /** Records that the search found, best first. */
  retrieved: z.array(idSchema).max(64),
  /** Prompts that were asked, in order, as id@version. */
  prompts: z.array(nameSchema).max(8),
  /** Of the planner: places to choose from by their letters, and the one that its own rules would have taken. */
  offered: z
    .array(z.object({ letter: z.string().length(1), what: lineSchema, target: idSchema.optional() }))
    .max(26)
    .optional(),
  own: z.string().length(1).optional(),
  /** What was chosen: a letter, an answer's status. */
  choice: lineSchema.optional(),
  reason: lineSchema.optional(),
  /** Of stopping: how sure an answer would be. */
  sure: probabilitySchema.optional(),
  /** Why the module did what its own rules say instead. */
  fallback: lineSchema.optional(),
  /** As the model billed them, in and out. */
  tokens: z.int().min(0).optional(),
});
export type Consultation = z.infer<typeof consultation>;

export const DECISIONS = ["look-around", "recall", "verify", "explore", "inspect", "stay", "answer"] as const;

/** One step of one agent: what it knew, what it chose and why, what came of it. */
const runStep = z.object({
  kind: z.literal("step"),
  n: z.int().min(0),
  agentId: idSchema,
  timeUs: timeUsSchema,
  /** Where it believed to stand when it decided. */
  pose: stand,
  sdM: metres,
  frontiers: z.array(frontierLine).max(256),
  checklist: z.array(checkLine).max(64),
  /** The answer as it stood, and how sure it was. */
  belief: z.object({ text: z.string(), status: nameSchema, confidence: probabilitySchema }).optional(),
  decision: z.object({
    kind: z.enum(DECISIONS),
    reason: lineSchema,
    goal: stand.optional(),
    /** The frontier, or the record that it goes for. */
    target: idSchema.optional(),
  }),
  /** Records that the decision rests on, and those that the step made. */
  used: z.array(idSchema).max(64),
  made: z.array(idSchema).max(256),
  /** What was looked up in the memory to decide it, module by module. */
  consulted: z.array(consultation).max(8).optional(),
  went: z
    .object({ outcome: nameSchema, pathM: metres, turnRad: metres, why: lineSchema.optional() })
    .optional(),
  /** Of this agent, so far. */
  pathM: metres,
  coverage: probabilitySchema.optional(),
  planMs: z.number().min(0),
});
export type RunStep = z.infer<typeof runStep>;

/**
 * The floor as it was known at a step, for drawing: rows from the lowest y, cells from the lowest x, as runs
 * `<count><state>` with u unknown, f free, o occupied ("120u4f2o"). Written when it changed.
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

/** The last line. A run without one was cut off. */
const runEnd = z.object({
  kind: z.literal("end"),
  end: z.enum(RUN_ENDS),
  why: lineSchema,
  answer: answerSchema.nullable(),
  steps: z.int().min(0),
  pathM: z.record(idSchema, metres),
  seconds: z.number().min(0),
  /** Rooms by name and the share of each that was looked at: proof of looking. */
  looked: z.array(z.object({ room: nameSchema, share: probabilitySchema })).max(256),
  /** What was looked up after the last step: to stop, and to answer. */
  consulted: z.array(consultation).max(8).optional(),
});

export const runLineSchema = z.discriminatedUnion("kind", [runHead, runStep, runMap, runEnd]);
export type RunLine = z.infer<typeof runLineSchema>;
export type RunHead = z.infer<typeof runHead>;
export type RunEndLine = z.infer<typeof runEnd>;

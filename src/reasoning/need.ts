import { z } from "zod";
import { ANSWER_TYPES, LIMITS, nameSchema, timeUsSchema } from "../schema/index.ts";

const phrase = z.string().max(LIMITS.queryChars);
const names = z.array(nameSchema).max(32);

/**
 * A thing as a question describes it: "the red mug with the text ANNA" is a head with modifiers. `head` is
 * singular and lower-case; "object" when the question is what the thing is. Attributes have the memory's names
 * (colour, material, openness …) where the word is known to mean one; other modifiers stay in `mods`.
 */
export const descriptionSchema = z.object({
  head: nameSchema,
  mods: names.default([]),
  attributes: z.record(nameSchema, nameSchema).default({}),
  /** "the second shelf" */
  ordinal: z.int().min(1).optional(),
  deixis: z.enum(["this", "that"]).optional(),
  /** Of the asker: "my bag"; or by name: "Anna's mug". */
  owner: nameSchema.optional(),
  /** Several are meant: "the chairs". */
  plural: z.boolean().default(false),
  /** As it stood in the question, for searching by meaning. */
  phrase,
});

/** Where something is relative to something else. */
export const RELATIONS = [
  "on",
  "in",
  "under",
  "above",
  "below",
  "left",
  "right",
  "front",
  "behind",
  "near",
  "next-to",
  "between",
  "opposite",
  "around",
  "with",
] as const;

/** Whose left is meant. `viewer` stands somewhere and looks: "as seen from the door". */
const frameSchema = z.object({
  kind: z.enum(["ego", "object", "viewer", "world"]),
  /** The object, or where the viewer stands. */
  ref: descriptionSchema.optional(),
  /** What the viewer faces. */
  facing: descriptionSchema.optional(),
  /** The room that the viewer comes from, entering `ref`. */
  from: descriptionSchema.optional(),
  /** For a past pose of one's own: "to my right 12 s ago". */
  atUs: timeUsSchema.optional(),
});

const relationSchema = z.object({
  predicate: z.enum(RELATIONS),
  anchor: descriptionSchema.optional(),
  /** The other side of `between`. */
  anchor2: descriptionSchema.optional(),
  frame: frameSchema.optional(),
  /** "within 2 m of" */
  withinM: z.number().positive().optional(),
});

/** When the question is about; a moment is given in microseconds, or as something that happened. */
const timeSchema = z.object({
  kind: z.enum([
    "at",
    "before",
    "after",
    "during",
    "last",
    "first",
    "ago",
    "between",
    "since",
    "as-of",
    "nth",
  ]),
  fromUs: timeUsSchema.optional(),
  toUs: timeUsSchema.optional(),
  /** "after you passed the sofa": what happened, in words, and the thing in it. */
  event: z
    .object({ verb: nameSchema, target: descriptionSchema.optional(), region: nameSchema.optional() })
    .optional(),
  n: z.int().min(1).optional(),
});

/** What kind of thinking answers it. */
export const ASKS = [
  "recognise", // what is on the table
  "locate", // where is the mug
  "attribute", // what colour is it
  "direction", // what is left of, is it left or right of
  "distance", // how far is it
  "size", // how tall is it
  "state", // is the door open
  "exist", // is there a mug
  "count", // how many
  "compare", // which is bigger, closer, more
  "relate", // are they in the same room, of the same colour
  "when", // when was it first or last seen
  "duration", // how long
  "frequency", // how often
  "order", // what did you see first, before, after
  "change", // what has changed, where was it before
  "ego", // did you stop, which way did you turn, what did you pass
  "motion", // which way did the person walk, how fast
  "carry", // what was the person carrying
  "capacity", // how many more fit, is there room
  "function", // what can I use to
  "implicit", // a quiet place to read
  "describe", // describe the house
  "room", // which room is this
  "nearest", // the nearest chair
  "predict", // will it still be there
  "belong", // where does this belong
] as const;

/** One thing to find out. A question has several where it names several things or places. */
export const subgoalSchema = z.object({
  target: descriptionSchema,
  region: descriptionSchema.optional(),
  /** Of an attribute question: colour, material, text, size …; of a size: height, width … */
  property: nameSchema.optional(),
  relations: z.array(relationSchema).max(8).default([]),
});

/**
 * What a question needs (SPEC §10.1): the kind of answer, the things and places it is about, relations with their
 * frame, times, comparisons, options. Made by rules here, or by a language model through the same schema.
 */
export const needSchema = z.object({
  text: phrase,
  asks: z.enum(ASKS),
  answer: z.enum(ANSWER_TYPES),
  quantifier: z.enum(["one", "all", "any", "none", "count", "superlative"]),
  subgoals: z.array(subgoalSchema).max(16),
  compare: z
    .object({
      op: z.enum(["same", "more", "less", "most", "least"]),
      dimension: z.enum([
        "colour",
        "material",
        "size",
        "height",
        "width",
        "distance",
        "count",
        "time",
        "place",
        "speed",
      ]),
      /** "closer to the sofa" */
      to: descriptionSchema.optional(),
    })
    .optional(),
  times: z.array(timeSchema).max(8).default([]),
  /** Short phrases to search by, best first. */
  cues: z.array(phrase).max(16),
  level: z.enum(["explicit", "implicit", "global"]),
  frame: frameSchema.optional(),
  /** The verb that matters: what an affordance is for ("dry my hands"), what the agent did ("stop"). */
  verb: nameSchema.optional(),
  options: z.array(phrase).max(26).optional(),
  /** Things that the question itself names as alternatives: "open or closed", "the lamp or the sofa". */
  alternatives: z.array(phrase).max(8).default([]),
  negated: z.boolean().default(false),
  /** Set when no rule understood it: then the whole text is the one cue. */
  fallback: z.string().max(LIMITS.lineChars).optional(),
});

export type Need = z.infer<typeof needSchema>;
export type Description = z.infer<typeof descriptionSchema>;
export type Relation = z.infer<typeof relationSchema>;
export type Subgoal = z.infer<typeof subgoalSchema>;
export type TimeNeed = z.infer<typeof timeSchema>;
export type NeedFrame = z.infer<typeof frameSchema>;
export type Asks = (typeof ASKS)[number];

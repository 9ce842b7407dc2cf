import { z } from "zod";
import { LIMITS, nameSchema } from "../../../schema/index.ts";

const ANSWERS = ["truth", "times", "duration", "count", "place", "words"] as const;
export const VERBS = ["enter", "exit", "stop", "turn"] as const;

/** What of a question matters where only captions can answer it: options of `recall`. */
export const captionQuestionSchema = z.strictObject({
  text: z.string().min(1).max(LIMITS.queryChars),
  answer: z.enum(ANSWERS).optional(),
  /** The first or the last of all that fit. */
  order: z.enum(["first", "last"]).optional(),
  /** The nearest of all that fit. */
  nearest: z.boolean().optional(),
  /** What it is about, in a few words: "fire hydrant". */
  about: nameSchema.optional(),
  /** What is asked of it: its colour. */
  attribute: nameSchema.optional(),
  /** What it is asked to be: "busy", "open". */
  state: nameSchema.optional(),
  negated: z.boolean().optional(),
  /** What the asked one did itself. */
  verb: z.enum(VERBS).optional(),
  /** It is asked for before or after the asked one did that. */
  beside: z.enum(["before", "after"]).optional(),
  besideVerb: z.enum([...VERBS, "see"]).optional(),
});
export type CaptionQuestion = z.infer<typeof captionQuestionSchema> & {
  readonly answer: (typeof ANSWERS)[number];
};

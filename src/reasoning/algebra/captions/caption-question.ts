import { z } from "zod";
import { LIMITS, nameSchema } from "../../../schema/index.ts";

const ANSWERS = ["truth", "times", "duration", "count", "place", "words"] as const;
export const VERBS = ["enter", "exit", "stop", "turn"] as const;

/** The parts of a question that matter where only captions can answer it: options of `recall`. */
export const captionQuestionSchema = z.strictObject({
  text: z.string().min(1).max(LIMITS.queryChars),
  answer: z.enum(ANSWERS).optional(),
  /** The first or the last of all that fit. */
  order: z.enum(["first", "last"]).optional(),
  /** The nearest of all that fit. */
  nearest: z.boolean().optional(),
  /** The topic, in a few words: "fire hydrant". */
  about: nameSchema.optional(),
  /** The attribute asked for: its colour. */
  attribute: nameSchema.optional(),
  /** The state asked for: "busy", "open". */
  state: nameSchema.optional(),
  negated: z.boolean().optional(),
  /** An action of the robot itself. */
  verb: z.enum(VERBS).optional(),
  /** The question is about the time before or after that action. */
  beside: z.enum(["before", "after"]).optional(),
  besideVerb: z.enum([...VERBS, "see"]).optional(),
});
export type CaptionQuestion = z.infer<typeof captionQuestionSchema> & {
  readonly answer: (typeof ANSWERS)[number];
};

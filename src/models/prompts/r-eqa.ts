import { z } from "zod";
import { lines, options, optionsBlock, question, seen, sentence } from "./fields.ts";
import { definePrompt, systemOf } from "./prompt-spec.ts";
import { quoted } from "./quote.ts";

/** R-EQA: one frame into text. */
export const frameCaption = definePrompt({
  id: "r-eqa/caption",
  form: "text",
  input: z.object({}),
  output: sentence,
  images: { least: 1, most: 1 },
  maxTokens: 200,
  render: () => ({
    system: systemOf("You put frames of an indoor walk into words."),
    user: "Describe the frame in at most four sentences: the room, its things with colour, material, state and place, and readable text.",
  }),
});

/** Shown before every question, so that answers are as short as those of the benchmark. */
const EXAMPLES = [
  {
    captions: "A kitchen with a white fridge; its door stands open.",
    question: "Is the fridge open?",
    answer: "yes",
  },
  {
    captions: "A living room. A grey sofa faces a television.",
    question: "What is opposite the sofa?",
    answer: "a television",
  },
  {
    captions: "A bedroom with a bed and two lamps.",
    question: "What colour is the bicycle?",
    answer: "I have not seen a bicycle",
  },
] as const;

/** R-EQA: a short answer from the captions that were retrieved, with examples in the context. */
export const answerFromCaptions = definePrompt({
  id: "r-eqa/answer",
  form: "text",
  input: z.object({ question, captions: seen }),
  output: sentence,
  maxTokens: 80,
  render: ({ question: asked, captions }) => ({
    system: systemOf("You answer questions about a home from captions of a walk through it, in a few words."),
    user: lines(
      ...EXAMPLES.flatMap((example) => [
        "Captions:",
        quoted("captions", example.captions),
        "Question:",
        quoted("question", example.question),
        `Answer: ${example.answer}`,
      ]),
      "Captions:",
      quoted("captions", captions === "" ? "none" : captions),
      "Question:",
      quoted("question", asked),
      "Answer:",
    ),
  }),
});

/** R-EQA and OpenEQA: how well a prediction matches, 1 to 5; the public scorer's task in our own words. */
export const matchJudge = definePrompt({
  id: "r-eqa/judge",
  version: 2,
  form: "text",
  input: z.object({
    question,
    options: options.optional(),
    truth: seen,
    extra: z.array(seen).max(64).default([]),
    prediction: seen,
  }),
  output: z.string().transform((text, context) => {
    const mark = markIn(text);
    if (mark !== null) return mark;
    context.addIssue("expected one whole number from 1 to 5");
    return z.NEVER;
  }),
  temperature: 0.2,
  maxTokens: 32,
  render: ({ question: asked, options: given, truth, extra, prediction }) => ({
    system: systemOf("You mark answers to questions about a place that somebody has seen."),
    user: lines(
      "Question:",
      quoted("question", asked),
      given && optionsBlock(given),
      "True answer:",
      quoted("truth", truth),
      extra.length > 0 && lines("Just as right:", quoted("truths", extra.join("\n"))),
      "Given answer:",
      quoted("prediction", prediction),
      "Mark how well the given answer agrees with a right one: 5 means the same, in whatever words or with harmless " +
        "detail; 4 right, but less exact or with a small flaw; 3 partly right; 2 mostly wrong, though related; 1 wrong, " +
        "or no answer to the question. Go by the right answers alone, not by what you know. Answer with the number only.",
    ),
  }),
});

/**
 * The mark in a reply: a number alone ("4", "4.", "4/5"), or after the word mark, score or rating. A number out of
 * range is clipped; anything else is no mark, and prose with a number somewhere is not guessed at.
 */
export function markIn(reply: string): 1 | 2 | 3 | 4 | 5 | null {
  const found =
    /^[^\w-]{0,3}(-?\d{1,6})(?:\s*\/\s*5)?\W{0,3}$/.exec(reply.trim()) ??
    /\b(?:mark|score|rating)\s*(?:is|:|=)\s*(-?\d{1,6})\b(?!\.\d)/i.exec(reply);
  if (found === null) return null;
  return Math.min(5, Math.max(1, Number(found[1]))) as 1 | 2 | 3 | 4 | 5;
}

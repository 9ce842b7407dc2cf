import { z } from "zod";
import { lines, options, optionsBlock, phrase, question, seen, sentence, thingsBlock } from "./fields.ts";
import { definePrompt, systemOf } from "./prompt-spec.ts";
import { quoted } from "./quote.ts";

/**
 * The in-context examples w, so that answers are as short as the benchmark's; "aligned with the characteristics of
 * each agent" in the paper: with captions, and without for the blind agent.
 */
const EXAMPLES = [
  {
    captions: "[1] 09:00:12, kitchen: A white fridge; its door stands open.",
    question: "Is the fridge open?",
    answer: "yes",
    by: " [1]",
  },
  {
    captions:
      "[1] 09:01:40, living room: A grey sofa faces a television.\n[2] 09:02:03, hall: A coat on a hook.",
    question: "What is opposite the sofa?",
    answer: "a television",
    by: " [1]",
  },
  {
    captions: "[1] 09:03:25, bedroom: A bed and two lamps.",
    question: "What colour is the bicycle?",
    answer: "I have not seen it",
    by: "",
  },
] as const;
const BLIND_EXAMPLES = [
  { question: "Is the fridge open?", answer: "no" },
  { question: "What is opposite the sofa?", answer: "a television" },
  { question: "What colour is the kitchen sink?", answer: "silver" },
] as const;

/** R-EQA: LLM(w, c, q), a short answer from captions; without captions LLM(w, q), the blind agent's. */
export const answerFromCaptions = definePrompt({
  id: "r-eqa/answer",
  version: 3,
  form: "text",
  input: z.object({
    question,
    captions: seen.optional(),
    /** Ours: rooms and things of the captions, one line each, and the time of asking. */
    things: seen.optional(),
    now: phrase.optional(),
    options: options.optional(),
    /** Captions are numbered and the answer names the supporting ones: ours; the paper asks for the answer alone. */
    cites: z.boolean().default(false),
    /** Number of pictures of the captions. */
    pictures: z.int().min(0).max(16).default(0),
  }),
  output: sentence,
  images: { least: 0, most: 16 },
  maxTokens: 80,
  render: ({ question: asked, captions, things, now, options: given, cites, pictures }) => ({
    system: systemOf(
      captions === undefined
        ? "You answer questions about a place that you have not seen, by what is usual."
        : "You answer questions about a place from captions of what a camera saw.",
    ),
    user: lines(
      `Answer as briefly as the examples do${given ? ", with the letter of the right option" : ""}.`,
      captions === undefined
        ? "Always answer: guess what is likeliest."
        : `If ${things === undefined ? "the captions do not tell" : "nothing here tells"}, answer "I have not seen it".`,
      cites && "End with the numbers in brackets of the captions, or the ids of the things, that say so.",
      ...(captions === undefined
        ? BLIND_EXAMPLES.flatMap((one) => [`Question: ${one.question}`, `Answer: ${one.answer}`])
        : EXAMPLES.flatMap((one) => [
            "Captions:",
            one.captions,
            `Question: ${one.question}`,
            `Answer: ${one.answer}${cites ? one.by : ""}`,
          ])),
      captions !== undefined &&
        lines("Captions, in order of time:", quoted("captions", captions === "" ? "none" : captions)),
      thingsBlock(things),
      now,
      pictures > 0 && `${pictures} pictures of the same moments go along, in the same order.`,
      "Question:",
      quoted("question", asked),
      given && optionsBlock(given),
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
 * range is clipped; anything else is not a mark, and numbers within prose are ignored.
 */
export function markIn(reply: string): 1 | 2 | 3 | 4 | 5 | null {
  const found =
    /^[^\w-]{0,3}(-?\d{1,6})(?:\s*\/\s*5)?\W{0,3}$/.exec(reply.trim()) ??
    /\b(?:mark|score|rating)\s*(?:is|:|=)\s*(-?\d{1,6})\b(?!\.\d)/i.exec(reply);
  if (found === null) return null;
  return Math.min(5, Math.max(1, Number(found[1]))) as 1 | 2 | 3 | 4 | 5;
}

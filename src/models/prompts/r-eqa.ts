import { z } from "zod";
import { lines, question, seen, sentence } from "./fields.ts";
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

/** R-EQA and OpenEQA: how well a prediction matches, 1 to 5. */
export const matchJudge = definePrompt({
  id: "r-eqa/judge",
  form: "text",
  input: z.object({ question, truth: seen, extra: z.array(seen).max(16).default([]), prediction: seen }),
  output: z
    .string()
    .trim()
    .regex(/^\D*[1-5](?!\d)/, "expected a mark from 1 to 5")
    .transform((text) => Number(/[1-5]/.exec(text)?.[0])),
  temperature: 0.2,
  maxTokens: 32,
  render: ({ question: asked, truth, extra, prediction }) => ({
    system: systemOf("You mark answers to questions about places."),
    user: lines(
      "Question:",
      quoted("question", asked),
      "True answer:",
      quoted("truth", truth),
      extra.length > 0 && lines("Also right:", quoted("truths", extra.join("\n"))),
      "Given answer:",
      quoted("prediction", prediction),
      "Mark it with one whole number from 1 (has nothing to do with it) to 5 (means the same). Answer with the number only.",
    ),
  }),
});

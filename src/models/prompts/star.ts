import { z } from "zod";
import { ANSWER_TYPES } from "../../schema/index.ts";
import { lines, phrase, probability, question, seen, sentence } from "./fields.ts";
import { definePrompt, systemOf } from "./prompt-spec.ts";
import { quoted } from "./quote.ts";

const MAX_WORDS = 120;

/** STaR: six frames of three seconds into a few sentences. */
export const clipCaption = definePrompt({
  id: "star/clip-caption",
  form: "text",
  input: z.object({ room: phrase.optional(), things: z.array(phrase).max(24).default([]) }),
  output: sentence.refine(
    (text) => text.split(/\s+/).length <= MAX_WORDS * 1.25,
    "expected at most 120 words",
  ),
  images: { least: 1, most: 6 },
  temperature: 0.2,
  maxTokens: 300,
  render: ({ room, things }) => ({
    system: systemOf("You put a robot's camera into words for its memory."),
    user: lines(
      "These frames, in order, are about three seconds.",
      room !== undefined && lines("The robot is in:", quoted("room", room)),
      things.length > 0 && lines("Known to be visible:", quoted("things", things.join("\n"))),
      `Say in 3 to 5 sentences and at most ${MAX_WORDS} words who and what is there and where, what happens, and which text can be read. No introduction, no lists.`,
    ),
  }),
});

const TOOLS = ["text", "position", "time"] as const;

/** STaR: which searches to make next, or which moments to look at. */
export const retrievalAgent = definePrompt({
  id: "star/retrieval-agent",
  form: "json",
  input: z.object({ question, results: seen, now: z.string().max(64), roundsLeft: z.int().min(0).max(6) }),
  output: z.object({
    reasoning: sentence,
    calls: z
      .array(z.object({ tool: z.enum(TOOLS), query: z.union([phrase, z.array(z.number()).length(3)]) }))
      .max(5)
      .default([]),
    timestamps: z.array(z.string().max(64)).max(5).default([]),
  }),
  maxTokens: 500,
  render: ({ question: asked, results, now, roundsLeft }) => ({
    system: systemOf("You search a robot's memory of captions, each with a time and a place."),
    user: lines(
      "Question:",
      quoted("question", asked),
      `It is now ${now}; ${roundsLeft} rounds are left.`,
      "Results so far:",
      quoted("results", results === "" ? "none" : results),
      'Answer with JSON: {"reasoning": one or two sentences, "calls": [{"tool": "text", "query": words} or {"tool": "position", "query": [x, y, z]} or {"tool": "time", "query": "HH:MM:SS"}], "timestamps": []}.',
      "Search for kinds of things, never for words such as area, place or room alone, and never twice for the same. When the results are enough, give no calls but 3 to 5 timestamps whose pictures should be looked at.",
    ),
  }),
});

/** STaR: the structured answer. Position and time are given by the time and id of a record, not as numbers. */
export const answerWriter = definePrompt({
  id: "star/answer-writer",
  form: "json",
  input: z.object({
    question,
    captions: seen,
    now: z.string().max(64),
    pose: z.string().max(200),
    keyframes: z.array(z.string().max(64)).max(20).default([]),
  }),
  output: z.object({
    reasoning: sentence,
    type: z.enum(ANSWER_TYPES),
    text: sentence,
    binary: z.boolean().nullish(),
    /** Whose box centre and time the answer takes. */
    recordId: z.string().max(80).nullish(),
    durationS: z.number().min(0).nullish(),
    objectId: z.string().max(80).nullish(),
    confidence: probability.default(0.5),
  }),
  images: { least: 0, most: 20 },
  maxTokens: 600,
  render: ({ question: asked, captions, now, pose, keyframes }) => ({
    system: systemOf("You answer from a robot's captions and pictures."),
    user: lines(
      "Question:",
      quoted("question", asked),
      `It is now ${now}; the robot is at ${pose}.`,
      "Captions in order of time, each after its id:",
      quoted("captions", captions === "" ? "none" : captions),
      keyframes.length > 0 &&
        lines("The pictures, in order, were taken at:", quoted("times", keyframes.join("\n"))),
      'Answer with JSON: {"reasoning": …, "type": text, binary, position, time, duration, count, quantity, choice, set or motion, "text": …, "binary": …, "recordId": the id whose place or time is the answer, "durationS": …, "objectId": number in the pictures, "confidence": 0 to 1}.',
    ),
  }),
});

/** STaR and NaVQA: does a description say the same as the truth? */
export const descriptiveJudge = definePrompt({
  id: "star/judge",
  form: "json",
  input: z.object({ question, truth: seen, prediction: seen }),
  output: z.object({ correct: z.boolean(), reason: sentence.optional() }),
  maxTokens: 120,
  render: ({ question: asked, truth, prediction }) => ({
    system: systemOf("You mark answers."),
    user: lines(
      "Question:",
      quoted("question", asked),
      "True answer:",
      quoted("truth", truth),
      "Given answer:",
      quoted("prediction", prediction),
      'Do both say the same for all that was asked? Answer {"correct": true or false, "reason": one sentence}.',
    ),
  }),
});

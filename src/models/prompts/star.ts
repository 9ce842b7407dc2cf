import { z } from "zod";
import { ANSWER_TYPES } from "../../schema/index.ts";
import { lines, options, optionsBlock, phrase, probability, question, seen, sentence } from "./fields.ts";
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

/** STaR: the next searches, or moments to look at. */
export const retrievalAgent = definePrompt({
  id: "star/retrieval-agent",
  version: 2,
  form: "json",
  input: z.object({
    question,
    options: options.optional(),
    results: seen,
    now: z.string().max(64),
    pose: z.string().max(200).default("an unknown place"),
    /** What “this” shows, if the question comes with pictures. */
    images: z.int().min(0).max(4).default(0),
    roundsLeft: z.int().min(0).max(6),
    /** Whether moments can be shown: there are pictures, and the model can see. */
    canLook: z.boolean().default(true),
  }),
  output: z.object({
    reasoning: sentence,
    calls: z
      .array(z.object({ tool: z.enum(TOOLS), query: z.union([phrase, z.array(z.number()).length(3)]) }))
      .max(5)
      .default([]),
    timestamps: z.array(z.string().max(64)).max(5).default([]),
  }),
  images: { least: 0, most: 4 },
  maxTokens: 500,
  render: ({ question: asked, options: given, results, now, pose, images, roundsLeft, canLook }) => ({
    system: systemOf(
      "You search a robot's memory of captions. Each has a time, a place and the ids of the things that it saw; captions of the same cluster of things are represented by one.",
    ),
    user: lines(
      "Question:",
      quoted("question", asked),
      given && optionsBlock(given),
      images > 0 && `${images} pictures go along with the question; “this” is what they show.`,
      `It is now ${now}; the robot is at ${pose}.`,
      "Results so far:",
      quoted("results", results === "" ? "none" : results),
      'Answer with JSON: {"reasoning": one or two sentences, "calls": […], "timestamps": […]}.',
      roundsLeft > 0
        ? `${roundsLeft} rounds of searching are left, at most five calls each: {"tool": "text", "query": words}, {"tool": "position", "query": [x, y, z]} or {"tool": "time", "query": "HH:MM:SS"}. The text calls of one round are the cues of one search. Search for kinds of things, never for words such as area, place or room alone, and never twice for the same.`
        : "No rounds of searching are left: give no calls.",
      canLook
        ? "When the results are enough, give no calls but 3 to 5 timestamps out of the results, whose pictures will be looked at; none if words are enough."
        : "When the results are enough, give no calls. There are no pictures to look at.",
    ),
  }),
});

/** STaR: the structured answer. Places and times are given by the id of a caption or thing, not as numbers. */
export const answerWriter = definePrompt({
  id: "star/answer-writer",
  version: 2,
  form: "json",
  input: z.object({
    question,
    options: options.optional(),
    captions: seen,
    now: z.string().max(64),
    pose: z.string().max(200),
    /** One line per picture: when, where, and what its numbers stand for. */
    keyframes: z.array(z.string().max(4_000)).max(12).default([]),
    /** Pictures that came with the question; they come first. */
    images: z.int().min(0).max(4).default(0),
  }),
  output: z.object({
    reasoning: sentence,
    type: z.enum(ANSWER_TYPES),
    status: z.enum(["answered", "not-seen", "insufficient"]).default("answered"),
    text: sentence,
    binary: z.boolean().nullish(),
    choice: z.string().max(8).nullish(),
    count: z.int().min(0).max(1e6).nullish(),
    /** The caption or thing that gives the answer's place and time. */
    recordId: z.string().max(80).nullish(),
    durationS: z.number().min(0).nullish(),
    cited: z.array(z.string().max(80)).max(32).default([]),
    confidence: probability.default(0.5),
  }),
  images: { least: 0, most: 16 },
  maxTokens: 600,
  render: ({ question: asked, options: given, captions, now, pose, keyframes, images }) => ({
    system: systemOf(
      "You answer from a robot's captions, the things in them and pictures. Never write a place or a time of your own: name the caption or thing that has it.",
    ),
    user: lines(
      "Question:",
      quoted("question", asked),
      given && optionsBlock(given),
      `It is now ${now}; the robot is at ${pose}.`,
      "Captions, each after its id, with the things in it:",
      quoted("captions", captions === "" ? "none" : captions),
      images > 0 && `The first ${images} pictures came with the question; “this” is what they show.`,
      keyframes.length > 0 &&
        lines(
          "The pictures from the memory, in order; the numbers drawn into them are these things:",
          quoted("pictures", keyframes.join("\n")),
        ),
      'Answer with JSON: {"reasoning": one sentence, "type": text, binary, position, time, duration, count or choice, "status": "answered", "not-seen" or "insufficient", "text": a short answer, "binary": …, "choice": the letter, "count": …, "recordId": the id of the thing or caption whose place or time is the answer, "durationS": …, "cited": the ids that say so, "confidence": 0 to 1}.',
    ),
  }),
});

import { z } from "zod";
import {
  letter,
  lines,
  options,
  optionsBlock,
  phrase,
  point,
  question,
  seen,
  sentence,
  thingsBlock,
  yesNo,
} from "./fields.ts";
import { definePrompt, systemOf } from "./prompt-spec.ts";
import { quoted } from "./quote.ts";

const ROBOT = systemOf("You are the mind of a robot that explores a building to answer a question.");
const QUERY = "Answer with one line of text to search the memory by, and nothing else.";
const oneView = { least: 0, most: 4 } as const;

/** Ours: the rooms and things of the memories, and the time of asking with the robot's place. */
const backdrop = { things: seen.optional(), now: phrase.optional() };
const withMemories = z.object({ question, memories: seen, options: options.optional(), ...backdrop });
const leftBlock = (left: string | undefined) =>
  left !== undefined && left !== "" && lines("Of the place:", quoted("place", left));
const memoriesBlock = (memories: string) =>
  lines("What the memory holds on it:", quoted("memories", memories === "" ? "nothing" : memories));

/** MemoryEQA P1: the planner's query to the memory. */
export const plannerQuery = definePrompt({
  id: "memory-eqa/planner-query",
  version: 2,
  form: "text",
  input: z.object({
    pose: point,
    /** The robot's heading, in words. */
    facing: phrase.optional(),
    visible: z.array(phrase).max(64),
    goal: phrase,
  }),
  output: phrase,
  maxTokens: 60,
  render: ({ pose, facing, visible, goal }) => ({
    system: ROBOT,
    user: lines(
      `You stand at ${[pose.x, pose.y, pose.z].map((m) => m.toFixed(2)).join(", ")}${facing === undefined ? "" : `, ${facing},`} and look for:`,
      quoted("goal", goal),
      "In view:",
      quoted("visible", visible.length === 0 ? "nothing" : visible.join("\n")),
      "What would you like to remember before you choose where to go?",
      QUERY,
    ),
  }),
});

const observed = z.object({ question, observation: seen });

/** MemoryEQA P2: the query before deciding to stop. */
export const stopQuery = definePrompt({
  id: "memory-eqa/stop-query",
  form: "text",
  input: observed,
  output: phrase,
  maxTokens: 60,
  render: ({ question: asked, observation }) => ({
    system: ROBOT,
    user: lines(
      "Question:",
      quoted("question", asked),
      "What is seen now:",
      quoted("observation", observation),
      "Which fact, if remembered, would show that enough has been seen?",
      QUERY,
    ),
  }),
});

/** MemoryEQA P3: the query before answering. */
export const answerQuery = definePrompt({
  id: "memory-eqa/answer-query",
  form: "text",
  input: observed,
  output: phrase,
  maxTokens: 60,
  render: ({ question: asked, observation }) => ({
    system: ROBOT,
    user: lines(
      "Question:",
      quoted("question", asked),
      "What is seen now:",
      quoted("observation", observation),
      "Which things, where, must be remembered to answer it?",
      QUERY,
    ),
  }),
});

/** MemoryEQA P6: the current confidence in an answer, as a letter; from C on the agent stops and answers. */
export const confidenceLetter = definePrompt({
  id: "memory-eqa/confidence",
  version: 3,
  form: "text",
  input: z.object({
    question,
    memories: seen,
    ...backdrop,
    /** During an exploration, ours: what was observed so far and where something is still unknown, one line each. */
    left: seen.optional(),
  }),
  output: letter.pipe(z.enum(["A", "B", "C", "D", "E"])),
  images: oneView,
  maxTokens: 8,
  render: ({ question: asked, memories, things, now, left }) => ({
    system: ROBOT,
    user: lines(
      "Consider the question:",
      quoted("question", asked),
      memoriesBlock(memories),
      thingsBlock(things),
      now,
      leftBlock(left),
      "How confident are you in answering it from your current view and this memory?",
      "A. Very low\nB. Low\nC. Medium\nD. High\nE. Very high",
      "Answer with the letter only.",
    ),
  }),
});

/** MemoryEQA P7: the letter of the right option. */
export const answerLetter = definePrompt({
  id: "memory-eqa/answer-letter",
  version: 2,
  form: "text",
  input: withMemories.required({ options: true }),
  output: letter,
  images: oneView,
  maxTokens: 8,
  render: ({ question: asked, memories, things, now, options: given }) => ({
    system: ROBOT,
    user: lines(
      "Question:",
      quoted("question", asked),
      optionsBlock(given),
      memoriesBlock(memories),
      thingsBlock(things),
      now,
      "Which option is right? Answer with its letter only.",
    ),
  }),
});

/** MemoryEQA P8: a brief sentence. Ours also names the memories it rests on. */
export const answerSentence = definePrompt({
  id: "memory-eqa/answer-sentence",
  version: 3,
  form: "text",
  input: withMemories.omit({ options: true }).extend({ cites: z.boolean().default(false) }),
  output: sentence,
  images: oneView,
  maxTokens: 120,
  render: ({ question: asked, memories, things, now, cites }) => ({
    system: ROBOT,
    user: lines(
      "Question:",
      quoted("question", asked),
      memoriesBlock(memories),
      thingsBlock(things),
      now,
      "Answer in one brief sentence; yes or no first where that is asked.",
      cites &&
        'If nothing here tells, answer "I have not seen it". End with the numbers in brackets of the memories, or the ids of the things, that say so.',
    ),
  }),
});

/** The choice to stop exploring. */
export const STOP = "STOP";
const stopWord = z
  .string()
  .trim()
  .regex(/^stop\b/i, `expected a letter or ${STOP}`)
  .transform((): typeof STOP => STOP);

/** MemoryEQA P9: which of the lettered places to go to; the pictures show the letters in place. */
export const exploreDirection = definePrompt({
  id: "memory-eqa/explore-direction",
  version: 3,
  form: "json",
  input: z.object({
    question,
    letters: z
      .array(z.string().regex(/^[A-Z]$/))
      .min(1)
      .max(26),
    /** What is known of each place, one line each; empty if the pictures alone tell. */
    places: seen.default(""),
    /** What each picture shows, in order. */
    pictures: z.array(phrase).max(2).default([]),
    memories: seen,
    /** Ours: stopping because nothing left would help is a choice as well. */
    mayStop: z.boolean().default(false),
  }),
  output: z.object({ letter: z.union([stopWord, letter]), reason: sentence }),
  images: { least: 0, most: 2 },
  maxTokens: 200,
  render: ({ question: asked, letters, places, pictures, memories, mayStop }) => ({
    system: ROBOT,
    user: lines(
      "Question:",
      quoted("question", asked),
      memoriesBlock(memories),
      `You can go to the places ${letters.join(", ")}.`,
      places !== "" && quoted("places", places),
      pictures.length > 0 && `The letters are drawn on the pictures: ${pictures.join("; ")}.`,
      "Which place leads best to what is still unknown? What the memory has seen already need not be visited again.",
      mayStop &&
        `Where nothing that is left can change the answer any more, choose "${STOP}" instead of a letter.`,
      'Answer {"letter": …, "reason": one sentence}.',
    ),
  }),
});

/** MemoryEQA P10: is it worth going in the direction of the picture? */
export const exploreWorth = definePrompt({
  id: "memory-eqa/explore-worth",
  form: "text",
  input: z.object({ question, memories: seen }),
  output: z
    .string()
    .trim()
    .toLowerCase()
    .transform((text) => text.replace(/[^a-z].*$/, ""))
    .pipe(yesNo),
  images: { least: 1, most: 1 },
  maxTokens: 8,
  render: ({ question: asked, memories }) => ({
    system: ROBOT,
    user: lines(
      "Question:",
      quoted("question", asked),
      memoriesBlock(memories),
      "Is there something this way that would help to answer it? Answer yes or no.",
    ),
  }),
});

/** MemoryEQA P11: a question with four options from views of a place. */
export const questionSynthesis = definePrompt({
  id: "memory-eqa/question-synthesis",
  form: "json",
  input: z.object({ label: phrase }),
  output: z.object({
    objects: z.array(phrase).min(1).max(16),
    question,
    options: z.array(sentence).length(4),
    answer: letter.pipe(z.enum(["A", "B", "C", "D"])),
    label: phrase,
  }),
  images: { least: 1, most: 9 },
  temperature: 0.7,
  maxTokens: 500,
  render: ({ label }) => ({
    system: systemOf("You write questions about buildings that only somebody who looked around can answer."),
    user: lines(
      "From the views write one question of this kind:",
      quoted("kind", label),
      'As JSON: {"objects": the things it is about, "question": …, "options": four, one of them right, "answer": its letter, "label": the kind}. Name things so that they cannot be mistaken, wherever one starts.',
    ),
  }),
});

/** MemoryEQA P12: is a question fair? */
export const questionValidity = definePrompt({
  id: "memory-eqa/question-validity",
  form: "json",
  input: z.object({ question, options: options.optional() }),
  output: z.object({ valid: yesNo, reason: sentence }),
  maxTokens: 160,
  render: ({ question: asked, options: given }) => ({
    system: systemOf("You check questions about buildings."),
    user: lines(
      "Question:",
      quoted("question", asked),
      given && optionsBlock(given),
      "It is valid if one must look to answer it, if its things are found indoors, and if its references cannot be mistaken wherever one starts.",
      'Answer {"valid": "yes" or "no", "reason": one sentence}.',
    ),
  }),
});

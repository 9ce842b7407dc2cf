import { z } from "zod";
import { idSchema } from "../../schema/index.ts";
import { lines, phrase, question, seen, sentence } from "./fields.ts";
import { definePrompt, systemOf } from "./prompt-spec.ts";
import { quoted } from "./quote.ts";

const nodes = z
  .array(z.object({ id: idSchema, text: seen }))
  .min(1)
  .max(64);
const nodesBlock = (label: string, given: z.output<typeof nodes>) =>
  quoted(label, given.map(({ id, text }) => `[${id}] ${text.replaceAll(/\s+/g, " ")}`).join("\n"));
const score = z.number().min(0).max(100);

/** Embodied-RAG: a picture in terms of its objects. */
export const nodeCaption = definePrompt({
  id: "embodied-rag/caption",
  form: "text",
  input: z.object({}),
  output: sentence,
  images: { least: 1, most: 1 },
  maxTokens: 200,
  render: () => ({
    system: systemOf("You put places into words for a robot's map."),
    user: "Name the things in the picture with their looks and where they stand to each other, in at most five sentences.",
  }),
});

/** Embodied-RAG: what several places have in common, one level up. */
export const abstraction = definePrompt({
  id: "embodied-rag/abstraction",
  form: "json",
  input: z.object({ name: phrase.optional(), children: z.array(seen).min(1).max(64) }),
  output: z.object({ name: phrase, summary: sentence, relationships: z.array(sentence).max(32).default([]) }),
  maxTokens: 400,
  render: ({ name, children }) => ({
    system: systemOf("You summarise parts of a map."),
    user: lines(
      "The parts:",
      quoted("parts", children.map((text, n) => `${n + 1}. ${text.replaceAll(/\s+/g, " ")}`).join("\n")),
      name !== undefined && lines("It is called:", quoted("name", name)),
      'Answer {"name": three to five words, "summary": two or three sentences on the whole, "relationships": what lies how to what}.',
    ),
  }),
});

/** Embodied-RAG: which children lead to what is asked for. */
export const selectChild = definePrompt({
  id: "embodied-rag/select-child",
  form: "json",
  input: z.object({ query: question, children: nodes, k: z.int().min(1).max(16).default(1) }),
  output: z.object({
    chosen: z
      .array(z.object({ id: idSchema, score }))
      .min(1)
      .max(16),
  }),
  maxTokens: 300,
  render: ({ query, children, k }) => ({
    system: systemOf("You find the way down a tree of places."),
    user: lines(
      "Looked for:",
      quoted("query", query),
      "Places, each after its id:",
      nodesBlock("places", children),
      `Choose up to ${k} that lead there, best first: {"chosen": [{"id": …, "score": 0 to 100}]}.`,
    ),
  }),
});

const chains = z.object({ query: question, chains: nodes });

/** Embodied-RAG: the place to go to, and why. */
export const waypoint = definePrompt({
  id: "embodied-rag/waypoint",
  form: "json",
  input: chains,
  output: z.object({ id: idSchema, reason: sentence }),
  maxTokens: 300,
  render: (input) => ({
    system: systemOf("You send a robot to the right place."),
    user: lines(
      "Asked for:",
      quoted("query", input.query),
      "Places with the areas they lie in, each after its id:",
      nodesBlock("places", input.chains),
      'Choose one: {"id": …, "reason": why it suits, with what is there and the area around it}.',
    ),
  }),
});

/** Embodied-RAG: an answer in words to what is asked of the whole. */
export const explanation = definePrompt({
  id: "embodied-rag/explanation",
  form: "text",
  input: chains,
  output: sentence,
  maxTokens: 400,
  render: (input) => ({
    system: systemOf("You explain a building to somebody who has not seen it."),
    user: lines(
      "Asked:",
      quoted("query", input.query),
      "What is known, each place after its id:",
      nodesBlock("places", input.chains),
      "Answer in a few sentences from this alone.",
    ),
  }),
});

/** Embodied-RAG: how well a place fits, for the evaluation; asked five times. */
export const relevanceRater = definePrompt({
  id: "embodied-rag/rate",
  form: "json",
  input: z.object({ query: question, node: seen }),
  output: z.object({ score }),
  images: { least: 0, most: 1 },
  temperature: 0.7,
  maxTokens: 60,
  render: ({ query, node }) => ({
    system: systemOf("You rate how well a place suits a wish."),
    user: lines(
      "Wish:",
      quoted("query", query),
      "Place:",
      quoted("place", node),
      'Answer {"score": 0 (not at all) to 100 (perfectly)}.',
    ),
  }),
});

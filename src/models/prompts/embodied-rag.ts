import { z } from "zod";
import { idSchema } from "../../schema/index.ts";
import { lines, options, optionsBlock, phrase, question, seen, sentence, thingsBlock } from "./fields.ts";
import { definePrompt, systemOf } from "./prompt-spec.ts";
import { quoted } from "./quote.ts";

const nodes = z
  .array(z.object({ id: idSchema, text: seen }))
  .min(1)
  .max(64);
const nodesBlock = (label: string, given: z.output<typeof nodes>) =>
  quoted(label, given.map(({ id, text }) => `[${id}] ${text.replaceAll(/\s+/g, " ")}`).join("\n"));
const commonBlock = (common: string | undefined) =>
  common !== undefined && common !== "" && lines("What all of them have:", quoted("common", common));
const score = z.number().min(0).max(100);

/** Embodied-RAG: the common content of several places, one level up. */
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

/** Embodied-RAG: which children lead to the target: the best one (k 1, as in the paper), or scores for several. */
export const selectChild = definePrompt({
  id: "embodied-rag/select-child",
  version: 3,
  form: "json",
  input: z.object({
    query: question,
    children: nodes,
    /** Ours: the common content of all children, stated once; their own texts contain the rest. */
    common: seen.optional(),
    k: z.int().min(1).max(16).default(1),
  }),
  output: z.object({
    chosen: z
      .array(z.object({ id: idSchema, score: score.default(100) }))
      .min(1)
      .max(16),
  }),
  maxTokens: 300,
  render: ({ query, children, common, k }) => ({
    system: systemOf("You find the way down a tree of places."),
    user: lines(
      "Looked for:",
      quoted("query", query),
      "Places, each after its id:",
      nodesBlock("places", children),
      commonBlock(common),
      k === 1
        ? 'Choose the one whose description fits best: {"chosen": [{"id": …}]}.'
        : `Choose up to ${k} that lead there, best first: {"chosen": [{"id": …, "score": 0 to 100}]}.`,
    ),
  }),
});

const chains = z.object({
  query: question,
  options: options.optional(),
  chains: nodes,
  /** Ours: the common content of all places, stated once; rooms and things, one line each. */
  common: seen.optional(),
  things: seen.optional(),
  now: phrase.optional(),
});

/** Embodied-RAG: the place to go to, and why. */
export const waypoint = definePrompt({
  id: "embodied-rag/waypoint",
  version: 3,
  form: "json",
  input: chains,
  output: z.object({ id: idSchema, reason: sentence }),
  maxTokens: 300,
  render: (input) => ({
    system: systemOf("You send a robot to the right place."),
    user: lines(
      "Asked for:",
      quoted("query", input.query),
      "Places with what was seen there and the areas they lie in, each after its id:",
      nodesBlock("places", input.chains),
      commonBlock(input.common),
      thingsBlock(input.things),
      input.now,
      `Choose one place${input.things ? ", or the thing itself where one is asked for" : ""}: {"id": …, "reason": why it suits, with what is there and the area around it}.`,
    ),
  }),
});

/** Embodied-RAG: an answer in words from the chains. Ours also names the places it rests on. */
export const explanation = definePrompt({
  id: "embodied-rag/explanation",
  version: 3,
  form: "text",
  input: chains.extend({ cites: z.boolean().default(false) }),
  output: sentence,
  maxTokens: 400,
  render: (input) => ({
    system: systemOf("You explain a building to somebody who has not seen it."),
    user: lines(
      "Asked:",
      quoted("query", input.query),
      input.options && optionsBlock(input.options),
      input.now,
      "What is known, each place after its id, with the areas it lies in:",
      nodesBlock("places", input.chains),
      commonBlock(input.common),
      thingsBlock(input.things),
      input.options
        ? "Answer with the letter of the right option, from this alone."
        : "Answer from this alone, in one sentence, or a few where the whole is asked about. Say yes or no first where that is asked.",
      'If nothing here tells, answer "I have not seen it".',
      input.cites && "End with the ids in brackets of the places or things that say so.",
    ),
  }),
});

import { z } from "zod";
import { idSchema } from "../../schema/index.ts";
import { lines, options, optionsBlock, phrase, question, seen, sentence } from "./fields.ts";
import { definePrompt, systemOf } from "./prompt-spec.ts";
import { quoted } from "./quote.ts";

const nodes = z
  .array(z.object({ id: idSchema, text: seen }))
  .min(1)
  .max(64);
const nodesBlock = (label: string, given: z.output<typeof nodes>) =>
  quoted(label, given.map(({ id, text }) => `[${id}] ${text.replaceAll(/\s+/g, " ")}`).join("\n"));
const score = z.number().min(0).max(100);

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

/** Embodied-RAG: which children lead to what is asked for: the best one (k 1, as the paper has it), or scores for several. */
export const selectChild = definePrompt({
  id: "embodied-rag/select-child",
  version: 2,
  form: "json",
  input: z.object({ query: question, children: nodes, k: z.int().min(1).max(16).default(1) }),
  output: z.object({
    chosen: z
      .array(z.object({ id: idSchema, score: score.default(100) }))
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
  now: z.string().max(64).optional(),
});

/** Embodied-RAG: the place to go to, and why. */
export const waypoint = definePrompt({
  id: "embodied-rag/waypoint",
  version: 2,
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
      'Choose one: {"id": …, "reason": why it suits, with what is there and the area around it}.',
    ),
  }),
});

/** Embodied-RAG: an answer in words from the chains. Ours has the places named that it rests on. */
export const explanation = definePrompt({
  id: "embodied-rag/explanation",
  version: 2,
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
      input.now !== undefined && `It is now ${input.now}.`,
      "What is known, each place after its id, with the areas it lies in:",
      nodesBlock("places", input.chains),
      input.options
        ? "Answer with the letter of the right option, from this alone."
        : "Answer from this alone, in one sentence, or a few where the whole is asked about. Say yes or no first where that is asked.",
      'If nothing here tells, answer "I have not seen it".',
      input.cites && "End with the ids in brackets of the places that say so.",
    ),
  }),
});

import { Random } from "../../../geometry/index.ts";
import { retrieve } from "../../../retrieval/index.ts";
import { type Plan, PlanBuilder } from "../../../retrieval/plan/plan.ts";
import { evidenceItems } from "../../runner/evidence-items.ts";
import { evidenceStrategy } from "../../runner/evidence-strategy.ts";
import { EXTRACTIVE_ANSWERER } from "../../runner/extractive-answerer.ts";
import { type RetrievalStrategyOptions, retrievalStrategy } from "../../runner/retrieval-strategy.ts";
import type { Answerer, AskedQuestion, MemoryContext, Strategy } from "../../runner/strategy.ts";

/** A preset with the plain reader behind it: what tells ways of choosing evidence apart. */
export function reads(id: string, preset: string, options: RetrievalStrategyOptions = {}): Strategy {
  return retrievalStrategy(preset, { ...options, id });
}

/** What a plan of one's own finds, as evidence. */
export async function found(plan: Plan, question: AskedQuestion, context: MemoryContext) {
  const { reader, embedder, nowUs, signal } = context;
  return retrieve({ text: question.text }, { reader, nowUs, signal, plan, ...(embedder && { embedder }) });
}

/** Captions by meaning, thinned by maximal marginal relevance: STaR's plain way of avoiding repeats. */
export function readsDiverse(id: string, k: number): Strategy {
  return evidenceStrategy(id, EXTRACTIVE_ANSWERER, { k, plan: "mmr" }, async (question, context) => {
    const b = new PlanBuilder("mmr");
    const pool = b.add({ op: "sem", kinds: ["caption"], text: question.text, k: 100 });
    const { items, trace } = await found(b.build(b.add({ op: "mmr", from: pool, k })), question, context);
    return { items: await evidenceItems(context.reader, items), rejected: [], ms: trace.stages };
  });
}

/**
 * A reader that is led astray by what is beside the point: with probability 1 − e^(−λ·n) it answers from one of the n
 * records that say nothing of the question's own words (docs/formulas.md#noise). It stands for a language model's
 * distraction and is off wherever a report does not name it.
 */
export function distracted(lambda: number, reader: Answerer = EXTRACTIVE_ANSWERER): Answerer {
  return {
    id: `${reader.id}, distractor(${lambda})`,
    async answer(question, evidence, context) {
      const asked = contentOf(question.text);
      const beside = evidence.filter(({ text }) => !contentOf(text).some((word) => asked.includes(word)));
      const random = new Random(`${context.seed}/distracted`);
      const isLed = random.next() < 1 - Math.exp(-lambda * beside.length);
      return reader.answer(question, isLed ? [random.pick(beside)] : evidence, context);
    },
  };
}

const SHORT = 4;

function contentOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => word.length >= SHORT);
}

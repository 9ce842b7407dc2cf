import { Random } from "../../../geometry/index.ts";
import type { Found } from "../../../reasoning/systems/system.ts";
import { retrieve } from "../../../retrieval/index.ts";
import { type Plan, PlanBuilder } from "../../../retrieval/plan/plan.ts";
import type { AskedQuestion, MemoryContext, Strategy } from "../../runner/strategy.ts";
import { readStrategy } from "../../runner/system-strategy.ts";

/** What a plan of one's own finds, as evidence. */
export async function foundBy(plan: Plan, question: AskedQuestion, context: MemoryContext): Promise<Found> {
  const { reader, embedder, nowUs, signal } = context;
  const retrieved = await retrieve(
    { text: question.text },
    { reader, nowUs, signal, plan, ...(embedder && { embedder }) },
  );
  return { items: retrieved.items, searches: [{ cue: question.text, retrieved }] };
}

/** Captions by meaning, thinned by maximal marginal relevance: STaR's plain way of avoiding repeats. */
export function readsDiverse(id: string, k: number): Strategy {
  return readStrategy(id, { k, plan: "mmr" }, (question, context) => {
    const b = new PlanBuilder("mmr");
    const pool = b.add({ op: "sem", kinds: ["caption"], text: question.text, k: 100 });
    return foundBy(b.build(b.add({ op: "mmr", from: pool, k })), question, context);
  });
}

/**
 * Evidence as a reader sees it that is led astray by what is beside the point: with probability 1 − e^(−λ·n) it looks at
 * one of the n records that say nothing of the question's own words (docs/formulas.md#noise). It stands for a language
 * model's distraction and is off wherever a report does not name it.
 */
export function distracted(lambda: number) {
  return (found: Found, question: AskedQuestion, context: MemoryContext): Found => {
    const asked = contentOf(question.text);
    const beside = found.items.filter(
      ({ record }) => !contentOf(record.text.join(" ")).some((word) => asked.includes(word)),
    );
    const random = new Random(`${context.seed}/distracted`);
    const isLed = random.next() < 1 - Math.exp(-lambda * beside.length);
    return isLed ? { ...found, items: [random.pick(beside)] } : found;
  };
}

const SHORT = 4;

function contentOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => word.length >= SHORT);
}

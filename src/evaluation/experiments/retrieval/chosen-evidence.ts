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

/** Captions by meaning, thinned by maximal marginal relevance: STaR's simple way to avoid repeats. */
export function readsDiverse(id: string, k: number): Strategy {
  return readStrategy(id, { k, plan: "mmr" }, (question, context) => {
    const b = new PlanBuilder("mmr");
    const pool = b.add({ op: "sem", kinds: ["caption"], text: question.text, k: 100 });
    return foundBy(b.build(b.add({ op: "mmr", from: pool, k })), question, context);
  });
}

/**
 * Evidence for a reader that is distracted by irrelevant records: with probability 1 − e^(−λ·n) it reads one of the n
 * records that share no word with the question (docs/formulas.md#noise). It models a language model's distraction and
 * is off unless a report names it.
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

import type { AnswerRecord } from "../../schema/core.ts";
import type { Answerer, AskedQuestion, EvidenceItem, MemoryContext, Strategy } from "./strategy.ts";

/** The evidence that a selection method gave the answerer. */
export interface Chosen {
  readonly items: readonly EvidenceItem[];
  /** Records that were considered and not shown, by reason. */
  readonly rejected: readonly { readonly reason: string; readonly count: number }[];
  /** Wall clock by stage, beside the total. */
  readonly ms?: Readonly<Record<string, number>>;
  readonly plan?: NonNullable<AnswerRecord["trace"]["plan"]>;
}

/** A strategy from a selection method, with an answerer behind it. */
export function evidenceStrategy(
  id: string,
  answerer: Answerer,
  settings: Readonly<Record<string, unknown>>,
  choose: (question: AskedQuestion, context: MemoryContext) => Promise<Chosen>,
): Strategy {
  return {
    id,
    settings: { ...settings, answerer: answerer.id },
    ...(answerer.models === undefined ? {} : { models: answerer.models }),
    async answer(question, context) {
      const began = performance.now();
      const { items, rejected, ms, plan } = await choose(question, context);
      const chosen = performance.now();
      const answer = await answerer.answer(question, items, context);
      const round = {
        cues: [],
        strategy: id,
        broadened: 0,
        found: items.length + rejected.reduce((sum, { count }) => sum + count, 0),
        added: items.length,
        sufficient: answer.status === "answered",
        rejected: rejected.filter(({ count }) => count > 0),
      };
      const trace = {
        ...answer.trace,
        ...(plan === undefined ? {} : { plan }),
        rounds: [round, ...answer.trace.rounds],
        ms: { ...answer.trace.ms, ...ms, retrieve: chosen - began, answer: performance.now() - chosen },
      };
      return { ...answer, strategy: id, trace };
    },
  };
}

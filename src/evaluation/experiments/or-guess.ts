import { guess } from "../../reasoning/systems/baselines/blind.ts";
import type { Strategy } from "../runner/strategy.ts";

/**
 * The same strategy forced to answer: where the memory gives nothing it guesses like a blind baseline. The papers'
 * models always answer, and a benchmark without unanswerable questions gives nothing for abstaining.
 */
export function orGuess(strategy: Strategy): Strategy {
  const { withModels } = strategy;
  return {
    ...strategy,
    ...(withModels && { withModels: (models) => orGuess(withModels(models)) }),
    settings: { ...strategy.settings, otherwise: "guess" },
    async answer(question, context) {
      const answer = await strategy.answer(question, context);
      // Asking back which of several is meant does not count as an answer where one is required.
      if (answer.status === "answered" || answer.binary !== undefined) return answer;
      const guessed = guess(question, context);
      return { ...guessed, strategy: strategy.id, evidence: answer.evidence, trace: answer.trace };
    },
  };
}

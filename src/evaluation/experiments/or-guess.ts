import { guess } from "../../reasoning/systems/baselines/blind.ts";
import type { Strategy } from "../runner/strategy.ts";

/**
 * The same strategy made to answer: where the memory gives nothing it guesses as who never looked would. The papers'
 * models always say something, and a benchmark without unanswerable questions gives nothing for silence.
 */
export function orGuess(strategy: Strategy): Strategy {
  const { withModels } = strategy;
  return {
    ...strategy,
    ...(withModels && { withModels: (models) => orGuess(withModels(models)) }),
    settings: { ...strategy.settings, otherwise: "guess" },
    async answer(question, context) {
      const answer = await strategy.answer(question, context);
      // Asking which of several is meant is no answer either, where one has to be given.
      if (answer.status === "answered" || answer.binary !== undefined) return answer;
      const guessed = guess(question, context);
      return { ...guessed, strategy: strategy.id, evidence: answer.evidence, trace: answer.trace };
    },
  };
}

import type { AnswerRecord } from "../schema/index.ts";
import { RISK_STEPS } from "./confidence-table.ts";

/**
 * How sure an answer must be so that at most this share of the answers given is wrong (docs/formulas.md#risk). Counted on
 * questions that the confidence was not fitted on, as split conformal prediction does: one more answer than was counted is taken
 * to be wrong. Beyond 1 where no confidence is enough.
 */
export function thresholdFor(risk: number, steps: typeof RISK_STEPS = RISK_STEPS): number {
  let threshold = 2;
  for (const { atLeast, answers, wrong } of steps.toReversed()) {
    // Of so few answers a single wrong one would decide: they tell nothing.
    if (2 / (answers + 1) > risk) continue;
    if ((wrong + 1) / (answers + 1) > risk) break;
    threshold = atLeast;
  }
  return threshold;
}

/** An answer that is not sure enough for the risk asked for is withheld: the guess is told as one. */
export function withinRisk(answer: AnswerRecord, risk: number | undefined): AnswerRecord {
  if (risk === undefined || answer.status !== "answered" || answer.confidence >= thresholdFor(risk))
    return answer;
  const { question, askedAtUs, strategy, text, confidence, evidence, contradictions, trace } = answer;
  const share = `${Math.round(risk * 100)} %`;
  return {
    question,
    askedAtUs,
    strategy,
    type: "text",
    status: "insufficient",
    text: `I am not sure enough to answer with at most ${share} of answers wrong. My guess (${Math.round(confidence * 100)} % sure): ${text}`,
    confidence,
    evidence,
    contradictions,
    trace,
  };
}

import type { AnswerRecord } from "../schema/index.ts";
import { RISK_STEPS } from "./confidence-table.ts";

/** The number of wrong answers that a step must be expected to contain at the requested risk (answers). */
const EXPECTED_WRONG = 10;

/**
 * The confidence an answer needs so that at most this share of the answers given is wrong (docs/formulas.md#risk).
 * Counted on questions that the confidence was not fitted on, as in split conformal prediction: one more answer than
 * was counted is taken to be wrong. Above 1 where no confidence is enough.
 */
export function thresholdFor(risk: number, steps: typeof RISK_STEPS = RISK_STEPS): number {
  let threshold = 2;
  for (const { atLeast, answers, wrong } of steps.toReversed()) {
    // With so few answers one or two random errors would decide: they are no evidence.
    if (answers < EXPECTED_WRONG / risk) continue;
    if ((wrong + 1) / (answers + 1) > risk) break;
    threshold = atLeast;
  }
  return threshold;
}

/** An answer below the required confidence is withheld; the guess is reported as one. */
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

import type { AnswerRecord } from "../schema/index.ts";
import { RISK_STEPS } from "./confidence-table.ts";

/** The number of wrong answers that a step must be expected to contain at the requested risk (answers). */
const EXPECTED_WRONG = 10;

type Steps = typeof RISK_STEPS;

/** Answers between one step and the next, and how many of them were wrong. */
interface Band {
  answers: number;
  wrong: number;
  readonly steps: { readonly atLeast: number; readonly answers: number }[];
}

/**
 * The confidence an answer needs so that at most this share of the answers given is wrong (docs/formulas.md#risk).
 * Counted on questions that the confidence was not fitted on, as in split conformal prediction: one more answer than
 * was counted is taken to be wrong. Above 1 where no confidence is enough.
 */
export function thresholdFor(risk: number, steps: Steps = RISK_STEPS): number {
  let threshold = 2;
  let answers = 0;
  let wrong = 0;
  for (const band of monotone(steps))
    for (const step of band.steps) {
      answers += step.answers;
      wrong += (band.wrong * step.answers) / Math.max(1, band.answers);
      // With so few answers one or two random errors would decide: they are no evidence.
      if (answers >= EXPECTED_WRONG / risk && (wrong + 1) / (answers + 1) <= risk) threshold = step.atLeast;
    }
  return threshold;
}

/**
 * The surest band first, and none with a larger share of wrong answers than the next: where the counts say so, the two are
 * one (pooled adjacent violators), because such a difference is chance.
 */
function monotone(steps: Steps): Band[] {
  const bands: Band[] = [];
  for (const [n, { atLeast, ...all }] of steps.toReversed().entries()) {
    const surer = steps.toReversed()[n - 1];
    const answers = all.answers - (surer?.answers ?? 0);
    const band: Band = {
      answers,
      wrong: all.wrong - (surer?.wrong ?? 0),
      steps: [{ atLeast, answers }],
    };
    for (let last = bands.at(-1); last && isWorse(last, band); last = bands.at(-1)) {
      bands.pop();
      band.answers += last.answers;
      band.wrong += last.wrong;
      band.steps.unshift(...last.steps);
    }
    bands.push(band);
  }
  return bands;
}

function isWorse(surer: Band, band: Band): boolean {
  return surer.wrong * band.answers > band.wrong * surer.answers;
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

import type { AnswerRecord, QuestionRecord } from "../../schema/index.ts";

/** A judge's verdict on one answer. */
export interface Judgement {
  /** 1 (wrong) to 5 (right); null without an answer or a verdict: worth 0 %. */
  readonly score: 1 | 2 | 3 | 4 | 5 | null;
  readonly why: string;
  /** Replies of a model that were not marks, verbatim: counted and shown, never averaged away. */
  readonly unparsable?: readonly string[];
}

/** Compares an answer with the truth. Deterministic for rules; as deterministic as its model otherwise. */
export interface Judge {
  readonly id: string;
  judge(question: QuestionRecord, answer: AnswerRecord, signal?: AbortSignal): Promise<Judgement>;
}

/** From this mark on a free-text answer counts as right. */
export const RIGHT_FROM = 4;

import type { AnswerRecord, QuestionRecord } from "../../schema/index.ts";

/** What a judge says of one answer. */
export interface Judgement {
  /** 1 (wrong) to 5 (right); null if there was nothing to judge or no verdict could be had: worth 0 %. */
  readonly score: 1 | 2 | 3 | 4 | 5 | null;
  readonly why: string;
  /** What a model replied that was no mark, word for word: counted and shown, never averaged away. */
  readonly unparsable?: readonly string[];
}

/** Compares an answer with the truth. Deterministic for rules; as deterministic as its model otherwise. */
export interface Judge {
  readonly id: string;
  judge(question: QuestionRecord, answer: AnswerRecord, signal?: AbortSignal): Promise<Judgement>;
}

/** From this mark on an answer in words counts as right. */
export const RIGHT_FROM = 4;

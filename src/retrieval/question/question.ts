import type { Interval, Vec3 } from "../../geometry/index.ts";
import { LIMITS, LociError } from "../../schema/core.ts";
import { type Cues, cuesOf } from "./cues.ts";

/**
 * What is asked, and what is already known of where and when. Reasoning fills in what it has worked out of the
 * question; whatever is missing is read off the words.
 */
export interface RetrievalQuestion {
  readonly text: string;
  /** Only what was so within this span: what the question says of time, or how far back the asker's memory goes. */
  readonly during?: Interval;
  /** Only what is around here. */
  readonly near?: { readonly centre: Vec3; readonly radiusM: number };
  /** Only what is in this region. */
  readonly regionId?: string;
  readonly categories?: readonly string[];
  /** A better analysis than the words alone give; fields that are missing stay as they are. */
  readonly cues?: Partial<Cues>;
  /** A picture given with the question, as a vector of the memory's image embedder. */
  readonly image?: Float32Array;
}

/** A question with its cues, checked. */
export interface Asked {
  readonly question: RetrievalQuestion;
  readonly cues: Cues;
}

export function readQuestion(question: RetrievalQuestion): Asked {
  const { text } = question;
  if (text.trim() === "") throw new LociError("invalid-input", "a question has at least one word");
  if (text.length > LIMITS.queryChars)
    throw new LociError(
      "limit-exceeded",
      `a question has at most ${LIMITS.queryChars} characters, got ${text.length}`,
    );
  return { question, cues: { ...cuesOf(text), ...question.cues } };
}

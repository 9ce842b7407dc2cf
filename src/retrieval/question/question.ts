import type { Interval, Vec3 } from "../../geometry/index.ts";
import { LIMITS, LociError } from "../../schema/core.ts";
import { type Cues, cuesOf } from "./cues.ts";

/**
 * The question, and what is already known of its place and time. Reasoning fills in what it has inferred; missing
 * fields are read off the words.
 */
export interface RetrievalQuestion {
  readonly text: string;
  /** Only records valid within this span: the time in the question, or how far back the asker's memory goes. */
  readonly during?: Interval;
  /** Only what is around here. */
  readonly near?: { readonly centre: Vec3; readonly radiusM: number };
  /** Only what is in this region. */
  readonly regionId?: string;
  readonly categories?: readonly string[];
  /** A better analysis than the words alone give; missing fields keep their values. */
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

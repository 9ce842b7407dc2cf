import type { Random } from "../../geometry/index.ts";
import type { QuestionInput, QuestionType, TruthAnswer, UnanswerableReason } from "../../schema/index.ts";
import type { Phrase } from "./phrases.ts";
import type { Referent } from "./refer.ts";
import type { Scope } from "./scope.ts";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A question before it has words, options and an id. */
export interface Draft {
  readonly answer: TruthAnswer;
  readonly extra?: readonly string[];
  /** The values for the gaps of the wording; a referent is a phrase. */
  readonly slots: Readonly<Record<string, Phrase | Referent | string>>;
  /** Ids of things, in the order in which the checker reads them. */
  readonly targets: readonly string[];
  readonly regions?: readonly string[];
  readonly evidenceTimesUs: readonly number[];
  readonly tolerance?: { readonly m?: number; readonly s?: number; readonly share?: number };
  /** Wrong answers of the same class; with three or more, multiple choice is possible. */
  readonly distractors?: readonly string[];
  readonly frame?: NonNullable<QuestionInput["frame"]>;
  readonly image?: NonNullable<QuestionInput["image"]>;
  readonly about?: Readonly<Record<string, Json>>;
  readonly unanswerable?: UnanswerableReason;
  /** What must be seen to answer: its targets, all of its regions, or nothing that still exists. */
  readonly look: "targets" | "regions" | "none";
  /** Sets of wordings, if the subtype has several that mean different things. */
  readonly wording?: string;
}

/** One kind of question. A maker tries once; its caller retries with other draws. */
export interface Subtype {
  readonly type: QuestionType;
  readonly subtype: string;
  readonly answers: TruthAnswer["type"];
  /** Always asked with options. */
  readonly isChoice?: boolean;
  /** `want` is the intended answer of a yes/no question. */
  make(scope: Scope, random: Random, want: boolean): Draft | undefined;
}

export function binary(value: boolean, why?: string): TruthAnswer {
  const text = value ? "yes" : "no";
  return { type: "binary", value, text: why === undefined ? text : `${text}, ${why}` };
}

/** Tries draws from a pool until one yields something. */
export function firstOf<T, R>(
  random: Random,
  pool: readonly T[],
  tries: number,
  make: (item: T) => R | undefined,
): R | undefined {
  if (pool.length === 0) return undefined;
  for (let i = 0; i < tries; i++) {
    const made = make(random.pick(pool));
    if (made !== undefined) return made;
  }
  return undefined;
}

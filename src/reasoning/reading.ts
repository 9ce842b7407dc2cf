import type { Expression } from "../schema/index.ts";
import type { Value } from "./algebra/value.ts";

/** One way to understand a question. */
export interface Reading {
  /** What is asked, in the order asked. */
  readonly parts: readonly Expression[];
  /** 0 is as plain as can be; the more is guessed, mended or left out, the higher. */
  readonly cost: number;
  /** Share of the content words that it explains. */
  readonly explained: number;
  /** What was mended: "stapler for staplr". */
  readonly notes: readonly string[];
  readonly phrase: string;
}

/** What was asked and found before, the latest last, for "and the blue one?". */
export interface Turn {
  readonly expression: Expression;
  readonly value: Value;
}

export interface ReadContext {
  readonly nowUs: number;
  readonly options?: readonly string[] | undefined;
  /** A picture was shown: what "this" is. */
  readonly shown?: boolean | undefined;
  /** Names that this memory holds and that begin so: things, rooms, people. */
  readonly names: (prefix: string) => Promise<readonly string[]>;
  readonly history?: readonly Turn[] | undefined;
}

/** Words to expressions: the best reading first, at most six. */
export type Read = (question: string, context: ReadContext) => Promise<readonly Reading[]>;

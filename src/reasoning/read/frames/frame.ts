import type { Expression } from "../../../schema/index.ts";
import { type Bindings, Pattern } from "../pattern.ts";
import type { Sentence } from "../sentence.ts";

/** One form of question: how it is put, and the expression that it is. Undefined where the form does not hold after all. */
export interface Frame {
  readonly pattern: Pattern;
  readonly cost: number;
  build(given: Bindings, s: Sentence, end: number): Expression | undefined;
}

/** Frames of one meaning put in several ways. */
export function frames(
  patterns: readonly string[],
  build: (given: never, s: Sentence, end: number) => Expression | undefined,
  cost = 0,
): Frame[] {
  return patterns.map((text) => ({ pattern: new Pattern(text), cost, build: build as Frame["build"] }));
}

import type { ReadContext } from "./sentence.ts";
import type { Written } from "./tokens.ts";
import type { Reading } from "./read.ts";

/** "and the blue one?", "what about yesterday?": the question before, with something changed. */
export function followUp(sentences: readonly Written[], context: ReadContext): Omit<Reading, "notes">[] {
  void sentences;
  void context;
  return [];
}

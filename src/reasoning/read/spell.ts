import type { ReadContext } from "./sentence.ts";
import type { Written } from "./tokens.ts";

/** Words that are nearly others are read as those. */
export function mended(sentences: readonly Written[], context: ReadContext): { sentences: readonly Written[]; notes: string[] } {
  void context;
  return { sentences, notes: [] };
}

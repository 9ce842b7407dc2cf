import { isFunctionWord } from "./function-words.ts";
import type { Written } from "./tokens.ts";

/** Words that refer to earlier turns. */
const STANDS_FOR =
  /^(?:it|its|they|them|their|that|those|these|there|he|him|his|she|her|hers|one|ones|same|other|else|another)$/;

/**
 * The earlier questions needed to read this one: the last one and, where that also refers back ("who moved it?"), the
 * last that stands by itself. The network was trained with two.
 */
export function spokenOf<T extends readonly Written[]>(earlier: readonly T[]): readonly T[] {
  const last = earlier.at(-1);
  if (last === undefined) return [];
  const before = earlier.slice(0, -1);
  const about = isGoingOn(last)
    ? (before.findLast((one) => !isGoingOn(one)) ?? before.at(-1))
    : before.at(-1);
  return about ? [about, last] : [last];
}

/** Whether it refers back, or has no content of its own. */
export function isGoingOn(sentences: readonly Written[]): boolean {
  const words = sentences.flatMap(({ tokens }) => tokens.map(({ word }) => word));
  return words.some((word) => STANDS_FOR.test(word)) || words.every(isFunctionWord);
}

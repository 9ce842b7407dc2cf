import { isKindOf } from "../../ontology/index.ts";
import { isFunctionWord } from "./function-words.ts";

const BEFORE_A_NOUN = /\b([a-z]{2,})s(?= +([a-z]+))/gi;

/** Adds missing apostrophes, "Mummys bed" and "bens desk": for relatives, and for known people. */
export function withApostrophes(question: string, people: ReadonlySet<string> = new Set()): string {
  const owns = (word: string) => people.has(word) || isKindOf(word, "relative");
  return question.replaceAll(BEFORE_A_NOUN, (all, owner: string, next: string) =>
    owns(owner.toLowerCase()) && !isFunctionWord(next.toLowerCase()) ? `${owner}'s` : all,
  );
}

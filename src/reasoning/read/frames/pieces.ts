import { gradesAt } from "../comparisons.ts";
import { ATTRIBUTES, DIMENSIONS, DOINGS, HAPPENINGS } from "../lexicon.ts";
import { nounPhrases } from "../noun-phrase.ts";
import type { Parse } from "../pattern.ts";
import { relationsAt, sideAt } from "../places.ts";
import { predicates } from "../predicate.ts";
import { registerGrammar, registerPiece, type Sentence } from "../sentence.ts";

/** A phrase of a table that stands here, the longest first. */
function fromTable(table: ReadonlyMap<string, string>, most: number) {
  return (s: Sentence, at: number): Parse<unknown>[] => {
    const found: Parse<unknown>[] = [];
    for (let length = Math.min(most, s.words.length - at); length >= 1; length--) {
      const value = table.get(s.words.slice(at, at + length).join(" "));
      if (value !== undefined) found.push({ end: at + length, cost: 0, value });
    }
    return found;
  };
}

const ORDER: ReadonlyMap<string, string> = new Map([
  ...["first", "initially", "for the first time", "originally", "at first", "earliest", "firstly"].map(
    (word) => [word, "first"] as const,
  ),
  ...[
    "last",
    "most recently",
    "for the last time",
    "lastly",
    "latest",
    "finally",
    "previously",
    "recently",
    "the last time",
  ].map((word) => [word, "last"] as const),
  ["second", "second"],
  ["third", "third"],
]);

/** "most", "the fewest": of sets by their number. */
const AMOUNT: ReadonlyMap<string, string> = new Map([
  ...[
    "the most",
    "most",
    "the highest number of",
    "the greatest number of",
    "the largest number of",
    "more",
    "the biggest number of",
  ].map((word) => [word, "most"] as const),
  ...[
    "the fewest",
    "fewest",
    "the least",
    "least",
    "fewer",
    "the smallest number of",
    "the lowest number of",
    "less",
  ].map((word) => [word, "least"] as const),
]);

/** "left, right or behind": sides that are offered. */
function sidesAt(s: Sentence, at: number): Parse<unknown>[] {
  const found: string[] = [];
  let end = at;
  for (;;) {
    const from = found.length > 0 && /^(?:or|and)$/.test(s.words[end] ?? "") ? end + 1 : end;
    const side = sideAt(s, from);
    const bare = /^(?:left|right|behind|front|back|ahead)$/.test(s.words[from] ?? "")
      ? { relation: s.words[from]!, end: from + 1 }
      : undefined;
    const next = side ?? bare;
    if (!next) break;
    found.push(next.relation === "ahead" ? "front" : next.relation);
    end = next.end;
  }
  return found.length > 1 ? [{ end, cost: 0, value: found }] : [];
}

/** Makes the small pieces of patterns known. Called once, where the frames are. */
export function registerPieces(): void {
  registerGrammar({ nouns: nounPhrases, predicates });
  registerPiece("attr", fromTable(ATTRIBUTES, 2));
  registerPiece("dim", fromTable(DIMENSIONS, 2));
  registerPiece("doing", fromTable(DOINGS, 3));
  registerPiece("happening", fromTable(HAPPENINGS, 6));
  registerPiece("order", fromTable(ORDER, 4));
  registerPiece("amount", fromTable(AMOUNT, 4));
  registerPiece("more", (s, at) =>
    gradesAt(s, at, "more").map(({ grade, end }) => ({ end, cost: 0, value: grade })),
  );
  registerPiece("most", (s, at) =>
    gradesAt(s, at, "most").map(({ grade, end }) => ({ end, cost: 0, value: grade })),
  );
  registerPiece("rel", (s, at) =>
    relationsAt(s, at).map(({ relation, end }) => ({ end, cost: 0, value: relation })),
  );
  registerPiece("sides", sidesAt);
  registerPiece("side", (s, at) => {
    const side = sideAt(s, at);
    return side ? [{ end: side.end, cost: 0, value: side.relation }] : [];
  });
}

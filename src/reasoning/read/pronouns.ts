import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { isFunctionWord } from "./function-words.ts";
import type { Parse } from "./pattern.ts";
import { type Noun, noun } from "./phrases.ts";
import { modified } from "./post-modifiers.ts";
import type { Sentence } from "./sentence.ts";

/** What a set that was spoken of is, if it is of rooms or storeys. */
function regionKind({ op, of }: Expression): "rooms" | "floors" | undefined {
  if (op === "rooms" || op === "house" || op === "neighbours") return "rooms";
  if (op === "floors") return "floors";
  return (op === "in" || op === "filter" || op === "most" || op === "least") && of[0]
    ? regionKind(of[0])
    : undefined;
}

const WHERE_YOU_ARE = [
  "your current position",
  "your position",
  "your current location",
  "your location",
  "where you are standing",
  "where you are",
  "where you stand",
  "where i am standing",
  "where i am",
  "where i stand",
  "the robot",
  "yourself",
];

export function pronouns(s: Sentence, at: number): Parse<Noun>[] {
  const word = s.words[at] ?? "";
  const found: Parse<Noun>[] = [];
  const there = s.phraseAt(at, WHERE_YOU_ARE);
  if (there !== undefined)
    found.push({ end: there, cost: 0, value: noun("self", node("self"), { definite: true }) });
  if (/^(?:you|me|i|us|myself|yourself|robot)$/.test(word))
    found.push({ end: at + 1, cost: 0.1, value: noun("self", node("self"), { definite: true }) });
  if (/^(?:here|there)$/.test(word) && !s.words[at + 1])
    found.push({ end: at + 1, cost: 0.3, value: noun("rooms", s.here(word === "there")) });
  const stands = /^(?:it|they|them|he|him|she|her|this|that|these|those)$/.test(word);
  const one =
    /^(?:this|that|these|those)$/.test(word) &&
    /^(?:one|ones|thing|things|object|objects|item|items|rooms|options|places)$/.test(s.words[at + 1] ?? "");
  // "this belongs" is about this, "this mug" about a mug; both are tried.
  const isArticle =
    /^(?:this|that|these|those)$/.test(word) &&
    s.words[at + 1] !== undefined &&
    !one &&
    !isFunctionWord(s.words[at + 1]!);
  if (stands) {
    const plural = /^(?:they|them|these|those)$/.test(word);
    const set = s.antecedent(word);
    const kind = set && regionKind(set);
    if (set)
      found.push({
        end: at + (one ? 2 : 1),
        cost: isArticle ? 0.3 : 0.05,
        value: noun(kind ?? "things", set, { definite: true, plural, pronoun: true }),
      });
  }
  return found.flatMap((one) => modified(s, one));
}

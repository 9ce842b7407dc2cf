import { attributesOf, longestName, lookup, roomKind, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { isFunctionWord } from "./function-words.ts";

/** A thing named in a text. */
export interface Named {
  readonly from: number;
  readonly end: number;
  readonly name: string;
  /** Whether the name is in the vocabulary. */
  readonly isKnown: boolean;
  /** The single thing that is meant, or any such. */
  readonly thing: Expression;
}

const ONE = /^(?:the|my|this|that|your|our|his|her|their)$/;
const ANY = /^(?:a|an|some|two|three|four|several|another|one)$/;
/** Words that name no particular thing by themselves. */
const NO_THING: ReadonlySet<string> = new Set(
  "kind sort type place room floor level area left right front top back side end one ones thing object item house home way time".split(
    " ",
  ),
);

/**
 * The thing named from a word on, before `bound`: "the red mug", "a wooden table". Undefined for rooms and for words
 * that name nothing.
 */
export function namedAt(words: readonly string[], from: number, bound = words.length): Named | undefined {
  const isOne = ONE.test(words[from] ?? "");
  const start = isOne || ANY.test(words[from] ?? "") ? from + 1 : from;
  const look: Record<string, string> = {};
  let at = start;
  for (; at < bound; at++) {
    const found = longestName(words.slice(at, bound), 0);
    const own = words.slice(at, at + (found?.length ?? 0));
    if (found && !(own.length === 1 && (isFunctionWord(own[0]!) || NO_THING.has(own[0]!)))) {
      const said = singularOf(own.join(" "));
      const name = lookup(said) ? said : found.entry.name;
      return named({ from, end: at + found.length, name, isKnown: true }, look, isOne && !found.plural);
    }
    const [seen] = attributesOf(words[at]!);
    if (!seen && (isFunctionWord(words[at]!) || at > start + 1)) break;
    if (seen?.attribute === "colour" || seen?.attribute === "material") look[seen.attribute] = seen.value;
  }
  // A name that is not in the vocabulary: the words up to the next function word.
  let end = start;
  while (end < bound && end < start + 3 && !isFunctionWord(words[end]!)) end++;
  const said = singularOf(words.slice(start, end).join(" "));
  if (start === from || end === start || NO_THING.has(said) || roomKind(said)) return undefined;
  return named({ from, end, name: said, isKnown: false }, {}, isOne);
}

function named(found: Omit<Named, "thing">, look: Readonly<Record<string, string>>, isOne: boolean): Named {
  const things = node("things", [], { category: found.name, ...look });
  return { ...found, thing: isOne ? node("the", [things]) : things };
}

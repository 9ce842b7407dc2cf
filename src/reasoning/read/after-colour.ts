import { isKindOf, lookup, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";

/** The most words in the name of a thing. */
const MOST_WORDS = 3;
/** Nouns that stand for another noun. */
const NO_NAMES: ReadonlySet<string> = new Set(["one", "thing", "object", "item", "room"]);

/**
 * An expression in which each coloured thing takes the noun after its colour. The network copies names word by word and
 * mixes up two of them: of "the red flower vase and the blue cereal box" it makes a blue flower box.
 */
export function calledAfterColour(words: readonly string[], part: Expression): Expression {
  const of = part.of.map((one) => calledAfterColour(words, one));
  const { category, colour } = part.with;
  // "Who wears green clothes?" asks for a green person.
  if (part.op !== "things" || typeof category !== "string" || typeof colour !== "string")
    return { ...part, of };
  const at = words.indexOf(colour.toLowerCase());
  if (at < 0 || words.indexOf(colour.toLowerCase(), at + 1) >= 0) return { ...part, of };
  if (isKindOf(category, "person")) return { ...part, of };
  const own = nameAt(words, at + 1);
  const after = words.slice(at + 1, at + 2 + MOST_WORDS).join(" ");
  const isSaid = ` ${after} `.includes(` ${category} `) || ` ${singularOf(after)} `.includes(` ${category} `);
  return own === undefined || isSaid
    ? { ...part, of }
    : { ...part, of, with: { ...part.with, category: own } };
}

/** The longest name of a thing that begins at a word. */
function nameAt(words: readonly string[], at: number): string | undefined {
  for (let n = MOST_WORDS; n > 0; n--) {
    const name = singularOf(words.slice(at, at + n).join(" "));
    if (at + n <= words.length && lookup(name) && !NO_NAMES.has(name)) return name;
  }
  return undefined;
}

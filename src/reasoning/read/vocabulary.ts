import { attributesOf, longestName, lookup, roomKind, singularOf as singular } from "../../ontology/index.ts";
import type { Sentence } from "./sentence.ts";

const FUNCTION = new Set(
  `a an the this that these those some any all every each both either neither no my your our their his her its another
   what which whose who whom where when why how is are was were be been being am do does did have has had can could will
   would shall should may might must i you he she it we they me him them us and or but nor so because while than if
   whether not never of to from for with without in on at by into onto over under above below near beside next between
   behind inside within through against about as there here then very too also else except besides apart please now
   just still ever already yet 's up down off out more most less least many much few several other same such like one
   only before after since until during ago today yesterday tomorrow let us going go went gone get got see saw seen find
   found put left say says said tell told know knew think need want use make take took come came give look
   looks looking again away back anywhere somewhere everywhere nowhere anymore instead anyway really actually maybe perhaps together whole any more than was`.split(
    /\s+/,
  ),
);

/** A word that holds a sentence together, and is no name or description. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION.has(word);
}

export function singularOf(word: string): string {
  return singular(word);
}

/** A word that looks as if it described something. */
export function isAdjectiveLike(word: string): boolean {
  return attributesOf(word).length > 0 || /(?:ed|en|ish|ful|less|ous|ic|ive|able|ed|ing)$/.test(word);
}

/** Words that are names as well, but seldom meant so where grammar reads them. */
const SELDOM = new Set(
  "kind sort type place room floor level area left right front top back side end one ones thing things object objects item items house home person people way time times colour color size shape text light".split(
    " ",
  ),
);

export interface NounFound {
  readonly name: string;
  readonly length: number;
  readonly plural: boolean;
  readonly sure: boolean;
}

/** The longest name of a thing from a word on. */
export function nounAt(s: Sentence, at: number): NounFound | undefined {
  return s.memo("noun", at, () => {
    const first = s.words[at];
    if (first === undefined || s.tokens[at]!.quoted) return undefined;
    let words = s.words.slice(at, at + 4);
    const parted = s.tokens.slice(at + 1, at + 4).findIndex((token) => token.parted || token.quoted);
    if (parted >= 0) words = words.slice(0, parted + 1);
    for (;;) {
      const found = longestName(words, 0);
      if (!found) return undefined;
      const own = words.slice(0, found.length);
      // "Left" or "floor" by themselves are no things, and "mug next" is none either.
      if (
        !own.some((word, n) => isFunctionWord(word) && !(n > 0 && n < own.length - 1)) &&
        !(found.length === 1 && SELDOM.has(own[0]!))
      )
        return {
          name: nameAsSaid(own, found.entry.name),
          length: found.length,
          plural: found.plural,
          sure: true,
        };
      if (found.length === 1) return undefined;
      words = words.slice(0, found.length - 1);
    }
  });
}

/** The singular of what was said; things are looked for under the name that people use. */
function nameAsSaid(words: readonly string[], canonical: string): string {
  const said = words.join(" ");
  const one = singular(said);
  return lookup(one)?.name === canonical || lookup(one) !== undefined ? one : canonical;
}

/** The longest name of a kind of room from a word on. */
export function roomAt(
  s: Sentence,
  at: number,
): { name: string; length: number; plural: boolean } | undefined {
  return s.memo("room", at, () => {
    for (const length of [4, 3, 2, 1]) {
      const words = s.words.slice(at, at + length);
      if (
        words.length < length ||
        s.tokens.slice(at + 1, at + length).some(({ parted, quoted }) => parted || quoted)
      )
        continue;
      if (s.tokens[at]!.quoted) return undefined;
      const said = words.join(" ").replace(" 's", "'s");
      const kind = roomKind(said);
      if (!kind || (kind.isWhole && !/^rooms?$/.test(said))) continue;
      const one = singular(said);
      return { name: one, length, plural: one !== said };
    }
    return undefined;
  });
}

export interface AdjectiveFound {
  readonly attribute: string;
  readonly value: string;
  readonly length: number;
}

/** What an adjective from a word on says of a thing: colour, material, state, pattern, shape. */
export function adjectiveAt(s: Sentence, at: number): AdjectiveFound | undefined {
  return s.memo("adjective", at, () => {
    const word = s.words[at];
    if (word === undefined || s.tokens[at]!.quoted) return undefined;
    const next = s.words[at + 1] ?? "";
    const two = `${word} ${next}`;
    if (/^(?:light|dark|pale|bright|deep|navy|sky)$/.test(word)) {
      const colour = attributesOf(next).find(({ attribute }) => attribute === "colour");
      if (colour) return { ...colour, length: 2 };
    }
    for (const [said, length] of [
      [two, 2],
      [word, 1],
    ] as const) {
      const [first] = attributesOf(said).filter(({ attribute }) => !GRADED.has(attribute));
      if (first && !(length === 1 && isFunctionWord(word) && !/^(?:on|off|up|down)$/.test(word)))
        return { ...first, length };
    }
    return undefined;
  });
}

/** Attributes that are measured rather than looked up. */
const GRADED = new Set([
  "size",
  "height",
  "width",
  "length",
  "depth",
  "thickness",
  "age",
  "weight",
  "distance",
]);

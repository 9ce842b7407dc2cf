import { node } from "../algebra/notation.ts";
import { adjectives, type Building, START } from "./adjectives.ts";
import { isFunctionWord } from "./function-words.ts";
import { headsAt, NO_DETERMINER } from "./heads.ts";
import { DETERMINERS, NUMBERS } from "./lexicon.ts";
import type { Parse } from "./pattern.ts";
import { best, type Noun, noun } from "./phrases.ts";
import { modified } from "./post-modifiers.ts";
import { pronouns } from "./pronouns.ts";
import type { Sentence } from "./sentence.ts";
import { nounAt, roomAt } from "./vocabulary.ts";

/** All ways to read a noun phrase from a word on: every length of what follows the noun is a way of its own. */
export function nounPhrases(s: Sentence, at: number): Parse<Noun>[] {
  const found = simple(s, at);
  const all = [...found, ...found.flatMap((first) => coordinated(s, first))];
  return best(all);
}

/** "the mug and the plate", "the desk, the bed or the sofa". */
function coordinated(s: Sentence, first: Parse<Noun>): Parse<Noun>[] {
  const found: Parse<Noun>[] = [];
  const step = (items: readonly Noun[], at: number, cost: number) => {
    const word = s.words[at];
    const parted = s.tokens[at]?.parted === true;
    const joiner =
      word === "and" || word === "or" || word === "nor" || word === "versus" || word === "vs"
        ? word
        : undefined;
    if (!joiner && !parted) return;
    const from = joiner ? at + 1 : at;
    for (const next of simple(s, from)) {
      if (next.value.kind !== first.value.kind) continue;
      const all = [...items, inherits(next.value, first.value)];
      const end = { end: next.end, cost: cost + next.cost + 0.05 };
      if (joiner) {
        const value: Noun = {
          ...first.value,
          items: all,
          joined: joiner === "and" ? "and" : "or",
          plural: true,
        };
        found.push({ ...end, value });
      }
      if (all.length < 6) step(all, next.end, end.cost);
    }
  };
  step([first.value], first.end, first.cost);
  return found;
}

/** "the mug or plate": the second is as definite as the first. */
function inherits(noun: Noun, first: Noun): Noun {
  const { category } = first.set.with;
  // "the white bed or the blue one"
  const isOne =
    noun.set.op === "things" &&
    noun.set.with["category"] === undefined &&
    typeof category === "string" &&
    first.set.op === "things";
  const set = isOne ? { ...noun.set, with: { category, ...noun.set.with } } : noun.set;
  return {
    ...noun,
    set,
    generic: noun.generic && !isOne,
    definite: noun.definite || (first.definite && !noun.quantity),
  };
}

function simple(s: Sentence, at: number): Parse<Noun>[] {
  return s.memo("np", at, () =>
    best([
      ...pronouns(s, at),
      ...quantified(s, at),
      ...described(s, at),
      ...(s.words.includes("'s") ? described(s, at, { owned: false }) : []),
    ]),
  );
}

const WHATEVER: Readonly<Record<string, Noun["quantity"]>> = {
  anything: "any",
  something: "some",
  everything: "all",
  nothing: "none",
  anybody: "any",
  anyone: "any",
  somebody: "some",
  someone: "some",
  everybody: "all",
  everyone: "all",
  nobody: "none",
};

/** "anything", "all of the chairs", "no lamp", "both doors", "none of them". */
function quantified(s: Sentence, at: number): Parse<Noun>[] {
  const found: Parse<Noun>[] = [];
  const word = s.words[at] ?? "";
  const whatever = WHATEVER[word];
  if (whatever) {
    let end = at + 1;
    if (s.words[end] === "else") end++;
    const isPerson = /body$|one$/.test(word);
    const set = node("things", [], isPerson ? { category: "person" } : {});
    const base = noun("things", set, { quantity: whatever, generic: !isPerson, plural: whatever === "all" });
    found.push(
      ...described(s, end, { noDeterminer: true, adjectiveOnly: true, base }).map((one) => ({
        ...one,
        value: { ...one.value, quantity: whatever },
      })),
    );
    found.push(...modified(s, { end, cost: 0, value: base }));
  }
  const lead = leadOf(s, at);
  for (const { end, quantity, number } of lead) {
    for (const rest of simple(s, end)) {
      const plural = rest.value.plural || quantity === "all";
      found.push({
        ...rest,
        cost: rest.cost - (s.words[end] === "the" || DETERMINERS.has(s.words[end] ?? "") ? 0 : NO_DETERMINER),
        value: { ...rest.value, quantity, plural, ...(number !== undefined && { number, definite: true }) },
      });
    }
  }
  return found;
}

function leadOf(s: Sentence, at: number): { end: number; quantity: Noun["quantity"]; number?: number }[] {
  const [a, b, c] = [s.words[at] ?? "", s.words[at + 1] ?? "", s.words[at + 2] ?? ""];
  const of = b === "of" ? 2 : 1;
  switch (a) {
    case "all":
    case "every":
    case "each":
      return [{ end: at + (b === "single" ? 2 : of), quantity: "all" }];
    case "both":
      return [{ end: at + of, quantity: "all", number: 2 }];
    case "any":
    case "either":
      return [{ end: at + (b === "other" ? 2 : b === "more" ? 2 : of), quantity: "any" }];
    case "some":
    case "several":
    case "most":
      return a === "most" && b !== "of" ? [] : [{ end: at + of, quantity: "some" }];
    case "no":
    case "neither":
      return [{ end: at + of, quantity: "none" }];
    case "none":
      return b === "of" ? [{ end: at + 2, quantity: "none" }] : [];
    case "one":
      return b === "of" ? [{ end: at + 2, quantity: "any" }] : [];
    case "at":
      return b === "least" && c === "one" ? [{ end: at + 3, quantity: "any" }] : [];
    case "more":
    case "other":
      return [];
    default:
      return [];
  }
}

interface Described {
  /** False: "the mug 's colour" is read up to the mug. */
  readonly owned?: boolean;
  readonly noDeterminer?: boolean;
  /** After "anything": "anything red". */
  readonly adjectiveOnly?: boolean;
  readonly base?: Noun;
}

/** "the two red mugs", "my old wooden chair", "Anna's bag", "the second largest room upstairs". */
function described(s: Sentence, at: number, given: Described = {}): Parse<Noun>[] {
  let end = at;
  let definite = false;
  let article = false;
  let owner: string | undefined;
  const first = s.words[end] ?? "";
  // "these" are the options, where there are some.
  if (s.context.options && /^(?:these|those)$/.test(first)) return [];
  if (!given.noDeterminer) {
    if (/^(?:the|this|that|these|those)$/.test(first)) [definite, article, end] = [true, true, end + 1];
    else if (/^(?:a|an|another)$/.test(first)) [article, end] = [true, end + 1];
    else if (/^(?:my|your|our|their|his|her|its)$/.test(first))
      [definite, article, end] = [true, true, end + 1];
    if (
      /^(?:other|whole|entire|only|very|said|aforementioned)$/.test(s.words[end] ?? "") &&
      s.words[end + 1] !== "of"
    )
      end++;
    if (
      /^(?:kind|sort|type|pair|set|piece|couple|bunch)s?$/.test(s.words[end] ?? "") &&
      s.words[end + 1] === "of" &&
      !/furniture/.test(s.words[end + 2] ?? "")
    ) {
      const known = nounAt(s, end);
      if (!known || known.length < 3) end += 2;
    } else if (/^pieces?$/.test(s.words[end] ?? "") && s.words[end + 1] === "of") end += 2;
  }
  const named = given.owned === false || /'s/.test(roomAt(s, end)?.name ?? "") ? undefined : ownerAt(s, end);
  if (named) [owner, definite, article, end] = [named.owner, true, true, named.end];
  let number: number | undefined;
  const count =
    NUMBERS.get(s.words[end] ?? "") ??
    (/^\d{1,3}$/.test(s.words[end] ?? "") ? Number(s.words[end]) : undefined);
  if (count !== undefined && count > 1 && s.words[end + 1] !== undefined) [number, end] = [count, end + 1];
  const heads: { at: number; building: Building }[] = [];
  adjectives(s, end, { ...START, options: owner === undefined ? {} : { owner } }, 0, heads);
  const found: Parse<Noun>[] = [];
  for (const { at: from, building } of heads) {
    if (given.base) {
      if (from > end)
        found.push({
          end: from,
          cost: building.cost,
          value: { ...given.base, set: node("things", [], building.options) },
        });
      continue;
    }
    for (const head of headsAt(s, from, building, { article, number })) {
      const plain: Noun = {
        ...head.value,
        definite: definite || head.value.definite,
        ...(number !== undefined && { number, plural: true }),
      };
      found.push({ ...head, value: plain });
    }
  }
  return best(found).flatMap((one) => modified(s, one));
}

/** "anna 's": whose it is. */
function ownerAt(s: Sentence, at: number): { owner: string; end: number } | undefined {
  for (const length of [1, 2])
    if (
      s.words[at + length] === "'s" &&
      s.words[at + length + 1] !== undefined &&
      !isFunctionWord(s.words[at] ?? "")
    )
      return {
        owner: s.tokens
          .slice(at, at + length)
          .map(({ raw }) => raw)
          .join(" "),
        end: at + length + 1,
      };
  return undefined;
}

import { attributesOf, lookup, roomKind, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { isFunctionWord } from "./function-words.ts";
import { isKnownWord } from "./spell.ts";

/** To leave a name or "each" out, or to measure what is liked: nobody says these for nothing. */
const IGNORED = 0.4;
/** Nor the name of a thing, a room or a colour; but some stand in what is told around a question. */
const UNUSED = 0.15;
const MOST = 0.45;

/** Who asks where something is does not ask how many there are, though none would be an answer. */
const UNPLACED = 1;

/** What no measure tells. */
const LIKED: ReadonlySet<string> = new Set(
  `coolest nicest prettiest loveliest cutest ugliest fanciest funniest silliest scariest sweetest classiest trendiest
   dreamiest handsomest tastiest yummiest`.split(/\s+/),
);
/** Operators that take the one that has most of something. */
const MEASURING: ReadonlySet<string> = new Set("most least nth largest smallest".split(" "));

/** Who says "each" wants to hear of each. */
const EACH = /\beach (?!other\b|time\b)|\bper (?!cent\b)|\brespectively\b|\bone by one\b/;
const EACHES: ReadonlySet<string> = new Set(
  "each all filter mean ratio minus refuse recall serves".split(" "),
);

/** The whole place is named for nothing all the time. */
const ANYWHERE: ReadonlySet<string> = new Set(
  "room rooms house home place flat apartment dwelling building upstairs downstairs".split(" "),
);

/** What it costs a reading that words of the question that always mean something leave no trace in it. */
export function neglected(words: readonly string[], parts: readonly Expression[]): number {
  const text = JSON.stringify(parts).toLowerCase();
  const ignored = [
    EACH.test(words.join(" ")) && !parts.some((part) => uses(part, EACHES)),
    words.some((word) => LIKED.has(word)) && parts.some((part) => uses(part, MEASURING)),
    words.some((word) => isName(word) && !text.includes(word)),
  ].filter(Boolean).length;
  const unused = new Set(
    telling(words)
      .filter((said) => !said.some((one) => text.includes(one)))
      .map(String),
  );
  const unplaced = words[0] === "where" && parts[0]?.op === "count" ? UNPLACED : 0;
  return unplaced + IGNORED * ignored + Math.min(MOST, UNUSED * unused.size);
}

/** What is no word of English is a name, and a name is what a question is about. */
function isName(word: string): boolean {
  return /^[a-z]{5,}$/.test(word) && !isKnownWord(word);
}

/** Rooms, colours and things that are named, each by what a reading may call it. */
function telling(words: readonly string[]): string[][] {
  return words.flatMap((word, n) => {
    const pair = `${words[n - 1] ?? ""} ${word}`;
    if (n > 0 && roomKind(pair)) return [[pair, singularOf(pair)]];
    if (!ANYWHERE.has(word) && roomKind(word)) return [[word, singularOf(word)]];
    const colour = attributesOf(word).find(({ attribute }) => attribute === "colour");
    if (colour) return [[word, colour.value]];
    const thing = isFunctionWord(word) ? undefined : lookup(word);
    return thing ? [[word, singularOf(word), thing.name]] : [];
  });
}

function uses({ op, of }: Expression, operators: ReadonlySet<string>): boolean {
  return operators.has(op) || of.some((one) => uses(one, operators));
}

import { attributesOf, lookup, roomKind, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { isFunctionWord } from "./function-words.ts";

/** Nobody names a thing, a room or a colour for nothing; but some stand in what is told around a question. */
const UNUSED = 0.15;
const MOST = 0.45;

/** Who asks where something is does not ask how many there are, though none would be an answer. */
const UNPLACED = 1;

/** The whole place is named for nothing all the time. */
const ANYWHERE: ReadonlySet<string> = new Set(
  "room rooms house home place flat apartment dwelling building upstairs downstairs".split(" "),
);

/** What it costs a reading that words of the question that always mean something leave no trace in it. */
export function neglected(words: readonly string[], parts: readonly Expression[]): number {
  const text = JSON.stringify(parts).toLowerCase();
  const unused = new Set(
    telling(words)
      .filter((said) => !said.some((one) => text.includes(one)))
      .map(String),
  );
  const unplaced = words[0] === "where" && parts[0]?.op === "count" ? UNPLACED : 0;
  return unplaced + Math.min(MOST, UNUSED * unused.size);
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

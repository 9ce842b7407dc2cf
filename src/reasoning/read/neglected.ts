import { attributesOf, lookup, roomKind, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { isFunctionWord } from "./function-words.ts";

/**
 * Cost of an unused name: things, rooms and colours are rarely mentioned without a purpose, but some stand in remarks
 * around a question.
 */
const UNUSED = 0.15;
const MOST = 0.45;

/** Cost of a count for a "where" question, though zero would be an answer. */
const UNPLACED = 1;

/** Cost for a command to do something with one's hands, which is no question. */
const TO_ACT = 0.5;
const BEFORE_ACT: ReadonlySet<string> = new Set(
  "well then ok okay oh dear so and now right please just will would could can you".split(" "),
);
const ACTS: ReadonlySet<string> = new Set(
  "hang put bring fetch carry hand pour wash clean tidy feed water push drop wipe sweep".split(" "),
);

/** Words for the whole place, which are often redundant. */
const ANYWHERE: ReadonlySet<string> = new Set(
  "room rooms house home place flat apartment dwelling building upstairs downstairs".split(" "),
);

/** The cost of a reading that does not use significant words of the question. */
export function neglected(words: readonly string[], parts: readonly Expression[]): number {
  const text = JSON.stringify(parts).toLowerCase();
  const unused = new Set(
    telling(words)
      .filter((said) => !said.some((one) => text.includes(one)))
      .map(String),
  );
  const unplaced = words[0] === "where" && parts[0]?.op === "count" ? UNPLACED : 0;
  const told = words.find((word) => !BEFORE_ACT.has(word)) ?? "";
  const isTold = ACTS.has(told) && !parts.some(({ op }) => op === "refuse");
  return unplaced + (isTold ? TO_ACT : 0) + Math.min(MOST, UNUSED * unused.size);
}

/** Rooms, colours and things named, each with the names a reading may use for it. */
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

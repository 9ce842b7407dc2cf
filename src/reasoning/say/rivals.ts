import type { Expression } from "../../schema/index.ts";
import type { Value } from "../algebra/value.ts";
import { list, numberWord, plural } from "./grammar.ts";
import { nounOf, toldApart } from "./naming.ts";
import type { Rival, SayContext, Spoken } from "./said.ts";

/** More than these are counted, not told apart. */
const MOST_TOLD = 4;

/**
 * Nobody can tell which of several is meant, and the question has a value for each: all of them are said, the
 * likeliest first, told apart by what the values do not tell. Undefined where it makes no difference.
 */
export async function sayRivals(
  rivals: readonly Rival[],
  first: Spoken,
  speak: (value: Value) => Promise<Spoken>,
  context: SayContext,
  root: Expression,
): Promise<Spoken | undefined> {
  const known = rivals.filter(({ value }) => value.kind !== "unknown");
  if (known.length < 2) return undefined;
  const texts = await Promise.all(known.map(async ({ value }) => (await speak(value)).text));
  const things = known.map(({ thing }) => thing);
  if (new Set(texts).size === 1) return undefined;
  const isPlace = root.op === "place" || root.op === "room";
  const noun = plural(nounOf(things[0]!));
  const alike = new Set(things.map(nounOf)).size === 1;
  if (isPlace || things.length > MOST_TOLD) {
    const counts = new Map<string, number>();
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
    const parts = Array.from(counts, ([text, n]) => `${numberWord(n)} ${text}`);
    const what = alike ? `${numberWord(things.length)} ${noun}` : `${numberWord(things.length)} that fit`;
    return { ...first, text: `there are ${what}: ${list(parts)}` };
  }
  const labels = await toldApart(things, context.surroundings);
  const own = things.map((_, n) => sayFor(labels[n]!, texts[n]!, first.type));
  return { ...first, text: own.join("; ") };
}

function sayFor(label: string, text: string, type: Spoken["type"]): string {
  const word = type === "binary" ? /^(yes|no)\b,?:?\s*(.*)$/.exec(text) : null;
  if (word) return `${word[1]} for ${label}${word[2] === "" ? "" : ` (${word[2]})`}`;
  return `${label}: ${text}`;
}

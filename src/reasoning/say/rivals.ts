import type { KnownThing } from "../../belief/thing.ts";
import type { Expression } from "../../schema/index.ts";
import type { Value } from "../algebra/value.ts";
import { list, numberWord, plural } from "./grammar.ts";
import { nounOf, toldApart } from "./naming.ts";
import type { Rival, SayContext, Spoken } from "./said.ts";

/** More than these are counted, not distinguished. */
const MOST_TOLD = 4;
/** With more than these, the answer asks which one is meant. */
const MOST_ANSWERED = 2;

/**
 * The reference is ambiguous, and each candidate has a value: all values are reported, the likeliest first, with
 * features other than the values to distinguish the candidates. Undefined where the values agree.
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
  const labels = things.length > MOST_TOLD ? [] : await toldApart(things, context.surroundings);
  const isTold = labels.length > 0 && !labels.some((label) => /^number \d/.test(label));
  // Their places distinguish them.
  const text =
    root.op === "place" || root.op === "room" || !isTold
      ? counts(things, texts)
      : things.map((_, n) => sayFor(labels[n]!, texts[n]!, first.type)).join("; ");
  // A long description of one thing asks for the likeliest, with a note about the others.
  if (root.of[0]?.of[0]?.op === "described") return { ...first, text: `${texts[0]}${orElse(texts)}` };
  // Two candidates are both reported; with more, the answer asks back.
  if (things.length <= MOST_ANSWERED || first.status !== undefined) return { ...first, text };
  return { ...first, status: "ambiguous", text: `${text}. Which one do you mean?` };
}

/** "there are three chairs: two free and one occupied". */
function counts(things: readonly KnownThing[], texts: readonly string[]): string {
  const groups = new Map<string, number>();
  for (const text of texts) groups.set(text, (groups.get(text) ?? 0) + 1);
  const parts = Array.from(groups, ([text, n]) => `${numberWord(n)} ${text}`);
  const isAlike = new Set(things.map(nounOf)).size === 1;
  const n = numberWord(things.length);
  return `there are ${isAlike ? `${n} ${plural(nounOf(things[0]!))}` : `${n} that fit`}: ${list(parts)}`;
}

function sayFor(label: string, text: string, type: Spoken["type"]): string {
  const word = type === "binary" ? /^(yes|no)\b,?:?\s*(.*)$/.exec(text) : null;
  if (word) return `${word[1]} for ${label}${word[2] === "" ? "" : ` (${word[2]})`}`;
  return `${label}: ${text}`;
}

/** "; or else at …, or at …", no more than a few. */
function orElse([, ...others]: readonly string[]): string {
  const told = others.slice(0, MOST_TOLD - 1).join(", or ");
  return `, or else ${told}${others.length >= MOST_TOLD ? `, or one of ${others.length - MOST_TOLD + 1} more` : ""}`;
}

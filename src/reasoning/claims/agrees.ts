import {
  colourOf,
  longestName,
  materialOf,
  nameFit,
  roomFit,
  sameColour,
  sameMaterial,
} from "../../ontology/index.ts";
import type { AnswerRecord } from "../../schema/index.ts";
import { amountIn, isNear } from "./amounts.ts";
import { clockIn } from "./clocks.ts";

/** A name fits another from here on. */
const FITS = 0.5;
/** Seconds by which a stated clock time or age may differ: a minute is what people say. */
const TIME_S = 60;

/**
 * Whether a short answer says what a full one says; undefined where they cannot be compared. Numbers are compared with their
 * tolerance, words by what they mean: every colour, material and name of the short answer must stand in the full one.
 */
export function agrees(said: string, full: AnswerRecord): boolean | undefined {
  const opening = /^(yes|no)\b/i.exec(said)?.[1]?.toLowerCase();
  if (full.binary !== undefined && opening !== undefined) return (opening === "yes") === full.binary;
  if (full.type === "binary") return undefined;
  const measured = full.quantity?.value ?? full.durationS ?? full.count;
  const amount = amountIn(said, full.count === undefined ? "measure" : "any");
  if (full.type === "time" && full.time) {
    const clock = clockIn(said, full.askedAtUs);
    if (clock !== undefined) return Math.abs(clock - full.time.atUs) / 1e6 <= TIME_S;
    if (amount?.unit === "s" && full.time.agoS !== undefined)
      return Math.abs(full.time.agoS - amount.value) <= Math.max(TIME_S, amount.within);
    return undefined;
  }
  if (measured !== undefined && full.type !== "text")
    return amount === undefined ? undefined : isNear(measured, amount, full.count !== undefined);
  return sameWords(said, full.text);
}

/** Every word of meaning in one text fits one in the other; undefined where there is none that is known. */
function sameWords(said: string, full: string): boolean | undefined {
  const [ours, theirs] = [meaningsOf(said), meaningsOf(full)];
  if (ours.length === 0 || theirs.length === 0) return undefined;
  const fitting = ours.filter((one) => theirs.some((other) => fits(one, other)));
  if (fitting.length === ours.length) return true;
  // What says more than the other, or less, says nothing against it.
  return fitting.length === 0 && ours.some(({ kind }) => theirs.some((other) => other.kind === kind))
    ? false
    : undefined;
}

/** Whether every thing, colour, material and room that words name stands in others too. */
export function standsIn(words: string, others: string): boolean {
  const theirs = meaningsOf(others);
  return meaningsOf(words).every((one) => theirs.some((other) => fits(one, other)));
}

interface Meaning {
  readonly kind: "colour" | "material" | "name";
  readonly word: string;
}

function meaningsOf(text: string): Meaning[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [];
  const found: Meaning[] = [];
  for (let at = 0; at < words.length; ) {
    const name = longestName(words, at);
    const word = words[at]!;
    if (name && name.length > 1)
      found.push({ kind: "name", word: words.slice(at, at + name.length).join(" ") });
    else if (colourOf(word) !== undefined) found.push({ kind: "colour", word });
    else if (materialOf(word) !== undefined) found.push({ kind: "material", word });
    else if (name) found.push({ kind: "name", word });
    at += Math.max(1, name?.length ?? 1);
  }
  return found;
}

function fits(a: Meaning, b: Meaning): boolean {
  if (a.kind !== b.kind) return a.word === b.word;
  if (a.kind === "colour") return sameColour(a.word, b.word);
  if (a.kind === "material") return sameMaterial(a.word, b.word);
  return Math.max(nameFit(a.word, b.word), nameFit(b.word, a.word), roomFit(a.word, b.word)) >= FITS;
}

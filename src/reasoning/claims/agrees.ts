import {
  colourOf,
  longestName,
  materialOf,
  nameFit,
  roomFit,
  roomKind,
  sameColour,
  sameMaterial,
} from "../../ontology/index.ts";
import type { AnswerRecord } from "../../schema/index.ts";
import { amountIn, isNear } from "./amounts.ts";
import { clockIn } from "./clocks.ts";

/** Names fit each other from this value on. */
const FITS = 0.5;
/** The tolerance of a stated clock time or age in seconds: people give minutes. */
const TIME_S = 60;

/**
 * Whether a short answer agrees with a full one; undefined where they cannot be compared. Numbers are compared with
 * their tolerance, words by meaning: every colour, material and name of the short answer must be in the full one.
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

/**
 * Whether all names in a short answer are from closed, exclusive sets: appearance and rooms. Other names may have
 * synonyms.
 */
export function isExclusive(said: string): boolean {
  const meanings = meaningsOf(said);
  return (
    meanings.length > 0 && meanings.every(({ kind, word }) => kind !== "name" || roomKind(word) !== undefined)
  );
}

/** Each content word in one text fits one in the other; undefined where none is known. */
function sameWords(said: string, full: string): boolean | undefined {
  const [ours, theirs] = [meaningsOf(said), meaningsOf(full)];
  if (ours.length === 0 || theirs.length === 0) return undefined;
  const fitting = ours.filter((one) => theirs.some((other) => fits(one, other)));
  if (fitting.length === ours.length) return true;
  // A more or less detailed answer is no contradiction.
  return fitting.length === 0 && ours.some(({ kind }) => theirs.some((other) => other.kind === kind))
    ? false
    : undefined;
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

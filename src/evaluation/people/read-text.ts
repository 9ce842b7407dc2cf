import { secondsIn } from "../judge/measures.ts";
import { meaningWords, plainWords } from "../judge/normalise.ts";
import { type Direction, type Measure, UNITS } from "./expectation.ts";

/** Every position of a phrase in words; synonyms and plurals of the judge's lexicon count as equal. */
export function findPhrase(
  words: readonly string[],
  phrase: string,
  wordsOf = meaningWords,
): { at: number; length: number }[] {
  const wanted = wordsOf(phrase);
  if (wanted.length === 0) return [];
  return words.flatMap((_, at) =>
    wanted.every((word, i) => words[at + i] === word) ? [{ at, length: wanted.length }] : [],
  );
}

/**
 * Whether a text contains any of these words or phrases, as whole words. Synonyms count, and so does the word itself
 * within a compound that the lexicon treats as one ("single bed", "in front").
 */
export function saysAny(text: string, phrases: readonly string[]): boolean {
  return [meaningWords, plainWords].some((wordsOf) => {
    const words = wordsOf(text);
    return phrases.some((phrase) => findPhrase(words, phrase, wordsOf).length > 0);
  });
}

const YES = /^\W*(yes|yeah|yep|yup|correct|indeed|both are)\b/i;
const NO = /^\W*(no|nope|none|nothing|nobody|no one|neither|never|not)\b/i;

/** Whether a text begins as a yes or as a no; undefined where it does neither. */
export function polarityOf(text: string): boolean | undefined {
  if (YES.test(text)) return true;
  return NO.test(text) ? false : undefined;
}

/** Whether it says that there is none of it. */
export function saysNone(text: string): boolean {
  return (
    polarityOf(text) === false || /\b(no|none|nothing|nobody|not any|n[’']t any|not seen an?y?)\b/i.test(text)
  );
}

const COUNT_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Integers that count something: no clock times, measures, decimals or codes ("A-03-2", "robot-1"). */
export function countsIn(text: string): number[] {
  const plain = text
    .toLowerCase()
    .replaceAll(/\b[a-z]+(-\d+)+\b/g, " ")
    .replaceAll(/\b(staging|dock)( bay)? \d+\b/g, " ")
    .replaceAll(/\d{1,2}:\d{2}(:\d{2})?/g, " ")
    .replaceAll(/\d+[.,]\d+/g, " ")
    .replaceAll(/\d+\s*(m|cm|m²|m2|square|metres?|meters?|seconds?|minutes?|min|s|%|°)(?![a-z])/g, " ");
  return [...plain.matchAll(new RegExp(`\\b(\\d+|${COUNT_WORDS.join("|")})\\b`, "g"))].map(([found]) =>
    /\d/.test(found) ? Number(found) : COUNT_WORDS.indexOf(found),
  );
}

/** A number in a text, and its rounding error by the omitted digits. */
export interface Said {
  readonly value: number;
  readonly slack: number;
}

const UNIT_WORDS: Readonly<Record<Measure, readonly (readonly [RegExp, number])[]>> = {
  length: [
    [/^(m|met(?:er|re)s?)(?![a-z²2])/, 1],
    [/^(cm|centimet(?:er|re)s?)\b/, UNITS.cm.factor],
  ],
  area: [[/^(m²|m2|sqm|square met(?:er|re)s?)(?![a-z])/, 1]],
  time: [
    [/^(s|secs?|seconds?)\b/, 1],
    [/^(min|mins|minutes?)\b/, 60],
    [/^(h|hours?)\b/, 3_600],
  ],
};

/** All numbers with a unit of this kind, in metres, square metres or seconds. */
export function measuresIn(text: string, kind: Measure): Said[] {
  const plain = text.toLowerCase();
  const found = [...plain.matchAll(/\b(\d+(?:\.\d+)?|half an?|an?|one|two|three|four|five|six)\s*-?\s*/g)];
  const each = found.flatMap(({ 0: all, 1: number, index }): Said[] => {
    const rest = plain.slice(index + all.length);
    const factor = UNIT_WORDS[kind].find(([pattern]) => pattern.test(rest))?.[1];
    if (factor === undefined) return [];
    const decimals = /\.(\d+)/.exec(number!)?.[1]?.length ?? 0;
    return [{ value: amountOf(number!) * factor, slack: 0.5 * 10 ** -decimals * factor }];
  });
  const total = kind === "time" && each.length > 1 ? secondsIn(plain) : null;
  const slack = Math.min(...each.map((one) => one.slack));
  return total === null ? each : [{ value: total, slack }, ...each];
}

function amountOf(number: string): number {
  if (/\d/.test(number)) return Number(number);
  if (number.startsWith("half")) return 0.5;
  return number.startsWith("a") ? 1 : COUNT_WORDS.indexOf(number);
}

const DAY_S = 86_400;

/** Clock times of a text in seconds of the day; "09:03" is the whole minute, "3 minutes ago" counts from `nowS`. */
export function clocksIn(text: string, nowS: number): Said[] {
  const clocks = [...text.matchAll(/\b([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?/g)].map(([, h, m, s]) => {
    const value = Number(h) * 3_600 + Number(m) * 60;
    return s === undefined ? { value: value + 30, slack: 30 } : { value: value + Number(s), slack: 0.5 };
  });
  if (/\b(just now|right now)\b/i.test(text)) clocks.push({ value: nowS, slack: 5 });
  const [ago] = /\bago\b/i.test(text) ? measuresIn(text.split(/\bago\b/i)[0]!, "time") : [];
  return ago === undefined
    ? clocks
    : [...clocks, { value: (((nowS - ago.value) % DAY_S) + DAY_S) % DAY_S, slack: ago.slack }];
}

export function clockSeconds(text: string): number {
  const [h = 0, m = 0, s = 0] = text.split(":").map(Number);
  return h * 3_600 + m * 60 + s;
}

/** Names of rooms; the first represents the others. */
const ROOMS: readonly (readonly string[])[] = [
  ["hallway", "landing", "entrance", "foyer", "entryway"],
  ["kitchen"],
  ["living room"],
  ["bedroom"],
  ["bathroom"],
  ["office"],
  ["dining room"],
  ["laundry", "laundry room"],
  ["children's room", "kids' room", "child's room"],
  ["garage"],
  ["library"],
  ["gym", "fitness room"],
  ["cross aisle"],
  ["rear aisle"],
];
/** "The kitchen table" and "the hallway door" name a thing and not a place. */
const NO_ROOM_BEFORE = new Set(
  "table sink chair cupboard counter basket door window lamp mirror island cabinet floor_lamp".split(" "),
);

/** Areas of a warehouse in the words of a text: "aisle C", "staging bay 2", and the aisle that the code of a slot begins with. */
function areasIn(words: readonly string[]): { at: number; length: number; name: string }[] {
  return words.flatMap((word, at) => {
    const next = words.slice(at + 1, at + 3);
    if (word === "aisle" && /^[a-z]$/.test(next[0] ?? ""))
      return [{ at, length: 2, name: `aisle ${next[0]}` }];
    if (/^[a-z]$/.test(word) && /^\d\d \d$/.test(next.join(" ")))
      return [{ at, length: 3, name: `aisle ${word}` }];
    const number = next[0] === "bay" ? next[1] : next[0];
    return word === "staging" && /^\d+$/.test(number ?? "")
      ? [{ at, length: number === next[0] ? 2 : 3, name: `staging ${number}` }]
      : [];
  });
}

/** The rooms in a text, in order, each by its representative; repeats in a row are merged. */
export function roomsIn(text: string): string[] {
  const words = meaningWords(text);
  const rooms = ROOMS.flatMap(([name, ...others]) =>
    [name!, ...others].flatMap((word) => findPhrase(words, word).map((hit) => ({ ...hit, name: name! }))),
  );
  const found = [...rooms, ...areasIn(words)]
    .filter(({ at, length }) => !NO_ROOM_BEFORE.has(words[at + length] ?? ""))
    .sort((a, b) => a.at - b.at || b.length - a.length);
  return found.flatMap(({ name }, i) => (found[i - 1]?.name === name ? [] : name));
}

/** The representative name of a room. */
export function roomWord(room: string): string {
  return roomsIn(room)[0] ?? meaningWords(room).join(" ");
}

const DIRECTION_WORDS: Readonly<Record<Direction, RegExp>> = {
  left: /\bleft\b/i,
  right: /\bright\b(?! (now|here|there|next|behind|above|in front|ahead))/i,
  ahead: /\b(ahead|in front|forwards?|straight|before (me|you))\b/i,
  behind: /\b(behind|backwards?|at (my|your|the) back|turn (a?round|about))\b/i,
  up: /\b(up|upstairs|above|upper floor)\b/i,
  down: /\b(down|downstairs|below|ground floor)\b/i,
};

export function directionsIn(text: string): Direction[] {
  return (Object.keys(DIRECTION_WORDS) as Direction[]).filter((name) => DIRECTION_WORDS[name].test(text));
}

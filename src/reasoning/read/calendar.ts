import type { Interval } from "../../geometry/index.ts";
import {
  DAY_PARTS,
  DAY_US,
  type DayPart,
  dayStartUs,
  HOUR_US,
  WEEKDAYS,
  weekdayOf,
} from "../algebra/time/day-parts.ts";
import { type Found, follows, lengthAt, numberAt, phraseAt } from "./amounts.ts";

/** A day or several, in UTC. A week is not a day: it has no time of day. */
export interface Days extends Interval {
  readonly toUs: number;
  readonly isDay: boolean;
}

type Reader = (words: readonly string[], at: number, nowUs: number) => Found<Days> | undefined;

/** "yesterday", "on tuesday", "two days ago", "march 2nd", "2026-03-02", "last week". */
export function daysAt(words: readonly string[], at: number, nowUs: number): Found<Days> | undefined {
  for (const read of [relativeDay, weekday, daysAgo, date, longer]) {
    const found = read(words, at, nowUs);
    if (found) return found;
  }
  return undefined;
}

const RELATIVE: ReadonlyMap<string, number> = new Map([
  ["today", 0],
  ["yesterday", -1],
  ["tomorrow", 1],
  ["the day before yesterday", -2],
  ["day before yesterday", -2],
  ["the day after tomorrow", 2],
  ["the previous day", -1],
  ["the other day", -2],
]);

const relativeDay: Reader = (words, at, nowUs) => {
  const found = phraseAt(words, at, RELATIVE);
  return found && { length: found.length, value: dayFrom(nowUs, found.value) };
};

const SHORT = /^(?:sun|mon|tues?|wed|thu(?:rs?)?|fri|sat)$/;

const weekday: Reader = (words, at, nowUs) => {
  const which = /^(?:last|this|next|past)$/.test(words[at] ?? "") ? words[at]! : undefined;
  const start = which === undefined ? at : at + 1;
  const word = words[start] ?? "";
  const day = WEEKDAYS.findIndex((name) => name === word || (SHORT.test(word) && name.startsWith(word)));
  if (day < 0) return undefined;
  const back = (weekdayOf(nowUs) - day + 7) % 7;
  // The last one that has begun; "last tuesday" on a Tuesday is a week ago.
  const offset =
    which === "next" ? 7 - back : which === "last" || which === "past" ? -(back === 0 ? 7 : back) : -back;
  return { length: start + 1 - at, value: dayFrom(nowUs, offset) };
};

/** "two days ago" means that day; "two hours ago" is a moment and not read here. */
const daysAgo: Reader = (words, at, nowUs) => {
  const length = lengthAt(words, at);
  if (!length || length.value.unitS < 86_400) return undefined;
  const end = at + length.length;
  if (!/^(?:ago|earlier|back)$/.test(words[end] ?? "")) return undefined;
  const days = Math.round(length.value.s / 86_400);
  return { length: length.length + 1, value: dayFrom(nowUs, -days) };
};

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);

const date: Reader = (words, at, nowUs) => {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(words[at] ?? "");
  if (iso) return dated(1, Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]), nowUs);
  const the = words[at] === "the" ? 1 : 0;
  const first = ordinalOf(words[at + the]);
  if (first !== undefined) {
    const of = words[at + the + 1] === "of" ? 1 : 0;
    const month = monthOf(words[at + the + 1 + of]);
    if (month < 0) return undefined;
    const end = at + the + 2 + of;
    const year = yearOf(words[end]);
    return dated(end - at + (year === undefined ? 0 : 1), year, month, first, nowUs);
  }
  const month = monthOf(words[at]);
  const article = words[at + 1] === "the" ? 1 : 0;
  const day = ordinalOf(words[at + 1 + article]);
  if (month < 0 || day === undefined) return undefined;
  const year = yearOf(words[at + 2 + article]);
  return dated(2 + article + (year === undefined ? 0 : 1), year, month, day, nowUs);
};

function dated(length: number, year: number | undefined, month: number, day: number, nowUs: number) {
  const thisYear = new Date(nowUs / 1000).getUTCFullYear();
  const us = (of: number) => Date.UTC(of, month, day) * 1000;
  const given = us(year ?? thisYear);
  if (day < 1 || day > 31 || month > 11 || !Number.isFinite(given)) return undefined;
  // A date without a year that is more than half a year ahead is last year's.
  const fromUs = year === undefined && given > nowUs + 180 * DAY_US ? us(thisYear - 1) : given;
  return { length, value: { fromUs, toUs: fromUs + DAY_US, isDay: true } };
}

function monthOf(word: string | undefined): number {
  if (word === undefined || word.length < 3) return -1;
  return MONTHS.findIndex((month) => month === word || (word.length <= 4 && month.startsWith(word)));
}

const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(
  " ",
);

function ordinalOf(word: string | undefined): number | undefined {
  const match = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? "");
  if (match) return Number(match[1]);
  const n = ORDINALS.indexOf(word ?? "");
  return n < 0 ? numberAt([word ?? ""], 0)?.value : n + 1;
}

function yearOf(word: string | undefined): number | undefined {
  return /^(?:19|20)\d{2}$/.test(word ?? "") ? Number(word) : undefined;
}

const STEPS: Readonly<Record<string, number>> = { last: -1, previous: -1, this: 0, next: 1 };

/** "this week", "last month", "the weekend". */
const longer: Reader = (words, at, nowUs) => {
  const the = words[at] === "the" ? 1 : 0;
  const [which = "", unit = ""] = words.slice(at + the, at + the + 2);
  const steps = STEPS[which];
  // "in the last week" is the last seven days.
  if (steps === undefined || (the === 1 && which === "last" && unit !== "weekend")) return undefined;
  const now = new Date(nowUs / 1000);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const mondayUs = dayStartUs(nowUs) - ((weekdayOf(nowUs) + 6) % 7) * DAY_US;
  const starts: Readonly<Record<string, (n: number) => number>> = {
    week: (n) => mondayUs + n * 7 * DAY_US,
    weekend: (n) => mondayUs + (5 + n * 7) * DAY_US,
    month: (n) => Date.UTC(year, month + n) * 1000,
    year: (n) => Date.UTC(year + n, 0) * 1000,
  };
  const fromUs = starts[unit]?.(steps);
  if (fromUs === undefined) return undefined;
  const toUs = unit === "weekend" ? fromUs + 2 * DAY_US : starts[unit]!(steps + 1);
  return { length: the + 2, value: { fromUs, toUs, isDay: false } };
};

function dayFrom(nowUs: number, days: number): Days {
  const fromUs = dayStartUs(nowUs) + days * DAY_US;
  return { fromUs, toUs: fromUs + DAY_US, isDay: true };
}

/** A part of the day, and its day where the words give it. */
export interface PartOfDay {
  readonly part: DayPart;
  /** Days from today; undefined where another word gives the day. */
  readonly day: number | undefined;
}

const PART_NAMES: ReadonlyMap<string, DayPart> = new Map([
  ["morning", "morning"],
  ["afternoon", "afternoon"],
  ["evening", "evening"],
  ["night", "night"],
  ["lunchtime", "noon"],
  ["lunch time", "noon"],
]);

/** "morning", "early evening": the bare name of a part. */
export function partNameAt(words: readonly string[], at: number): Found<DayPart> | undefined {
  const adverb = /^(?:early|late|mid)$/.test(words[at] ?? "") ? 1 : 0;
  const found = phraseAt(words, at + adverb, PART_NAMES);
  return found && { length: adverb + found.length, value: found.value };
}

/** "this morning", "in the evening", "last night", "tonight", "overnight". */
export function partAt(words: readonly string[], at: number): Found<PartOfDay> | undefined {
  if (words[at] === "tonight") return { length: 1, value: { part: "night", day: 0 } };
  if (words[at] === "overnight" || follows(words, at, "last night"))
    return { length: words[at] === "overnight" ? 1 : 2, value: { part: "night", day: -1 } };
  for (const [phrase, day] of PART_HEADS) {
    if (!follows(words, at, phrase)) continue;
    const length = phrase.split(" ").length;
    const name = partNameAt(words, at + length);
    if (name) return { length: length + name.length, value: { part: name.value, day } };
  }
  return undefined;
}

const PART_HEADS: readonly (readonly [string, number | undefined])[] = [
  ["this", 0],
  ["in the", undefined],
  ["during the", undefined],
  ["at", undefined],
  ["last", -1],
];

/** A part of a day as a span of time. */
export function partOf(dayUs: number, part: DayPart): { readonly fromUs: number; readonly toUs: number } {
  const [from, to] = DAY_PARTS[part];
  return { fromUs: dayUs + from * HOUR_US, toUs: dayUs + to * HOUR_US };
}

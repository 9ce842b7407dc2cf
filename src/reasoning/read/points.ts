import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { DAY_US, dayStartUs, HOUR_US } from "../algebra/time/day-parts.ts";
import { type Found, follows, lengthAt, numberAt, phraseAt, phrases, unitS } from "./amounts.ts";
import { type Days, daysAt, type PartOfDay, partAt, partNameAt, partOf } from "./calendar.ts";
import { type Clock, clocksAt } from "./clock.ts";

/** A time by the calendar; one of day, or days. */
export interface CalendarPoint {
  readonly cost: number;
  readonly fromUs: number;
  readonly toUs: number;
  readonly isClock: boolean;
}

/** A time given in words: by the calendar, as time ago, or as time since the memory began. */
export type Point = CalendarPoint | { readonly agoS: number } | { readonly sinceStartS: number };

/** The calendar parts of a time: a day, a part of it, a time of day. */
export interface Said {
  readonly days?: Days;
  readonly part?: PartOfDay;
  readonly clock?: Clock;
  readonly around?: boolean;
}

/** Words before a time of day; "around ten" includes some minutes to either side. */
const BEFORE_CLOCK: ReadonlyMap<string, boolean> = phrases([
  [false, "at,back at,at exactly,exactly at,at precisely,as of"],
  [true, "around,about,at about,at around,at roughly,roughly at,round about,towards"],
]);
const BEFORE_DAY = new Set(["on", "during", "for", "of", "over", "as of", "throughout", "all"]);
/**
 * "About" a time includes this much before and after it (µs): the rounder the minute, the more. A quarter of an hour, five minutes, one minute, and a time given to
 * the second.
 */
const AROUND_US = { quarter: 10 * 60_000_000, five: 3 * 60_000_000, minute: 60_000_000, second: 10_000_000 };

function aroundUs({ s, lastsS }: Clock): number {
  if (lastsS <= 1) return AROUND_US.second;
  const minute = Math.floor(s / 60);
  return minute % 15 === 0 ? AROUND_US.quarter : minute % 5 === 0 ? AROUND_US.five : AROUND_US.minute;
}

/**
 * The calendar times that begin at a word: a day, a part of a day and a time of day in any order, each once, as far as
 * they go ("yesterday at ten", "at ten in the morning on monday"). `bare` numbers are times after "since" and the like.
 */
export function saidAt(words: readonly string[], at: number, nowUs: number, bare: boolean): Found<Said>[] {
  const found: Found<Said>[] = [];
  const extend = (next: number, said: Said) => {
    for (const more of segmentsAt(words, next, nowUs, said, bare && next === at)) {
      const all = { ...said, ...more.value };
      found.push({ length: next + more.length - at, value: all });
      if (all.days?.isDay !== false) extend(next + more.length, all);
    }
  };
  extend(at, {});
  return found;
}

function segmentsAt(
  words: readonly string[],
  at: number,
  nowUs: number,
  said: Said,
  bare: boolean,
): Found<Said>[] {
  const found: Found<Said>[] = [];
  if (!said.days && said.part?.day === undefined) {
    const joint = BEFORE_DAY.has(words[at] ?? "") ? 1 : follows(words, at, "as of") ? 2 : 0;
    const days = daysAt(words, at + joint, nowUs);
    if (days) found.push({ length: joint + days.length, value: { days: days.value } });
  }
  if (!said.part && said.days?.isDay !== false) {
    const part = partAt(words, at);
    if (part && (part.value.day === undefined || !said.days))
      found.push({ length: part.length, value: { part: part.value } });
    const name = said.days && !said.clock ? partNameAt(words, at) : undefined;
    if (name) found.push({ length: name.length, value: { part: { part: name.value, day: undefined } } });
  }
  if (!said.clock) {
    const joint = phraseAt(words, at, BEFORE_CLOCK);
    for (const clock of clocksAt(words, at + (joint?.length ?? 0))) {
      if (clock.value.bare && !joint && !bare) continue;
      found.push({
        length: (joint?.length ?? 0) + clock.length,
        value: { clock: clock.value, ...(joint?.value && { around: true }) },
      });
    }
  }
  return found;
}

/** Without am or pm, a time before this hour is not meant. */
const EARLY_S = 6 * 3600;
const OTHER_HALF = 0.4;
const OTHER_DAY = 0.1;
const AHEAD = 0.2;

/** The possible spans, the likeliest first; without a day it is today, or yesterday if that would be in the future. */
export function spansOf(said: Said, nowUs: number): CalendarPoint[] {
  const { days, part } = said;
  if (days && !days.isDay) return [{ ...days, isClock: false, cost: 0 }];
  const todayUs = dayStartUs(nowUs);
  if (days) return onDay(days.fromUs, said);
  if (part?.day !== undefined) return onDay(todayUs + part.day * DAY_US, said);
  const today = onDay(todayUs, said);
  const past = today.filter(({ fromUs }) => fromUs <= nowUs);
  const ahead = today.filter(({ fromUs }) => fromUs > nowUs);
  const before = ahead.map((one) => ({
    ...one,
    fromUs: one.fromUs - DAY_US,
    toUs: one.toUs - DAY_US,
    cost: one.cost + OTHER_DAY,
  }));
  return [...past, ...before, ...ahead.map((one) => ({ ...one, cost: one.cost + AHEAD }))].sort(
    (a, b) => a.cost - b.cost,
  );
}

/** The same on one day. */
export function onDay(dayUs: number, { part, clock, around }: Said): CalendarPoint[] {
  if (!clock) {
    const span = part ? partOf(dayUs, part.part) : { fromUs: dayUs, toUs: dayUs + DAY_US };
    return [{ ...span, isClock: false, cost: 0 }];
  }
  const halves = clock.open ? [clock.s, (clock.s + 12 * 3600) % 86_400] : [clock.s];
  const preferred = clock.s < EARLY_S ? halves.at(-1)! : clock.s;
  const times = halves.map((s) => ({ fromUs: dayUs + s * 1e6, cost: s === preferred ? 0 : OTHER_HALF }));
  const within = part && partOf(dayUs, part.part);
  const inPart = within
    ? [...times, ...times.map((one) => ({ ...one, fromUs: one.fromUs + DAY_US }))]
        .filter(({ fromUs }) => fromUs >= within.fromUs - HOUR_US && fromUs <= within.toUs)
        .map(({ fromUs }) => ({ fromUs, cost: 0 }))
        .slice(0, 1)
    : [];
  const margin = around ? aroundUs(clock) : 0;
  return (inPart.length > 0 ? inPart : times)
    .map(({ fromUs, cost }) => ({
      fromUs: fromUs - margin,
      toUs: fromUs + clock.lastsS * 1e6 + margin,
      isClock: true,
      cost,
    }))
    .sort((a, b) => a.cost - b.cost);
}

const AGO = /^(?:ago|earlier|back|before now|previously|prior)\b/;
/** "12 seconds in", "a minute into the tour": the rest adds nothing. */
const INTO =
  /^(?:in|into)(?: (?:it|this|that|the|your|our)(?: (?:tour|run|walk|video|recording|drive|trip|clip|session|visit))?)?\b/;
const AFTER_START =
  /^(?:(?:in )?from|after) (?:the |you |your )?(?:very )?(?:start|beginning|starting|started|began)\b/;

/** Times that begin at a word, by the calendar or counted from now or from the start. */
export function pointsAt(words: readonly string[], at: number, nowUs: number, bare: boolean): Found<Point>[] {
  return [
    ...saidAt(words, at, nowUs, bare).map(({ length, value }) => ({
      length,
      value: spansOf(value, nowUs)[0]!,
    })),
    ...countedAt(words, at),
  ];
}

const LOOSELY = /^(?:about|around|roughly|some|maybe|approximately|like|only|just|nearly|almost)$/;

function countedAt(words: readonly string[], at: number): Found<Point>[] {
  const found = marksAt(words, at);
  const start = LOOSELY.test(words[at] ?? "") ? at + 1 : at;
  const length = lengthAt(words, start);
  if (!length) return found;
  const end = start + length.length;
  const taken = end - at;
  const { s, unitS: unit } = length.value;
  const rest = words.slice(end, end + 5).join(" ");
  const counted = (by: RegExpExecArray | null, value: Point) =>
    by ? [{ length: taken + by[0].split(" ").length, value }] : [];
  if (unit < 86_400) found.push(...counted(AGO.exec(rest), { agoS: s }));
  found.push(...counted(AFTER_START.exec(rest) ?? INTO.exec(rest), { sinceStartS: s }));
  found.push(...counted(/^from now\b/.exec(rest), { agoS: -s }));
  return found;
}

/** "at the 30 second mark", "at second 12", "at 12 seconds", "in two hours". */
function marksAt(words: readonly string[], at: number): Found<Point>[] {
  const length = lengthAt(words, at + 1);
  if (words[at] === "in" && length) return [{ length: 1 + length.length, value: { agoS: -length.value.s } }];
  if (words[at] !== "at") return [];
  const the = words[at + 1] === "the" ? 1 : 0;
  const mark = lengthAt(words, at + 1 + the);
  const end = at + 1 + the + (mark?.length ?? 0);
  const named = words[end] === "mark" ? 1 : 0;
  if (mark && (named === 1 || the === 0))
    return [{ length: end + named - at, value: { sinceStartS: mark.value.s } }];
  const unit = unitS(words[at + 1]);
  const n = numberAt(words, at + 2);
  return unit !== undefined && n ? [{ length: 2 + n.length, value: { sinceStartS: n.value * unit } }] : [];
}

/** A point as the expression of its whole span. */
export function spanNode(point: Point): Expression {
  return "fromUs" in point
    ? node("moment", [], { fromUs: point.fromUs, toUs: point.toUs })
    : startNode(point);
}

export function startNode(point: Point): Expression {
  if ("agoS" in point) return node("moment", [], { agoS: point.agoS });
  if ("sinceStartS" in point) return node("moment", [], { sinceStartS: point.sinceStartS });
  return node("moment", [], { atUs: point.fromUs });
}

/** The start of "after": a time of day at once, a day at its end. */
export function endNode(point: Point): Expression {
  if (!("fromUs" in point) || point.isClock) return startNode(point);
  return node("moment", [], { atUs: point.toUs });
}

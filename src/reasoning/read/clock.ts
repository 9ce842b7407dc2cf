import { type Found, numberAt } from "./amounts.ts";

/** A time of day. */
export interface Clock {
  readonly s: number;
  /** Its duration: 10:05 means that minute. */
  readonly lastsS: number;
  /** Morning or evening was not given: the half of the day is open. */
  readonly open: boolean;
  /** A plain number: a time only after "at", "since" and the like. */
  readonly bare: boolean;
}

const DIGITS = /^(\d{1,2})[:.](\d{2})(?::(\d{2}))?$/;
const HALF = /^(?:am|a\.m\.?|pm|p\.m\.?)$/;
/** After a number these words exclude a time: "at ten metres", "after two people". */
const NO_CLOCK =
  /^(?:m|cm|mm|km|metres?|meters?|feet|foot|inches|percent|degrees?|steps?|times?|people|persons?|things?|objects?|rooms?|of|s|sec|secs|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?|or|more|st|nd|rd|th)$/;

/**
 * The times of day that may be read at a word, written or spoken: "10:05:30", "9 am", "half past nine", "ten to four",
 * "nine thirty", "noon". Several, the longest first: "ten to two" is a time and also begins a span.
 */
export function clocksAt(words: readonly string[], at: number): Found<Clock>[] {
  return [digitsAt, namedAt, pastAt, hourAt].flatMap((read) => {
    const found = read(words, at);
    return found ? (completed(words, at, found) ?? []) : [];
  });
}

/** With "o'clock", "am" and "pm"; not where a unit follows. */
function completed(words: readonly string[], at: number, plain: Found<Clock>): Found<Clock> | undefined {
  let { length } = plain;
  if (/^(?:o'?clock|sharp|hours|utc)$/.test(words[at + length] ?? "")) length++;
  const spoken = length > plain.length;
  const half = words[at + length] ?? "";
  if (plain.value.open && HALF.test(half))
    return { length: length + 1, value: { ...halved(plain.value, half.startsWith("p")), bare: false } };
  if (plain.value.bare && !spoken && NO_CLOCK.test(half)) return undefined;
  return { length, value: spoken ? { ...plain.value, bare: false } : plain.value };
}

function digitsAt(words: readonly string[], at: number): Found<Clock> | undefined {
  const match = DIGITS.exec(words[at] ?? "");
  if (!match) return undefined;
  const [hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ];
  if (hours > 24 || minutes > 59 || seconds > 59) return undefined;
  const isToSecond = match[3] !== undefined;
  return {
    length: 1,
    value: {
      s: hours * 3600 + minutes * 60 + seconds,
      lastsS: isToSecond ? 1 : 60,
      // With a leading zero, or given to the second, it is on the 24-hour clock.
      open: match[1]!.length === 1 && !isToSecond && hours > 0,
      bare: false,
    },
  };
}

const NAMED: Readonly<Record<string, number>> = { noon: 12, midday: 12, midnight: 24 };

function namedAt(words: readonly string[], at: number): Found<Clock> | undefined {
  const hours = NAMED[words[at] ?? ""];
  if (hours === undefined) return undefined;
  return { length: 1, value: { s: hours * 3600, lastsS: 60, open: false, bare: false } };
}

const PARTS: Readonly<Record<string, number>> = { quarter: 15, half: 30 };

/** "half past nine", "a quarter to ten", "ten past four". */
function pastAt(words: readonly string[], at: number): Found<Clock> | undefined {
  const article = words[at] === "a" ? 1 : 0;
  const part = PARTS[words[at + article] ?? ""];
  const number = part === undefined && article === 0 ? numberAt(words, at) : undefined;
  const minutes = part ?? number?.value;
  if (minutes === undefined || minutes >= 60) return undefined;
  let next = at + (part === undefined ? number!.length : article + 1);
  if (/^minutes?$/.test(words[next] ?? "")) next++;
  const word = words[next];
  if (word !== "past" && word !== "to" && !(part !== undefined && word === "after")) return undefined;
  const hour = namedAt(words, next + 1)?.value.s ?? hourOf(words, next + 1);
  if (hour === undefined) return undefined;
  const s = word === "to" ? (hour + 86_400 - minutes * 60) % 86_400 : hour + minutes * 60;
  const open = hour < 13 * 3600;
  return { length: next + 2 - at, value: { s, lastsS: 60, open, bare: part === undefined } };
}

function hourOf(words: readonly string[], at: number): number | undefined {
  const number = numberAt(words, at);
  if (number?.length !== 1 || number.value > 24 || number.value % 1 !== 0) return undefined;
  return number.value * 3600;
}

/** "nine", "nine thirty", "ten oh five". */
function hourAt(words: readonly string[], at: number): Found<Clock> | undefined {
  const hour = hourOf(words, at);
  if (hour === undefined) return undefined;
  const open = hour >= 3600 && hour <= 12 * 3600;
  const from = words[at + 1] === "oh" ? at + 2 : at + 1;
  const minutes = /^\d/.test(words[at]!) ? undefined : numberAt(words, from);
  const end = from + (minutes?.length ?? 0);
  if (
    minutes &&
    minutes.value < 60 &&
    (minutes.value >= 10 || from > at + 1) &&
    !NO_CLOCK.test(words[end] ?? "")
  )
    return { length: end - at, value: { s: hour + minutes.value * 60, lastsS: 60, open, bare: true } };
  return { length: 1, value: { s: hour, lastsS: 60, open, bare: true } };
}

function halved(clock: Clock, afternoon: boolean): Clock {
  const inHalf = clock.s % (12 * 3600);
  return { ...clock, s: inHalf + (afternoon ? 12 * 3600 : 0), open: false };
}

import { type DayPart, WEEKDAYS, type Weekday } from "../algebra/time/day-parts.ts";
import { type Found, phraseAt } from "./amounts.ts";
import { partNameAt } from "./calendar.ts";
import { clocksAt } from "./clock.ts";

/** When something is usual: at which part or hour of the day, on which days; all of it where nothing is said. */
export interface Habit {
  readonly part?: DayPart;
  readonly days?: "weekday" | "weekend" | Weekday;
  readonly hour?: number;
}

export interface HabitPhrase {
  readonly length: number;
  readonly habit: Habit;
  /** How far-fetched; a single time ("in the evening") is a habit only beside "usually". */
  readonly cost: number;
}

const ALWAYS = new Set(
  "usually,normally,typically,generally,mostly,ordinarily,habitually,customarily,commonly,regularly,as a rule,most of the time,most days,most often,every day,everyday,each day,daily,in general,on average,as usual,on a typical day,on a normal day,on most days,usual,day to day,by habit".split(
    ",",
  ),
);
const DAYS: ReadonlyMap<string, Habit["days"]> = new Map([
  ["weekdays", "weekday"],
  ["weekday", "weekday"],
  ["workdays", "weekday"],
  ["working days", "weekday"],
  ["week days", "weekday"],
  ["weekends", "weekend"],
  ["the weekend", "weekend"],
  ["weekend", "weekend"],
  ["the week", "weekday"],
  ...WEEKDAYS.flatMap((day) => [[day, day] as const, [`${day}s`, day] as const]),
]);
const SEVERAL = /(?:s|weekday|weekend|the week)$/;
const EACH = /^(?:every|each|most)$/;
const SINGLE = 0.6;

/**
 * All habits of time that begin at a word, the longest first: "usually", "most days", "in the mornings", "on weekday
 * evenings", "every day at eight".
 */
export function readHabit(words: readonly string[], at: number): readonly HabitPhrase[] {
  const found: HabitPhrase[] = [];
  const extend = (next: number, habit: Habit, cost: number) => {
    for (const more of [
      ...adverbAt(words, next),
      ...daysAt(words, next),
      ...partsAt(words, next),
      ...hourAt(words, next),
    ]) {
      if (Object.keys(more.value.habit).some((key) => key in habit)) continue;
      const all = { ...habit, ...more.value.habit };
      const sure = Math.min(cost, more.value.cost);
      found.push({ length: next + more.length - at, habit: all, cost: sure });
      extend(next + more.length, all, sure);
    }
  };
  extend(at, {}, SINGLE);
  return found.sort((a, b) => b.length - a.length || a.cost - b.cost);
}

type Part = Found<{ readonly habit: Habit; readonly cost: number }>;

function adverbAt(words: readonly string[], at: number): Part[] {
  for (let length = Math.min(4, words.length - at); length > 0; length--)
    if (ALWAYS.has(words.slice(at, at + length).join(" ")))
      return [{ length, value: { habit: {}, cost: 0 } }];
  return [];
}

/** "on weekdays", "every monday", "weekday" before "evenings". */
function daysAt(words: readonly string[], at: number): Part[] {
  const joint = /^(?:on|at|during)$/.test(words[at] ?? "") ? 1 : 0;
  const each = EACH.test(words[at + joint] ?? "") ? 1 : 0;
  const days = phraseAt(words, at + joint + each, DAYS);
  if (!days) return [];
  const end = at + joint + each + days.length;
  const said = words.slice(at + joint + each, end).join(" ");
  const cost = each === 1 || SEVERAL.test(said) ? 0 : SINGLE;
  return [{ length: end - at, value: { habit: { days: days.value! }, cost } }];
}

/** "in the mornings", "every evening", "evenings", "in the evening". */
function partsAt(words: readonly string[], at: number): Part[] {
  const head = /^(?:in the|during the|at|of an|of a|every|each|most|on)\b/.exec(
    words.slice(at, at + 2).join(" "),
  );
  const start = at + (head ? head[0].split(" ").length : 0);
  const plural = words[start]?.endsWith("s") === true;
  const name = partNameAt(plural ? [words[start]!.slice(0, -1)] : words, plural ? 0 : start);
  if (!name) return [];
  const each = EACH.test(head?.[0] ?? "");
  const cost = plural || each || head?.[0].startsWith("of") ? 0 : SINGLE;
  return [{ length: start + name.length - at, value: { habit: { part: name.value }, cost } }];
}

function hourAt(words: readonly string[], at: number): Part[] {
  const head = /^(?:at around|at about|at|around|about)\b/.exec(words.slice(at, at + 2).join(" "));
  if (!head) return [];
  const start = at + head[0].split(" ").length;
  return clocksAt(words, start).map(({ length, value }) => ({
    length: start + length - at,
    value: { habit: { hour: value.s / 3600 }, cost: SINGLE },
  }));
}

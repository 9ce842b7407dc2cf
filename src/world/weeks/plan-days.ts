import type { Random } from "../../geometry/index.ts";
import { type ActivityName, EXCEPTIONS, type Habitual, PROFILES, SPREAD } from "./routines.ts";

const HOUR_US = 3_600_000_000;
const DAY_US = 24 * HOUR_US;

/** One person does one thing for a while. */
export interface Activity {
  readonly person: number;
  readonly activity: ActivityName;
  readonly fromUs: number;
  readonly toUs: number;
  /** Of the week in question, from 0. */
  readonly day: number;
  readonly isWeekend: boolean;
}

export function isWeekendDay(midnightUs: number): boolean {
  // The epoch began on a Thursday.
  const weekday = (((Math.floor(midnightUs / DAY_US) + 4) % 7) + 7) % 7;
  return weekday % 6 === 0;
}

/** What each person does from the first midnight to the last, without a gap. */
export function planDays(random: Random, people: number, startUs: number, days: number): Activity[] {
  return Array.from({ length: people }, (_, person) => {
    const own = random.fork(`person-${person}`);
    const profile = PROFILES[person % PROFILES.length]!;
    // Each household has its own clock, each activity its own place on it.
    const offsets = new Map<string, number>();
    const offsetOf = (key: string) => {
      const known = offsets.get(key) ?? own.fork(key).normal(0, SPREAD.householdH / 2);
      offsets.set(key, known);
      return known;
    };
    const starts: { activity: ActivityName; atUs: number; day: number; isWeekend: boolean }[] = [
      { activity: "sleep", atUs: startUs, day: 0, isWeekend: isWeekendDay(startUs) },
    ];
    for (let day = 0; day < days; day++) {
      const today = own.fork(`day-${day}`);
      const midnightUs = startUs + day * DAY_US;
      const isWeekend = isWeekendDay(midnightUs);
      for (const { activity, hour } of todays(today, isWeekend ? profile.weekend : profile.weekday)) {
        const key = `${activity}-${Math.round(hour)}-${isWeekend}`;
        const atH = hour + offsetOf(key) + today.normal(0, SPREAD.dayH);
        const earliestUs = starts.at(-1)!.atUs + 0.15 * HOUR_US;
        starts.push({
          activity,
          day,
          isWeekend,
          atUs: Math.round(Math.max(earliestUs, midnightUs + atH * HOUR_US)),
        });
      }
    }
    const endUs = startUs + days * DAY_US;
    return starts
      .filter(({ atUs, activity }, n) => atUs < endUs && activity !== starts[n - 1]?.activity)
      .map(({ atUs, ...start }, n, all) => ({
        ...start,
        person,
        fromUs: atUs,
        toUs: Math.min(endUs, all[n + 1]?.atUs ?? endUs),
      }));
  }).flat();
}

/** The day's list without what is skipped today; ill people stay at home, late ones return after it is over. */
function todays(random: Random, habitual: readonly Habitual[]): Habitual[] {
  const isIll = random.chance(EXCEPTIONS.ill);
  const isLate = random.chance(EXCEPTIONS.late);
  return habitual.flatMap((one): Habitual[] => {
    if (!random.chance(one.chance ?? 1)) return [];
    if (isIll && (one.activity === "away" || one.activity === "work")) return [{ ...one, activity: "rest" }];
    if (isLate && (one.activity === "dinner" || one.activity === "tv")) return [{ ...one, activity: "away" }];
    return [one];
  });
}

import type { HabitStay } from "../../reasoning/habits/index.ts";
import { homerStays } from "../datasets/homer-plus.ts";
import { midnightUs, type Stay } from "../datasets/stay.ts";
import { ASK_DAYS, type Ask, type Cases, type ForecastCase, LEARN_DAYS } from "./forecast-case.ts";

const HALF_HOUR_US = 1_800_000_000;
/** The age of the last observation, in rotation. */
const LOOKED_HOURS_AGO = [1, 3, 6] as const;

/** The training and the test days. */
export interface DaySplit {
  readonly learn: readonly number[];
  readonly ask: readonly number[];
}

const FIRST_FIVE: DaySplit = {
  learn: Array.from({ length: LEARN_DAYS }, (_, day) => day),
  ask: Array.from({ length: ASK_DAYS }, (_, n) => LEARN_DAYS + n),
};

/**
 * HOMER+ by its days: the first five for training, the last two for tests, every half hour in which a thing's place
 * is known. The last observation of each moment is the truth one, three or six hours before on the same day, if
 * known.
 */
export function homerCases(folder: string, split: DaySplit = FIRST_FIVE): Cases {
  const cases: ForecastCase[] = [];
  let unseen = 0;
  const nowUs = midnightUs(Math.max(...split.learn) + 1);
  for (const { id, stays } of homerStays(folder)) {
    for (const [, own] of Map.groupBy(stays, ({ trackId }) => trackId)) {
      const known = own.filter(({ day }) => split.learn.includes(day)).map(stayOf);
      const asks = split.ask.flatMap((day) => asksOf(own, day));
      if (asks.length === 0) continue;
      if (known.length === 0) unseen++;
      else
        cases.push({
          household: id,
          name: own[0]!.thing,
          group: "thing",
          input: { stays: known, nowUs },
          asks,
        });
    }
  }
  return { cases, unseen };
}

/** A day's last place holds until the day ends. */
function stayOf({ place, fromUs, toUs }: Stay): HabitStay {
  return { placeKey: place, fromUs, toUs, lastSeenUs: toUs - 1 };
}

function asksOf(stays: readonly Stay[], day: number): Ask[] {
  const at = (timeUs: number) =>
    stays.findLast((stay) => stay.day === day && stay.fromUs <= timeUs && timeUs < stay.toUs);
  return Array.from({ length: 48 }, (_, n) => n).flatMap((n): Ask[] => {
    const timeUs = midnightUs(day) + n * HALF_HOUR_US;
    const stay = at(timeUs);
    if (stay === undefined) return [];
    const seenUs = timeUs - LOOKED_HOURS_AGO[n % LOOKED_HOURS_AGO.length]! * 2 * HALF_HOUR_US;
    const before = at(seenUs);
    return [{ timeUs, truth: stay.place, ...(before && { last: { placeKey: before.place, seenUs } }) }];
  });
}

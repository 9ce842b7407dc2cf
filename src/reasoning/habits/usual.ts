import type { TimeUs } from "../../geometry/index.ts";
import { type Distribution, rawAt, sharpened } from "./estimate.ts";
import { stillThere } from "./leaving.ts";
import { isAmong, isWeekend, localTime, slotsOf } from "./local-time.ts";
import { type HabitParameters, PARAMETERS, SLOT_MIN, SLOTS } from "./parameters.ts";
import {
  ELSEWHERE,
  type Guess,
  type HabitDay,
  type HabitModel,
  type Usual,
  type UsualHours,
  type UsualPlace,
  type When,
} from "./types.ts";

/** Places with a smaller probability are not reported. */
const LEAST_P = 0.005;

/**
 * Where it usually is at such times, best first: the share of the observed time, each day counting alike but for its
 * age, and the number of days it was seen there. `observedDays` is 0 without observations at such times; then
 * `likelyAt` may still guess.
 */
export function usual(model: HabitModel, when: When = {}): Usual {
  const n = model.places.length;
  const slots = slotsOf(when);
  const shares = new Float64Array(n);
  const days = new Int32Array(n);
  let observedDays = 0;
  let total = 0;
  for (const day of model.days) {
    if (!isAmong(day.day, when.weekday)) continue;
    const own = new Float64Array(n);
    for (const slot of slots) for (let p = 0; p < n; p++) own[p]! += day.cells[slot * n + p]!;
    const seen = own.reduce((a, b) => a + b, 0);
    if (seen === 0) continue;
    observedDays++;
    total += day.weight;
    for (let p = 0; p < n; p++) {
      shares[p]! += (day.weight * own[p]!) / seen;
      if (own[p]! > 0) days[p]!++;
    }
  }
  const places = model.places
    .map(
      (placeKey, p): UsualPlace => ({ placeKey, share: shares[p]! / Math.max(total, 1e-9), days: days[p]! }),
    )
    .filter(({ days }) => days > 0)
    .sort((a, b) => b.share - a.share || b.days - a.days || (a.placeKey < b.placeKey ? -1 : 1));
  return {
    places: places.filter(({ placeKey }) => placeKey !== ELSEWHERE),
    elsewhere: places.find(({ placeKey }) => placeKey === ELSEWHERE)?.share ?? 0,
    observedDays,
  };
}

/** The place and time of the last sighting, for `likelyAt`. */
export interface LastSeen {
  readonly placeKey: string;
  readonly seenUs: TimeUs;
}

/**
 * Where it probably is at a past or future time, with calibrated probabilities: a guess, never an observation. With
 * `last`, it may still be at the place of its last sighting, with the probability that it has not moved since at its
 * usual rate. Otherwise it is where it is on days with the same place at that hour, smoothed towards its habit.
 */
export function likelyAt(
  model: HabitModel,
  timeUs: TimeUs,
  last?: LastSeen,
  parameters: HabitParameters = PARAMETERS,
): Guess {
  const { day, slot } = localTime(timeUs, model.utcOffsetMin);
  const habit = sharpened(rawAt(model, slot, isWeekend(day), parameters), model.sharpness);
  const places = [...model.places];
  let p = habit;
  if (last !== undefined && last.seenUs <= timeUs) {
    const stays = stillThere(model, last.placeKey, last.seenUs, timeUs);
    p = sinceThen(model, habit, timeUs, last, parameters).map((q) => (1 - stays) * q);
    const at = places.indexOf(last.placeKey);
    if (at >= 0) p[at]! += stays;
    else {
      places.push(last.placeKey);
      p = Float64Array.of(...p.subarray(0, -1), stays, p.at(-1)!);
    }
  }
  const ranked = places
    .map((placeKey, i) => ({ placeKey, p: p[i]! }))
    .filter((place) => place.p >= LEAST_P && place.placeKey !== ELSEWHERE)
    .sort((a, b) => b.p - a.p || (a.placeKey < b.placeKey ? -1 : 1));
  return {
    places: ranked,
    elsewhere: Math.max(0, 1 - ranked.reduce((sum, place) => sum + place.p, 0)),
    observedDays: observedDays(model, slot),
  };
}

/** How unusual the present place or state is, and the usual one. */
export interface Unusual {
  /** The probability of its present place, by habit alone. */
  readonly p: number;
  /** −log₂ p: 1 bit is a coin, 7 bits one time in a hundred. */
  readonly surpriseBits: number;
  /** Far less likely than its usual place, on enough days. */
  readonly isUnusual: boolean;
  readonly usual: Guess;
}

const FEWEST_DAYS = 3;
const RARE_P = 0.12;
const EXPECTED_P = 0.5;

export function unusual(
  model: HabitModel,
  now: { readonly placeKey: string; readonly timeUs: TimeUs },
): Unusual {
  const guess = likelyAt(model, now.timeUs);
  const p =
    now.placeKey === ELSEWHERE
      ? guess.elsewhere
      : (guess.places.find(({ placeKey }) => placeKey === now.placeKey)?.p ??
        Math.min(guess.elsewhere, LEAST_P));
  const best = guess.places[0];
  // "Not found" is no place: its absence from its usual place is unusual as well.
  const isUnusual =
    guess.observedDays >= FEWEST_DAYS && p < RARE_P && best !== undefined && best.p >= EXPECTED_P;
  return { p, surpriseBits: -Math.log2(Math.max(p, 1e-6)), isUnusual, usual: guess };
}

/** When it is usually at a place or in a state ("when is the lamp on"): at least half of the days, or `least`. */
export function usualHours(
  model: HabitModel,
  placeKey: string,
  options: { readonly weekday?: When["weekday"]; readonly least?: number } = {},
): UsualHours[] {
  const place = model.places.indexOf(placeKey);
  const n = model.places.length;
  if (place < 0) return [];
  const days = model.days.filter(({ day }) => isAmong(day, options.weekday));
  const isThere = Array.from({ length: SLOTS }, (_, slot) => {
    let there = 0;
    let seen = 0;
    for (const { cells, weight } of days) {
      there += weight * cells[slot * n + place]!;
      for (let p = 0; p < n; p++) seen += weight * cells[slot * n + p]!;
    }
    return seen === 0 ? undefined : there / seen >= (options.least ?? 0.5);
  });
  return runsOf(filled(isThere)).map(([from, count]) => {
    const when = Array.from({ length: count }, (_, i) => (from + i) % SLOTS);
    const has = ({ cells }: HabitDay, any: boolean) =>
      when.some((slot) =>
        any ? cells.subarray(slot * n, slot * n + n).some((c) => c > 0) : cells[slot * n + place]! > 0,
      );
    return {
      fromMin: from * SLOT_MIN,
      toMin: (from + count) * SLOT_MIN,
      days: days.filter((day) => has(day, false)).length,
      observedDays: days.filter((day) => has(day, true)).length,
    };
  });
}

/** An unobserved gap between two usual times is filled, up to six hours. */
const LONGEST_GAP = 24;

function filled(flags: readonly (boolean | undefined)[]): boolean[] {
  const nearest = (from: number, step: 1 | -1) => {
    for (let k = 1; k <= LONGEST_GAP; k++) {
      const flag = flags[(from + step * k + flags.length) % flags.length];
      if (flag !== undefined) return { flag, k };
    }
    return { flag: false, k: LONGEST_GAP };
  };
  return flags.map((flag, i) => {
    if (flag !== undefined) return flag;
    const [before, after] = [nearest(i, -1), nearest(i, 1)];
    return before.flag && after.flag && before.k + after.k <= LONGEST_GAP;
  });
}

/** Runs of true on a circle, as start and length. */
function runsOf(flags: readonly boolean[]): [number, number][] {
  if (flags.every(Boolean)) return [[0, flags.length]];
  const runs: [number, number][] = [];
  flags.forEach((flag, i) => {
    if (!flag || flags[(i + flags.length - 1) % flags.length]) return;
    let count = 1;
    while (flags[(i + count) % flags.length]) count++;
    runs.push([i, count]);
  });
  return runs;
}

/** Where it went on days with the same place at the hour of the last sighting. */
function sinceThen(
  model: HabitModel,
  habit: Distribution,
  timeUs: TimeUs,
  last: LastSeen,
  { pairDays }: HabitParameters,
): Distribution {
  const n = model.places.length;
  const place = model.places.indexOf(last.placeKey);
  const from = localTime(last.seenUs, model.utcOffsetMin);
  const to = localTime(timeUs, model.utcOffsetMin);
  if (place < 0 || to.day - from.day > 1) return habit.slice();
  const byDay = new Map(model.days.map((day) => [day.day, day]));
  const counts = new Float64Array(n + 1);
  let total = 0;
  for (const day of model.days) {
    const then = byDay.get(day.day + to.day - from.day);
    // A day is not evidence about itself: its sightings are the question.
    if (then === undefined || (day.day === from.day && last.seenUs >= model.nowUs)) continue;
    const alike = day.weight * day.smooth[from.slot * n + place]!;
    if (alike === 0) continue;
    for (let p = 0; p < n; p++) {
      const count = alike * then.smooth[to.slot * n + p]!;
      counts[p]! += count;
      total += count;
    }
  }
  return counts.map((count, p) => (count + pairDays * habit[p]!) / (total + pairDays));
}

function observedDays({ days, places }: HabitModel, slot: number): number {
  const n = places.length;
  return days.filter(({ smooth }) => smooth.subarray(slot * n, (slot + 1) * n).some((cell) => cell > 0.01))
    .length;
}

import type { TimeUs } from "../../geometry/index.ts";
import { HOUR_US, localTime, SLOT_US } from "./local-time.ts";
import { type HabitParameters, MOST_DAYS, SLOT_MIN, SLOTS } from "./parameters.ts";
import type { HabitModel, HabitStay, Leaving } from "./types.ts";

/** The prior rate of moves of a thing without observations. */
const MOVES_PER_HOUR = 1 / 24;

/**
 * Moves an hour in each slot of the day, smoothed towards the mean rate, and a factor for each place. An unobserved
 * move happened some time between the last sighting at the old place and the first at the new: it is spread evenly over
 * that gap.
 */
export function learnLeaving(
  stays: readonly HabitStay[],
  places: readonly string[],
  { nowUs, utcOffsetMin }: { readonly nowUs: TimeUs; readonly utcOffsetMin: number },
  { leavingHours, leavingMoves }: HabitParameters,
): Leaving {
  const index = new Map(places.map((key, i) => [key, i]));
  const moves = new Float64Array(SLOTS);
  const hours = new Float64Array(SLOTS);
  const left = new Float64Array(places.length);
  const spent = places.map(() => new Float64Array(SLOTS));
  stays.forEach((stay, n) => {
    const place = index.get(stay.placeKey);
    const next = stays[n + 1];
    const goneUs = Math.max(next?.fromUs ?? stay.toUs ?? stay.lastSeenUs, stay.lastSeenUs);
    const hasLeft = next !== undefined || (stay.toUs !== null && stay.toUs < nowUs);
    eachSlot(stay.fromUs, stay.lastSeenUs, utcOffsetMin, (slot, us) => {
      hours[slot]! += us / HOUR_US;
      if (place !== undefined) spent[place]![slot]! += us / HOUR_US;
    });
    const gapUs = Math.max(1, goneUs - stay.lastSeenUs);
    if (!hasLeft) return;
    eachSlot(stay.lastSeenUs, stay.lastSeenUs + gapUs, utcOffsetMin, (slot, us) => {
      moves[slot]! += us / gapUs;
      // On average it was still there for half of the gap.
      hours[slot]! += us / HOUR_US / 2;
      if (place !== undefined) spent[place]![slot]! += us / HOUR_US / 2;
    });
    if (place !== undefined) left[place]!++;
  });
  const mean = (sumOf(moves) + leavingHours * MOVES_PER_HOUR) / (sumOf(hours) + leavingHours);
  // An hour of the day is smoothed towards the mean with its part of the hours.
  const held = (leavingHours * 4) / SLOTS;
  const perHour = moves.map((count, slot) => (count + held * mean) / (hours[slot]! + held));
  const factor = left.map((count, place) => {
    const expected = spent[place]!.reduce((sum, h, slot) => sum + h * perHour[slot]!, 0);
    return (count + leavingMoves) / (expected + leavingMoves);
  });
  return { perHour, factor };
}

/** The probability that it has not left its place between two times. */
export function stillThere(
  { leaving, places, utcOffsetMin }: Pick<HabitModel, "leaving" | "places" | "utcOffsetMin">,
  placeKey: string,
  seenUs: TimeUs,
  timeUs: TimeUs,
): number {
  const place = places.indexOf(placeKey);
  const factor = place < 0 ? 1 : leaving.factor[place]!;
  let moves = 0;
  eachSlot(seenUs, Math.max(seenUs, timeUs), utcOffsetMin, (slot, us) => {
    moves += (leaving.perHour[slot]! * us) / HOUR_US;
  });
  return Math.exp(-factor * moves);
}

const MOST_SLOTS = MOST_DAYS * SLOTS;

/** Cuts a span at the borders of slots; a longer span than the stored time is truncated. */
function eachSlot(
  fromUs: TimeUs,
  toUs: TimeUs,
  utcOffsetMin: number,
  take: (slot: number, us: number) => void,
): void {
  let at = fromUs;
  for (let n = 0; at < toUs && n < MOST_SLOTS; n++) {
    const { slot, minute } = localTime(at, utcOffsetMin);
    const leftUs = SLOT_US - Math.floor((minute - slot * SLOT_MIN) * 60e6);
    const us = Math.min(toUs - at, Math.max(1, leftUs));
    take(slot, us);
    at += us;
  }
}

function sumOf(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0);
}

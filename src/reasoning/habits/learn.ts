import { fitSharpness, overallOf } from "./estimate.ts";
import { learnLeaving } from "./leaving.ts";
import { DAY_US, isWeekend, localTime, MINUTE_US, SLOT_US } from "./local-time.ts";
import { type HabitParameters, MOST_DAYS, MOST_PLACES, PARAMETERS, SLOT_MIN, SLOTS } from "./parameters.ts";
import type { HabitDay, HabitInput, HabitModel, HabitStay, ObservedSpan } from "./types.ts";

/**
 * Learns where one thing usually is from its stays: counts by slot of the day and kind of day, with older days fading.
 * Time without a known place is ignored. Costs days × slots × places, whatever the memory.
 */
export function learnHabits(input: HabitInput, parameters: HabitParameters = PARAMETERS): HabitModel {
  const { nowUs, utcOffsetMin = 0, prior = {} } = input;
  const today = localTime(nowUs, utcOffsetMin).day;
  const stays = joined(input.stays, nowUs, utcOffsetMin);
  const places = placesOf(stays, prior);
  const days = daysOf({ ...input, stays }, places, utcOffsetMin).map(([day, cells]): HabitDay => {
    const weight = 0.5 ** ((today - day) / parameters.halfLifeDays);
    return {
      day,
      isWeekend: isWeekend(day),
      weight,
      cells,
      smooth: spread(cells, places.length, parameters),
    };
  });
  const sum = (of: (day: HabitDay) => boolean) => summed(days.filter(of), places.length);
  const model = {
    places,
    days,
    nowUs,
    utcOffsetMin,
    prior: Float64Array.from(places, (key) => prior[key] ?? 0),
    sums: { all: sum(() => true), weekday: sum((d) => !d.isWeekend), weekend: sum((d) => d.isWeekend) },
    leaving: learnLeaving(stays, places, { nowUs, utcOffsetMin }, parameters),
  };
  const learnt = { ...model, overall: overallOf(days, model.prior, parameters) };
  return { ...learnt, sharpness: fitSharpness(learnt, parameters) };
}

/** In order of time, limited, with consecutive stays at one place joined. */
function joined(stays: readonly HabitStay[], nowUs: number, utcOffsetMin: number): HabitStay[] {
  const oldest = localTime(nowUs, utcOffsetMin).day - MOST_DAYS + 1;
  const sinceUs = oldest * DAY_US - utcOffsetMin * MINUTE_US;
  const kept = stays
    .filter(({ fromUs, toUs }) => fromUs <= nowUs && (toUs ?? nowUs) >= sinceUs)
    .map((stay) => ({
      ...stay,
      fromUs: Math.max(stay.fromUs, sinceUs),
      toUs: stay.toUs === null || stay.toUs > nowUs ? null : stay.toUs,
      lastSeenUs: Math.min(nowUs, Math.max(stay.fromUs, stay.lastSeenUs)),
    }))
    .toSorted((a, b) => a.fromUs - b.fromUs);
  const out: HabitStay[] = [];
  for (const stay of kept) {
    const last = out.at(-1);
    if (last?.placeKey === stay.placeKey && (last.toUs ?? nowUs) >= stay.fromUs) {
      const toUs = last.toUs === null || stay.toUs === null ? null : Math.max(last.toUs, stay.toUs);
      out[out.length - 1] = { ...last, toUs, lastSeenUs: Math.max(last.lastSeenUs, stay.lastSeenUs) };
    } else out.push(stay);
  }
  return out;
}

/** The places with the longest stays, up to the limit; then those only in the prior. */
function placesOf(stays: readonly HabitStay[], prior: Readonly<Record<string, number>>): string[] {
  const lengths = new Map<string, number>();
  for (const { placeKey, fromUs, lastSeenUs } of stays)
    lengths.set(placeKey, (lengths.get(placeKey) ?? 0) + 1 + lastSeenUs - fromUs);
  for (const key of Object.keys(prior)) if (!lengths.has(key)) lengths.set(key, 0);
  return [...lengths]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_PLACES)
    .map(([key]) => key);
}

function daysOf(
  { stays, observed, nowUs }: HabitInput,
  places: readonly string[],
  utcOffsetMin: number,
): [number, Float32Array][] {
  const index = new Map(places.map((key, i) => [key, i]));
  const days = new Map<number, Float32Array>();
  const add = (place: number, fromUs: number, toUs: number) => {
    for (let at = fromUs; at < toUs; ) {
      const { day, slot } = localTime(at, utcOffsetMin);
      const end = Math.min(toUs, day * DAY_US + (slot + 1) * SLOT_US - utcOffsetMin * MINUTE_US);
      const cells = days.get(day) ?? new Float32Array(SLOTS * places.length);
      days.set(day, cells);
      const cell = slot * places.length + place;
      cells[cell] = Math.min(1, cells[cell]! + (end - at) / SLOT_US);
      at = end;
    }
  };
  const spans = (observed ?? []).toSorted((a, b) => a.fromUs - b.fromUs);
  let first = 0;
  for (const stay of stays) {
    const place = index.get(stay.placeKey);
    const toUs = Math.min(stay.toUs ?? nowUs, nowUs);
    if (place === undefined) continue;
    // A sighting is a moment; it counts as a minute.
    if (observed === undefined) add(place, stay.fromUs, Math.max(stay.lastSeenUs, stay.fromUs + MINUTE_US));
    while (first < spans.length && spans[first]!.toUs <= stay.fromUs) first++;
    for (let i = first; i < spans.length && spans[i]!.fromUs < toUs; i++) {
      const span: ObservedSpan = spans[i]!;
      add(place, Math.max(stay.fromUs, span.fromUs), Math.min(toUs, span.toUs));
    }
  }
  return [...days].sort(([a], [b]) => a - b);
}

/** Each slot as the mean of its neighbourhood; the day is a circle, and unobserved slots add nothing. */
function spread(cells: Float32Array, places: number, { kernelMin }: HabitParameters): Float32Array {
  const reach = Math.min(SLOTS / 2 - 1, Math.ceil((4 * kernelMin) / SLOT_MIN));
  const kernel = Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-(Math.abs(i - reach) * SLOT_MIN) / kernelMin),
  );
  const whole = kernel.reduce((a, b) => a + b);
  const out = new Float32Array(cells.length);
  for (let slot = 0; slot < SLOTS; slot++) {
    for (let i = 0; i <= 2 * reach; i++) {
      const from = ((slot + i - reach + SLOTS) % SLOTS) * places;
      const weight = kernel[i]! / whole;
      for (let p = 0; p < places; p++) {
        const cell = cells[from + p]!;
        if (cell > 0) out[slot * places + p]! += weight * cell;
      }
    }
  }
  return out;
}

function summed(days: readonly HabitDay[], places: number): Float64Array {
  const out = new Float64Array(SLOTS * places);
  for (const { smooth, weight } of days) for (let i = 0; i < out.length; i++) out[i]! += weight * smooth[i]!;
  return out;
}

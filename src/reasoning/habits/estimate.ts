import { type HabitParameters, SLOTS } from "./parameters.ts";
import type { HabitDay, HabitModel } from "./types.ts";

/** Probabilities of the places in order, the last for elsewhere. */
export type Distribution = Float64Array;
type Learnt = Omit<HabitModel, "sharpness">;

/**
 * The distribution of places in a slot of a kind of day: that hour on such days, smoothed towards the hour on all days,
 * the whole day, and the kind of thing (Witten–Bell style backing off with fitted weights). `without` leaves a day out,
 * as if it had not been observed.
 */
export function rawAt(
  model: Learnt,
  slot: number,
  isWeekend: boolean,
  { overallDays, hourDays }: HabitParameters,
  without?: HabitDay,
): Distribution {
  const { places, overall, sums } = model;
  const n = places.length;
  const out = new Float64Array(n + 1);
  out.set(overall);
  out[n] = Math.max(0, 1 - overall.reduce((a, b) => a + b, 0));
  const blend = (counts: Float64Array, left: HabitDay | undefined, weight: number) => {
    let total = 0;
    const own = new Float64Array(n);
    for (let p = 0; p < n; p++) {
      const cell = slot * n + p;
      own[p] = Math.max(0, counts[cell]! - (left === undefined ? 0 : left.weight * left.smooth[cell]!));
      total += own[p]!;
    }
    for (let p = 0; p <= n; p++) out[p] = ((own[p] ?? 0) + weight * out[p]!) / (total + weight);
  };
  blend(sums.all, without, overallDays);
  const same = without?.isWeekend === isWeekend ? without : undefined;
  blend(isWeekend ? sums.weekend : sums.weekday, same, hourDays);
  return out;
}

/** Raises a distribution to a power: above 1 surer, below 1 less sure. */
export function sharpened(distribution: Distribution, sharpness: number): Distribution {
  if (sharpness === 1) return distribution;
  const powers = distribution.map((p) => (p > 0 ? p ** sharpness : 0));
  const total = powers.reduce((a, b) => a + b, 0);
  return total > 0 ? powers.map((p) => p / total) : distribution;
}

/** The fewest observed slots for a day that counts. */
const OBSERVED_SLOTS = 8;

/** The share of each place, whatever the hour; each day counts by how much of it was observed, at most as one. */
export function overallOf(
  days: readonly HabitDay[],
  prior: Float64Array,
  { priorDays }: HabitParameters,
): Float64Array {
  const counts = new Float64Array(prior.length);
  let total = 0;
  for (const { cells, weight } of days) {
    const seen = cells.reduce((a, b) => a + b, 0);
    if (seen === 0) continue;
    const share = weight / Math.max(seen, OBSERVED_SLOTS);
    for (let i = 0; i < cells.length; i++) counts[i % prior.length]! += share * cells[i]!;
    total += share * seen;
  }
  return counts.map((count, i) => (count + priorDays * prior[i]!) / (total + priorDays));
}

const TRIED = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 1.6, 1.8, 2.1, 2.5] as const;
/** The most held-out days, the latest. */
const MOST_HELD_OUT = 28;

/**
 * Holds out each day in turn and predicts it from the others. The exponent with the lowest surprise wins, regularised
 * towards the usual one by `sharpnessLooks` slots.
 */
export function fitSharpness(model: Learnt, parameters: HabitParameters): number {
  // Without observations there is only the prior, which stays as it is.
  if (model.days.length === 0) return 1;
  const losses = new Float64Array(TRIED.length);
  const n = model.places.length;
  if (model.days.length > 1)
    for (const day of model.days.slice(-MOST_HELD_OUT)) {
      const others = model.days.filter((other) => other !== day);
      const rest = { ...model, overall: overallOf(others, model.prior, parameters) };
      for (let slot = 0; slot < SLOTS; slot++) {
        const seen = day.cells.subarray(slot * n, (slot + 1) * n);
        if (seen.every((cell) => cell === 0)) continue;
        const raw = rawAt(rest, slot, day.isWeekend, parameters, day);
        TRIED.forEach((tried, t) => {
          const p = sharpened(raw, tried);
          for (let place = 0; place < n; place++)
            if (seen[place]! > 0) losses[t]! -= seen[place]! * Math.log(Math.max(1e-4, p[place]!));
        });
      }
    }
  // A squared distance of logarithms, in units of observations: a factor of e costs one for each.
  const held = TRIED.map(
    (tried, t) => losses[t]! + parameters.sharpnessLooks * Math.log(tried / parameters.sharpness) ** 2,
  );
  return TRIED[held.indexOf(Math.min(...held))]!;
}

import { parseArgs } from "node:util";
import type { ForecastCase } from "../src/evaluation/weeks/forecast-case.ts";
import { homerCases } from "../src/evaluation/weeks/homer-cases.ts";
import { keptCases } from "../src/evaluation/weeks/simulated-cases.ts";
import {
  ELSEWHERE,
  type Guess,
  type HabitParameters,
  learnHabits,
  likelyAt,
  PARAMETERS,
} from "../src/reasoning/habits/index.ts";

/**
 * Fits the numbers of `src/reasoning/habits/parameters.ts`, one after the other over a few values, until none gets
 * better: `node bench/fit-habits.ts --homer DIR [--keep DIR]`. It sees the development weeks (seeds 101–110) and,
 * of HOMER+, the first five days alone, each held out in turn; never the days and seeds that figures are reported on.
 */
const { values } = parseArgs({
  options: {
    homer: { type: "string" },
    keep: { type: "string" },
    seeds: { type: "string", default: "101-110" },
  },
});

const GRID: { readonly [K in keyof HabitParameters]?: readonly number[] } = {
  kernelMin: [10, 15, 20, 30, 45, 60, 90],
  priorDays: [0.05, 0.1, 0.2, 0.3, 0.5, 0.8],
  overallDays: [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2],
  hourDays: [0.1, 0.3, 0.6, 1, 1.5, 2.5, 4, 8],
  pairDays: [0.2, 0.4, 1, 2, 4, 8],
  leavingHours: [2, 4, 8, 16, 24, 48, 96],
  leavingMoves: [0.05, 0.15, 0.4, 1],
  sharpness: [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4],
  sharpnessLooks: [5, 10, 20, 50, 100, 300, 1000],
};

const DAYS = [0, 1, 2, 3, 4];
const homer =
  values.homer === undefined
    ? []
    : DAYS.flatMap(
        (day) => homerCases(values.homer!, { learn: DAYS.filter((d) => d !== day), ask: [day] }).cases,
      );
const [first, last] = values.seeds.split("-").map(Number) as [number, number];
const weeks: ForecastCase[] = [];
for (let seed = first; seed <= last; seed++)
  weeks.push(...(await keptCases(seed, { keep: values.keep })).cases);
console.log(`${homer.length} cases of HOMER+, ${weeks.length} of simulated weeks`);

let best = PARAMETERS;
let least = loss(best);
console.log(`${least.toFixed(4)} as they are`);
for (let changed = true; changed; ) {
  changed = false;
  for (const [name, tried] of Object.entries(GRID)) {
    for (const value of tried) {
      const parameters = { ...best, [name]: value };
      const now = loss(parameters);
      if (now >= least - 1e-4) continue;
      [best, least, changed] = [parameters, now, true];
    }
    console.log(`${least.toFixed(4)} ${name} ${best[name as keyof HabitParameters]}`);
  }
}
console.log(best);

/** Mean log loss of the guesses, with and without a last look; both grounds weigh alike. */
function loss(parameters: HabitParameters): number {
  const means = [homer, weeks].flatMap((cases) => {
    const sums = { likely: 0, since: 0 };
    const counts = { likely: 0, since: 0 };
    const add = (task: "likely" | "since", guess: Guess, truth: string) => {
      const found = guess.places.find(({ placeKey }) => placeKey === truth)?.p ?? 0;
      sums[task] -= Math.log(Math.max(0.005, truth === ELSEWHERE ? guess.elsewhere : found));
      counts[task]++;
    };
    for (const { input, asks } of cases) {
      const model = learnHabits(input, parameters);
      for (const { timeUs, truth, last } of asks.filter((_, n) => n % 3 === 0)) {
        add("likely", likelyAt(model, timeUs, undefined, parameters), truth);
        if (last !== undefined) add("since", likelyAt(model, timeUs, last, parameters), truth);
      }
    }
    return cases.length === 0 ? [] : [sums.likely / counts.likely, sums.since / counts.since];
  });
  return means.reduce((a, b) => a + b) / means.length;
}

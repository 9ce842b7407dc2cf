import { factsOf, imagineWeeks, makeWeekQuestions } from "../../world/weeks/index.ts";
import type { Dataset } from "../datasets/dataset.ts";

export interface WeeksSuiteOptions {
  readonly seeds: readonly (number | string)[];
  readonly days: number;
  readonly count: number;
  readonly wording: "dev" | "test";
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

/**
 * Weeks of simulated households as facts and questions: past, present, several pasts, usual, likely, unusual. The
 * memory holds what a robot saw on its rounds; identities are given, not recognised in pictures.
 */
export function weeksDataset(options: WeeksSuiteOptions): Dataset {
  const { seeds, days, count, wording, signal, onProgress } = options;
  return {
    name: "weeks",
    scenes: seeds.map((seed) => {
      const onRound = (done: number, all: number) =>
        onProgress?.(`seed ${seed}: round ${done + 1} of ${all}`);
      // One day more than is remembered, so that questions about tomorrow have a truth.
      const weeks = imagineWeeks({ seed, days: days + 1, signal, onRound });
      const endUs = weeks.timeline.startUs + days * 86_400_000_000;
      const facts = factsOf(
        weeks.timeline,
        weeks.rounds.filter(({ toUs }) => toUs < endUs),
      );
      return {
        ...facts,
        id: `weeks-${seed}`,
        questions: makeWeekQuestions(weeks, { days, count, seed, wording }),
      };
    }),
    excluded: [],
    notes: [
      `Simulated households, ${days} days, about five rounds of a robot a day, ${wording} wordings. Nobody looks in between.`,
      "Identities and places are given to the memory: it is the weeks that are tried, not eyes and tracking.",
    ],
  };
}

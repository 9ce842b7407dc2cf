import { LociError } from "../../schema/core.ts";
import { meanOf } from "../statistics.ts";

/** A judge's 1–5, or null without an answer or a verdict. */
export type Verdict = number | null;

/**
 * (clip(σ, 1, 5) − 1) / 4: the value of one verdict between 0 and 1. None is worth nothing
 * (docs/formulas.md#metrics).
 */
export function matchOf(score: Verdict): number {
  return score === null ? 0 : (Math.min(5, Math.max(1, score)) - 1) / 4;
}

/** LLM-Match: 100/N · Σ (clip(σ, 1, 5) − 1)/4; null without questions. */
export function llmMatch(scores: readonly Verdict[]): number | null {
  return scores.length === 0 ? null : 100 * meanOf(scores.map(matchOf));
}

/** One episode for SPL: the verdict, the shortest and the actual effort, in the same unit. */
export interface Episode {
  readonly score: Verdict;
  readonly shortest: number;
  /** Infinity or null if the question was never answered. */
  readonly taken: number | null;
}

/**
 * A shorter path counts as none, so that evidence in view at the start does not divide by zero
 * (docs/formulas.md#metrics): half a metre, or one step.
 */
const LEAST = { m: 0.5, steps: 1 } as const;

/** match · l / max(p, l) of one episode; with l = 0 it is 1 up to the least path, then least / p. */
export function splOf({ score, shortest, taken }: Episode, unit: "m" | "steps" = "m"): number {
  if (!(shortest >= 0) || !(shortest < Infinity) || (taken !== null && !(taken >= 0))) {
    throw new LociError(
      "invalid-input",
      `SPL expects a finite way of 0 or more, got shortest ${shortest} and taken ${taken}`,
    );
  }
  if (taken === null || taken === Infinity) return 0;
  const way = shortest === 0 ? LEAST[unit] : shortest;
  return matchOf(score) * (way / Math.max(taken, way));
}

/** OpenEQA's E in per cent, by metres unless said otherwise (docs/formulas.md#metrics); null without episodes. */
export function spl(episodes: readonly Episode[], unit: "m" | "steps" = "m"): number | null {
  return episodes.length === 0 ? null : 100 * meanOf(episodes.map((episode) => splOf(episode, unit)));
}

/** Percentage of correct ones; null without any. */
export function successRate(right: readonly boolean[]): number | null {
  return right.length === 0 ? null : 100 * meanOf(right.map(Number));
}

/** MemoryEQA's ratio of the step budget to the square root of the floor's area. */
const STEP_RATIO = 3;

/** Steps that an episode may take on a floor of this area: max(1, ⌊3√S⌋) (docs/formulas.md#metrics). */
export function stepBudget(floorAreaM2: number, ratio = STEP_RATIO): number {
  return Math.max(1, Math.floor(ratio * Math.sqrt(floorAreaM2)));
}

/** Norm_step: the mean of steps / (γ√S) (docs/formulas.md#metrics); null without episodes. */
export function normalisedSteps(
  episodes: readonly { readonly steps: number; readonly floorAreaM2: number }[],
  ratio = STEP_RATIO,
): number | null {
  if (episodes.length === 0) return null;
  for (const { floorAreaM2 } of episodes) {
    if (!(floorAreaM2 > 0))
      throw new LociError("invalid-input", `a floor has a positive area, got ${floorAreaM2} m²`);
  }
  return meanOf(episodes.map(({ steps, floorAreaM2 }) => steps / (ratio * Math.sqrt(floorAreaM2))));
}

/** Question-weighted and group-weighted mean of the same values (docs/formulas.md#metrics); null without values. */
export function microAndMacro(
  values: readonly { readonly group: string; readonly value: number }[],
): { readonly micro: number; readonly macro: number } | null {
  if (values.length === 0) return null;
  const groups = [...Map.groupBy(values, ({ group }) => group).values()];
  return {
    micro: meanOf(values.map(({ value }) => value)),
    macro: meanOf(groups.map((group) => meanOf(group.map(({ value }) => value)))),
  };
}

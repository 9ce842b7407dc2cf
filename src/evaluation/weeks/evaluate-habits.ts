import type { Estimate } from "../statistics.ts";
import type { Cases, ForecastCase } from "./forecast-case.ts";
import { homerCases } from "./homer-cases.ts";
import { askAll, type MethodScore, type Outcome, scoreOf, TASKS, type Task } from "./score.ts";
import { keptCases } from "./simulated-cases.ts";

export interface HabitsEvalOptions {
  /** HOMER+'s folder. */
  readonly data?: string | undefined;
  /** Simulated weeks, if no folder is given. */
  readonly seeds: readonly (number | string)[];
  /** Where the weeks' training data is kept for the next run. */
  readonly keep?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

export interface HabitsReport {
  readonly ground: string;
  readonly households: number;
  readonly cases: number;
  readonly unseen: number;
  readonly rows: readonly (MethodScore & { readonly task: Task; readonly group: string })[];
}

/** Learnt on the first five days, tested on the last two: `eval habits`. */
export async function evaluateHabits(options: HabitsEvalOptions): Promise<HabitsReport> {
  const { data, seeds } = options;
  const all: Cases[] = data === undefined ? [] : [homerCases(data)];
  if (data === undefined) for (const seed of seeds) all.push(await keptCases(seed, options));
  const cases = all.flatMap((one) => one.cases);
  const outcomes = askAll(cases);
  const groups = new Set(cases.map(({ group }) => group));
  const rows = ["all", ...(groups.size > 1 ? groups : [])].flatMap((group) =>
    TASKS.flatMap((task) => {
      const among = (outcome: Outcome) =>
        outcome.task === task && (group === "all" || outcome.group === group);
      return scoreOf(outcomes, among).map((score) => ({ ...score, task, group }));
    }),
  );
  return {
    ground: data === undefined ? "simulated weeks" : "HOMER+",
    households: new Set(cases.map(({ household }: ForecastCase) => household)).size,
    cases: cases.length,
    unseen: all.reduce((sum, { unseen }) => sum + unseen, 0),
    rows,
  };
}

const HEADS = [
  "of",
  "asked",
  "method",
  "n",
  "top-1 [95 %]",
  "Brier",
  "log loss",
  "ECE",
  "habits ahead by [95 %]",
];

export function formatHabitsReport({ ground, households, cases, unseen, rows }: HabitsReport): string {
  const lines = rows.map((row) => [
    row.group,
    row.task,
    row.method,
    String(row.accuracy.n),
    interval(row.accuracy),
    row.brier.toFixed(3),
    row.logLoss.toFixed(3),
    row.ece.toFixed(3),
    row.ahead === undefined ? "" : interval(row.ahead),
  ]);
  const widths = HEADS.map((head, i) => Math.max(head.length, ...lines.map((line) => line[i]!.length)));
  const print = (line: readonly string[]) =>
    line
      .map((text, i) => text.padEnd(widths[i]!))
      .join("  ")
      .trimEnd();
  return [
    `${ground}: ${cases} things, people and states of ${households} household${households === 1 ? "" : "s"}, learnt on five days, asked of the next two, every half hour; ${unseen} never seen in those five days are not asked about.`,
    print(HEADS),
    ...lines.map(print),
    "Brier is the sum over all places. Baselines have calibrated beliefs: the shares of the observed time; last seen mixed with them at its best weight in hindsight.",
    ...(households === 1
      ? ["One household: intervals are over its questions, which are not independent."]
      : []),
  ].join("\n");
}

function interval({ value, low, high }: Estimate): string {
  return `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

import { type Estimate, groupedBootstrap, type PairedEstimate, pairedBootstrap } from "../statistics.ts";
import type { Episode } from "./episode.ts";

export const MEASURES = ["success", "spl", "matchSpl", "normSteps", "metres", "reversed"] as const;
export type Measure = (typeof MEASURES)[number];
/** Measures for which less is better. */
const LESS: ReadonlySet<Measure> = new Set(["normSteps", "metres", "reversed"]);
const OURS = "memory";
const LEAST_M = 0.25;

export interface ActiveRow {
  readonly explorers: string;
  readonly n: number;
  readonly measures: Readonly<Record<Measure, Estimate>>;
  /** Ours minus this one on the same questions; for metres, steps and reversals this one minus ours. */
  readonly ahead: Readonly<Partial<Record<Measure, PairedEstimate>>>;
  /** SPL by the metres of all agents together. */
  readonly teamSpl: number;
  /** Of the questions without an answer, the share recognised, and the share of the house searched for them. */
  readonly unanswerable: { readonly n: number; readonly recognised: number; readonly looked: number };
  /** Of the correct answers, the share supported by a record at the true place of a target. */
  readonly consistent: number;
  readonly firstM: number;
  readonly secondM: number;
  readonly movesPerS: number;
  /** Per CPU second rather than wall clock, so that other load does not matter. */
  readonly movesPerCpuS: number;
  readonly stepsPerS: number;
  readonly worstPlanMs: number;
}

export interface ActiveReport {
  readonly noise: number;
  readonly wording: string;
  readonly seeds: readonly string[];
  readonly rows: readonly ActiveRow[];
}

/** Success weighted by the shortest walk over the actual walk. An agent that need not move scores its success. */
export function splOf({ success, leastM, pathM }: Pick<Episode, "success" | "leastM" | "pathM">): number {
  const least = Math.max(LEAST_M, leastM);
  return success ? least / Math.max(pathM, least) : 0;
}

function figureOf(measure: Measure, episode: Episode): number {
  switch (measure) {
    case "success":
      return episode.success ? 1 : 0;
    case "spl":
      return splOf(episode);
    case "matchSpl":
      return episode.match * splOf({ ...episode, success: true });
    case "normSteps":
      return episode.normSteps;
    case "metres":
      return episode.pathM;
    case "reversed":
      return episode.goals === 0 ? 0 : episode.reversed / episode.goals;
  }
}

export function reportOf(
  episodes: readonly Episode[],
  settings: Pick<ActiveReport, "noise" | "wording" | "seeds">,
): ActiveReport {
  const names = [...new Set(episodes.map(({ explorers }) => explorers))];
  const ours = episodes.filter(({ explorers }) => explorers === OURS);
  return { ...settings, rows: names.map((name) => rowOf(name, episodes, ours)) };
}

function rowOf(name: string, all: readonly Episode[], ours: readonly Episode[]): ActiveRow {
  const own = all.filter(({ explorers }) => explorers === name);
  const groups = [...Map.groupBy(own, ({ seed }) => seed).values()];
  const measures = {} as Record<Measure, Estimate>;
  const ahead: Partial<Record<Measure, PairedEstimate>> = {};
  for (const measure of MEASURES) {
    measures[measure] = groupedBootstrap(groups.map((group) => group.map((one) => figureOf(measure, one))));
    const paired = pairsOf(groups, ours, measure);
    if (name !== OURS && paired.length > 0) ahead[measure] = pairedBootstrap(paired);
  }
  const without = own.filter(({ isAnswerable }) => !isAnswerable);
  const right = own.filter(({ success }) => success);
  const seconds = own.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  const mean = (list: readonly Episode[], value: (one: Episode) => number): number =>
    list.length === 0 ? Number.NaN : list.reduce((sum, one) => sum + value(one), 0) / list.length;
  return {
    explorers: name,
    n: own.length,
    measures,
    ahead,
    teamSpl: mean(own, (one) => splOf({ ...one, pathM: one.teamM })),
    unanswerable: {
      n: without.length,
      recognised: mean(without, ({ success }) => (success ? 1 : 0)),
      looked: mean(without, ({ lookedShare }) => lookedShare),
    },
    consistent: mean(right, ({ isConsistent }) => (isConsistent ? 1 : 0)),
    firstM: mean(
      own.filter(({ nth }) => nth === 0),
      ({ pathM }) => pathM,
    ),
    secondM: mean(
      own.filter(({ nth }) => nth === 1),
      ({ pathM }) => pathM,
    ),
    movesPerS: own.reduce((sum, { moves }) => sum + moves, 0) / seconds,
    movesPerCpuS:
      own.reduce((sum, { moves }) => sum + moves, 0) /
      (own.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000),
    stepsPerS: own.reduce((sum, { steps }) => sum + steps, 0) / seconds,
    worstPlanMs: Math.max(0, ...own.map(({ planMs }) => planMs)),
  };
}

/** Ours and another explorer on the same questions, house by house. */
function pairsOf(
  groups: readonly (readonly Episode[])[],
  ours: readonly Episode[],
  measure: Measure,
): { a: number; b: number }[][] {
  const by = new Map(ours.map((one) => [`${one.seed} ${one.questionId}`, one]));
  return groups
    .map((group) =>
      group.flatMap((one) => {
        const mine = by.get(`${one.seed} ${one.questionId}`);
        if (mine === undefined) return [];
        const [a, b] = [figureOf(measure, mine), figureOf(measure, one)];
        return [LESS.has(measure) ? { a: b, b: a } : { a, b }];
      }),
    )
    .filter((group) => group.length > 0);
}

const HEADS = ["", "n", "success", "SPL", "match×SPL", "norm. steps", "metres", "reversed"];

export function formatActiveReport({ rows, noise, wording, seeds }: ActiveReport): string {
  const table = rows.map(({ explorers, n, measures }) => [
    explorers,
    String(n),
    ...MEASURES.map((measure) => {
      const { value, low, high } = measures[measure];
      const digits = measure === "metres" ? 1 : 3;
      return `${value.toFixed(digits)} [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
    }),
  ]);
  const ahead = rows.flatMap(({ explorers, ahead: by }) =>
    Object.keys(by).length === 0
      ? []
      : [
          `${explorers}: ${MEASURES.flatMap((measure) => {
            const one = by[measure];
            const digits = measure === "metres" ? 1 : 3;
            return one
              ? [
                  `${measure} ${one.value.toFixed(digits)} [${one.low.toFixed(digits)}, ${one.high.toFixed(digits)}]`,
                ]
              : [];
          }).join(", ")}`,
        ],
  );
  const rest = rows.map(
    (row) =>
      `${row.explorers}: team SPL ${row.teamSpl.toFixed(3)}; of ${row.unanswerable.n} without an answer ${percent(row.unanswerable.recognised)} recognised (least share of a room looked at ${percent(row.unanswerable.looked)}); ${percent(row.consistent)} of the right ones rest on what was asked about; first question ${row.firstM.toFixed(1)} m, second ${row.secondM.toFixed(1)} m; ${row.stepsPerS.toFixed(1)} steps/s, ${row.movesPerS.toFixed(0)} moves/s (${row.movesPerCpuS.toFixed(0)} by processor time); slowest plan ${row.worstPlanMs.toFixed(0)} ms`,
  );
  return [
    `Active questions (MT-like, ${wording} wordings, noise ${noise}) in ${seeds.length} houses: ${seeds.join(", ")}`,
    ...aligned([HEADS, ...table]),
    "",
    "Ours ahead by (paired, whole houses drawn, 95 %):",
    ...ahead,
    "",
    ...rest,
  ].join("\n");
}

function percent(share: number): string {
  return Number.isNaN(share) ? "–" : `${Math.round(share * 100)} %`;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}

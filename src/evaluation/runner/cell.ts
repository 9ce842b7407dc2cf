import { brier, expectedCalibrationError, riskCoverage } from "../metrics/calibration.ts";
import { percentile } from "../metrics/cost.ts";
import { type Estimate, groupedBootstrap, meanOf } from "../statistics.ts";
import type { Row } from "./row.ts";
import type { Scores } from "./score.ts";

/** A mean over the rows with a value, and their number. */
export interface Figure {
  readonly value: number;
  readonly median: number;
  readonly n: number;
}

/** The figures of one strategy over a set of rows. Figures that apply to none of them are absent. */
export interface Cell {
  readonly n: number;
  /** Rows with an answer; the others abstained with a reason (`unanswered`) or failed. */
  readonly answered: number;
  readonly unanswered: number;
  readonly failed: number;
  /** Answered, but without a judge's mark: 0 % in `match`, excluded from `matchOfJudged`. */
  readonly withoutMark: number;
  /** LLM-Match in per cent over all rows, whatever their outcome. */
  readonly match: Estimate;
  /** The same over the rows that got a mark. */
  readonly matchOfJudged: number | null;
  /** Per cent right. */
  readonly success: Estimate;
  readonly figures: Readonly<Record<string, Figure>>;
}

const NUMBERS = [
  "rougeL",
  "l2M",
  "geodesicM",
  "timeS",
  "durationS",
  "countOff",
  "relativeAccuracy",
  "setPrecision",
  "setRecall",
  "setF1",
  "grounded",
  "consistent",
  "splM",
  "splSteps",
  "normalisedSteps",
  "redundancy",
  "citationPrecision",
  "citationRecall",
] as const satisfies readonly (keyof Scores)[];

/** From this many scenes on, intervals draw scenes: questions about one house are not independent. */
export const SCENES_TO_DRAW = 5;

/** Draws scenes where there are enough of them, else questions. */
export function groupsOf<T>(rows: readonly T[], sceneOf: (row: T) => string): T[][] {
  const scenes = [...Map.groupBy(rows, sceneOf).values()];
  return scenes.length >= SCENES_TO_DRAW ? scenes : rows.map((row) => [row]);
}

/** Null for no rows. */
export function cellOf(rows: readonly Row[]): Cell | null {
  if (rows.length === 0) return null;
  const estimate = (value: (row: Row) => number) =>
    groupedBootstrap(groupsOf(rows, ({ scene }) => scene).map((group) => group.map(value)));
  const judged = rows.filter(({ verdict }) => verdict?.score != null);
  const answered = rows.filter(({ answer }) => answer?.status === "answered");
  return {
    n: rows.length,
    answered: answered.length,
    unanswered: rows.filter(({ answer }) => answer !== null && answer.status !== "answered").length,
    failed: rows.filter(({ answer }) => answer === null).length,
    withoutMark: answered.filter(({ verdict }) => verdict?.score == null).length,
    match: estimate(({ scores }) => 100 * scores.match),
    matchOfJudged: judged.length === 0 ? null : 100 * meanOf(judged.map(({ scores }) => scores.match)),
    success: estimate(({ scores }) => (scores.right ? 100 : 0)),
    figures: figuresOf(rows),
  };
}

function figuresOf(rows: readonly Row[]): Record<string, Figure> {
  const figures: Record<string, Figure> = {};
  const add = (name: string, values: readonly number[]) => {
    if (values.length === 0) return;
    figures[name] = { value: meanOf(values), median: percentile(values, 0.5)!, n: values.length };
  };
  for (const name of NUMBERS)
    add(
      name,
      rows.flatMap(({ scores }) => scores[name] ?? []),
    );
  const keys = (which: "recall" | "trackRecall") => [
    ...new Set(rows.flatMap(({ scores }) => Object.keys(scores[which]))),
  ];
  for (const k of keys("recall")) {
    add(
      `recall@${k}`,
      rows.flatMap(({ scores }) => (scores.recall[k] === undefined ? [] : Number(scores.recall[k]))),
    );
  }
  for (const k of keys("trackRecall"))
    add(
      `trackRecall@${k}`,
      rows.flatMap(({ scores }) => scores.trackRecall[k] ?? []),
    );
  add(
    "contextTokens",
    rows.flatMap(({ answer }) => answer?.trace.contextTokens ?? []),
  );
  add(
    "tokens",
    rows.flatMap(({ answer }) => answer?.trace.tokens ?? []),
  );
  add(
    "pathM",
    rows.flatMap(({ answer }) => answer?.trace.pathM ?? []),
  );
  add(
    "steps",
    rows.flatMap(({ answer }) => answer?.trace.steps ?? []),
  );
  return figures;
}

/** The calibration of a strategy, over the answers with a mark. */
export interface Calibration {
  readonly n: number;
  readonly ece: number;
  readonly brier: number;
  readonly riskCoverageArea: number;
}

export function calibrationOf(rows: readonly Row[]): Calibration | null {
  const forecasts = rows.flatMap(({ answer, verdict, scores }) =>
    answer === null || verdict?.score == null ? [] : [{ confidence: answer.confidence, right: scores.right }],
  );
  if (forecasts.length === 0) return null;
  return {
    n: forecasts.length,
    ece: expectedCalibrationError(forecasts)!,
    brier: brier(forecasts)!,
    riskCoverageArea: riskCoverage(forecasts)!.area,
  };
}

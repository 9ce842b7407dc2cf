import type { QuestionRecord } from "../../schema/core.ts";
import { bytesPerMinute, type Latency, latencyByStage } from "../metrics/cost.ts";
import { meanOf, type PairedEstimate, pairedBootstrap } from "../statistics.ts";
import { type Calibration, type Cell, calibrationOf, cellOf, groupsOf, SCENES_TO_DRAW } from "./cell.ts";
import type { Row, RowFailure } from "./row.ts";
import type { PlannedQuestion, SuiteRun } from "./run-suite.ts";

/** A run as figures. Everything but `machine` and `file` depends on the rows alone, however they came about. */
export interface SuiteReport {
  readonly suite: string;
  readonly commit: string;
  readonly judge: string;
  readonly seeds: readonly string[];
  readonly notes: readonly string[];
  readonly questions: QuestionCounts;
  /** The unit of the intervals: whole scenes, or questions if there are too few scenes. */
  readonly intervalsDraw: "scenes" | "questions";
  readonly results: readonly StrategyResult[];
  readonly comparisons: readonly Comparison[];
  readonly failures: Listed<FailureLine> & { readonly byCode: Readonly<Record<string, number>> };
  readonly unparsable: Listed<UnparsableLine>;
  /** Lines that should have been questions. */
  readonly malformedQuestions: Listed<SuiteRun["malformedQuestions"][number]>;
  readonly machine: MachineFigures;
  readonly file: Pick<SuiteRun, "asked" | "reused" | "torn" | "malformed" | "malformedTotal" | "foreign">;
}

export interface QuestionCounts {
  readonly total: number;
  readonly scenes: number;
  readonly unanswerable: number;
  /** Blind-answerable questions; `blindBy` says how that was determined. */
  readonly blindAnswerable: number;
  readonly blindBy: "several blind answerers" | "this run's blind baseline, open questions only" | "unknown";
  readonly byType: Readonly<Record<string, number>>;
}

export interface StrategyResult {
  readonly strategy: string;
  readonly configuration: string;
  readonly models: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly overall: Cell;
  /** Over the questions that are not blind-answerable; null if there are none. */
  readonly withoutBlindAnswerable: Cell | null;
  /** Mean over the types of their match and success: each type counts the same. */
  readonly macro: { readonly match: number; readonly success: number };
  readonly byType: Readonly<Record<string, Cell>>;
  /** By what the truth is: position, binary, count … */
  readonly byAnswer: Readonly<Record<string, Cell>>;
  readonly calibration: Calibration | null;
  readonly abstention: Abstention;
}

/** Abstaining, where there is nothing to know and where there is. */
export interface Abstention {
  readonly unanswerable: number;
  readonly rightlyAbstained: number;
  readonly answeredAnyway: number;
  readonly answerable: number;
  readonly wronglyAbstained: number;
}

export interface Comparison {
  readonly strategy: string;
  readonly against: string;
  readonly match: PairedEstimate;
  readonly success: PairedEstimate;
}

export interface FailureLine extends RowFailure {
  readonly scene: string;
  readonly questionId: string;
  readonly strategy: string;
}

export interface UnparsableLine {
  readonly scene: string;
  readonly questionId: string;
  readonly strategy: string;
  readonly replies: readonly string[];
  /** Whether a retry gave a mark. */
  readonly mended: boolean;
}

export interface Listed<T> {
  readonly total: number;
  /** The first two hundred. */
  readonly shown: readonly T[];
}

export interface MachineFigures {
  readonly wallMs: number;
  readonly latency: Readonly<Record<string, Readonly<Record<string, Latency>>>>;
  /** Mean over the scenes. */
  readonly bytesPerMinute: number | null;
  readonly memoryBytes: number | null;
}

const LISTED = 200;
const BASELINES = ["blind", "uniform", "whole-history"];

export function reportOf(run: SuiteRun): SuiteReport {
  const blind = blindAnswerable(run);
  const questionOf = new Map(
    run.questions.map((planned) => [idOf(planned.scene, planned.question.id), planned.question]),
  );
  const of = (row: Row) => questionOf.get(idOf(row.scene, row.questionId))!;
  const failures = run.rows.flatMap(failureLine);
  return {
    suite: run.suite,
    commit: run.commit,
    judge: run.judge,
    seeds: run.seeds,
    notes: run.notes,
    questions: {
      total: run.questions.length,
      scenes: new Set(run.questions.map(({ scene }) => scene)).size,
      unanswerable: run.questions.filter(({ question }) => !question.answerable).length,
      blindAnswerable: blind.ids.size,
      blindBy: blind.by,
      byType: countBy(run.questions.map(({ question }) => question.type)),
    },
    intervalsDraw:
      new Set(run.rows.map(({ scene }) => scene)).size >= SCENES_TO_DRAW ? "scenes" : "questions",
    results: run.strategies.flatMap((strategy) => resultOf(run, strategy, of, blind.ids) ?? []),
    comparisons: comparisonsOf(run),
    failures: {
      ...listed(failures),
      byCode: countBy(failures.map(({ stage, code }) => `${stage}: ${code}`)),
    },
    unparsable: listed(run.rows.flatMap(unparsableLine)),
    malformedQuestions: listed(run.malformedQuestions),
    machine: machineOf(run),
    file: {
      asked: run.asked,
      reused: run.reused,
      torn: run.torn,
      malformed: run.malformed,
      malformedTotal: run.malformedTotal,
      foreign: run.foreign,
    },
  };
}

function resultOf(
  run: SuiteRun,
  strategy: string,
  of: (row: Row) => QuestionRecord,
  blind: ReadonlySet<string>,
): StrategyResult | null {
  const rows = run.rows.filter((row) => row.strategy === strategy);
  const overall = cellOf(rows);
  if (overall === null) return null;
  const byType = cellsBy(rows, (row) => of(row).type);
  const cells = Object.values(byType);
  return {
    strategy,
    configuration: rows[0]!.configuration,
    models: rows[0]!.models,
    settings: run.settings[strategy] ?? {},
    overall,
    withoutBlindAnswerable: cellOf(rows.filter((row) => !blind.has(idOf(row.scene, row.questionId)))),
    macro: {
      match: meanOf(cells.map(({ match }) => match.value)),
      success: meanOf(cells.map(({ success }) => success.value)),
    },
    byType,
    byAnswer: cellsBy(rows, (row) => of(row).answer.type),
    calibration: calibrationOf(rows),
    abstention: abstentionOf(rows, of),
  };
}

function abstentionOf(rows: readonly Row[], of: (row: Row) => QuestionRecord): Abstention {
  // "No, I looked" answers a yes-or-no question and is not a refusal.
  const abstained = ({ answer }: Row) =>
    answer !== null && answer.status !== "answered" && answer.binary === undefined;
  const nothing = rows.filter((row) => !of(row).answerable);
  const something = rows.filter((row) => of(row).answerable);
  return {
    unanswerable: nothing.length,
    rightlyAbstained: nothing.filter(abstained).length,
    answeredAnyway: nothing.filter((row) => row.answer !== null && !abstained(row)).length,
    answerable: something.length,
    wronglyAbstained: something.filter(abstained).length,
  };
}

/**
 * A question is blind-answerable if the blind baselines tried on it did clearly better than chance (+15 points,
 * docs/formulas.md#questions). If none was tried, this run's own baseline decides, but only for open questions: a
 * single correct guess at yes or no says nothing.
 */
export function isBlindAnswerable(question: QuestionRecord, isGuessed: boolean): boolean {
  const { options, answer, blindAnswerable: share } = question;
  const chance = options !== undefined ? 1 / options.length : answer.type === "binary" ? 0.5 : 0;
  return share !== undefined ? share > chance + 0.15 : chance === 0 && isGuessed;
}

export function blindAnswerable(run: SuiteRun): { ids: Set<string>; by: QuestionCounts["blindBy"] } {
  const tried = run.questions.some(({ question }) => question.blindAnswerable !== undefined);
  const guessed = new Set(
    run.rows.flatMap((row) =>
      row.strategy === "blind" && row.scores.right ? idOf(row.scene, row.questionId) : [],
    ),
  );
  const isBlind = ({ scene, question }: PlannedQuestion) =>
    isBlindAnswerable(question, guessed.has(idOf(scene, question.id)));
  return {
    ids: new Set(run.questions.filter(isBlind).map(({ scene, question }) => idOf(scene, question.id))),
    by: tried
      ? "several blind answerers"
      : run.strategies.includes("blind")
        ? "this run's blind baseline, open questions only"
        : "unknown",
  };
}

/** Every strategy against every baseline, on the same questions. */
function comparisonsOf(run: SuiteRun): Comparison[] {
  const rowsOf = new Map(
    run.strategies.map((id) => [id, run.rows.filter(({ strategy }) => strategy === id)]),
  );
  const others = run.strategies.filter((id) => !BASELINES.includes(id));
  return others.flatMap((strategy) =>
    BASELINES.filter((against) => rowsOf.has(against)).map((against) => {
      const theirs = new Map(rowsOf.get(against)!.map((row) => [idOf(row.scene, row.questionId), row]));
      const pairs = rowsOf
        .get(strategy)!
        .map((mine) => ({ mine, other: theirs.get(idOf(mine.scene, mine.questionId))! }));
      const groups = groupsOf(pairs, ({ mine }) => mine.scene);
      const paired = (value: (row: Row) => number) =>
        pairedBootstrap(
          groups.map((group) => group.map(({ mine, other }) => ({ a: value(mine), b: value(other) }))),
        );
      return {
        strategy,
        against,
        match: paired(({ scores }) => 100 * scores.match),
        success: paired(({ scores }) => (scores.right ? 100 : 0)),
      };
    }),
  );
}

function machineOf(run: SuiteRun): MachineFigures {
  const latency = Object.fromEntries(
    run.strategies.map((id) => {
      const rows = run.rows.filter(({ strategy, answer }) => strategy === id && answer !== null);
      const stages = rows.map(({ answer, machine }) => ({ ...answer!.trace.ms, total: machine.answerMs }));
      return [id, latencyByStage(stages)];
    }),
  );
  const scenes = [...Map.groupBy(run.rows, ({ scene }) => scene).values()].flatMap(
    (rows) => rows.find(({ machine }) => machine.memoryBytes !== undefined)?.machine ?? [],
  );
  const rates = scenes.flatMap(
    ({ memoryBytes, memorySpanUs }) => bytesPerMinute(memoryBytes ?? 0, memorySpanUs ?? 0) ?? [],
  );
  return {
    wallMs: run.wallMs,
    latency,
    bytesPerMinute: rates.length === 0 ? null : meanOf(rates),
    memoryBytes: scenes.length === 0 ? null : meanOf(scenes.map(({ memoryBytes }) => memoryBytes ?? 0)),
  };
}

function failureLine({ failure, scene, questionId, strategy }: Row): FailureLine[] {
  return failure === undefined ? [] : [{ scene, questionId, strategy, ...failure }];
}

function unparsableLine({ verdict, scene, questionId, strategy }: Row): UnparsableLine[] {
  const replies = verdict?.unparsable ?? [];
  return replies.length === 0
    ? []
    : [{ scene, questionId, strategy, replies, mended: verdict?.score != null }];
}

function cellsBy(rows: readonly Row[], keyOf: (row: Row) => string): Record<string, Cell> {
  const groups = [...Map.groupBy(rows, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(groups.map(([key, group]) => [key, cellOf(group)!]));
}

function countBy(keys: readonly string[]): Record<string, number> {
  const groups = [...Map.groupBy(keys, (key) => key)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(groups.map(([key, group]) => [key, group.length]));
}

function listed<T>(all: readonly T[]): Listed<T> {
  return { total: all.length, shown: all.slice(0, LISTED) };
}

function idOf(scene: string, questionId: string): string {
  return `${scene}/${questionId}`;
}

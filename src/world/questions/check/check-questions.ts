import type { QuestionRecord } from "../../../schema/index.ts";
import { checkQuestion } from "./check-question.ts";
import { Truth } from "./truth.ts";

/** The result of checking many questions. */
export interface QuestionReport {
  readonly count: number;
  readonly faults: readonly { readonly id: string; readonly subtype: string; readonly fault: string }[];
  readonly yes: number;
  readonly no: number;
  /** How often the right option was the first, the second, … */
  readonly letters: readonly number[];
  readonly unanswerable: Readonly<Record<string, number>>;
  readonly bySubtype: Readonly<Record<string, number>>;
  /** Mean share of correct blind baselines. */
  readonly blind: number;
  readonly withPath: number;
}

/** 0.1 % point of chi-square with three degrees of freedom: uniform positions exceed it once in a thousand. */
export const CHI_SQUARE_LIMIT = 16.27;

/** Checks questions against truth.json of the recording they are about. */
export function checkQuestions(questions: readonly QuestionRecord[], truthDocument: unknown): QuestionReport {
  const truth = new Truth(truthDocument);
  const faults = questions.flatMap((question) => {
    const fault = checkQuestion(question, truth);
    return fault === undefined ? [] : [{ id: question.id, subtype: question.subtype, fault }];
  });
  return { ...tally(questions), faults };
}

/** The counts of many reports together. */
export function mergeReports(reports: readonly QuestionReport[]): QuestionReport {
  const count = sum(reports.map((r) => r.count));
  const together = (pick: (report: QuestionReport) => Readonly<Record<string, number>>) => {
    const all: Record<string, number> = {};
    for (const report of reports)
      for (const [key, n] of Object.entries(pick(report))) all[key] = (all[key] ?? 0) + n;
    return all;
  };
  return {
    count,
    faults: reports.flatMap((r) => r.faults),
    yes: sum(reports.map((r) => r.yes)),
    no: sum(reports.map((r) => r.no)),
    letters: [0, 1, 2, 3].map((i) => sum(reports.map((r) => r.letters[i] ?? 0))),
    unanswerable: together((r) => r.unanswerable),
    bySubtype: together((r) => r.bySubtype),
    blind: count === 0 ? 0 : sum(reports.map((r) => r.blind * r.count)) / count,
    withPath: sum(reports.map((r) => r.withPath)),
  };
}

/** Pearson's statistic against equally likely positions. */
export function chiSquare(counts: readonly number[]): number {
  const expected = sum(counts) / counts.length;
  return expected === 0 ? 0 : sum(counts.map((n) => (n - expected) ** 2 / expected));
}

function tally(questions: readonly QuestionRecord[]): Omit<QuestionReport, "faults"> {
  const binary = questions.flatMap(({ answer }) => (answer.type === "binary" ? [answer.value] : []));
  const letters = [0, 0, 0, 0];
  const unanswerable: Record<string, number> = {};
  const bySubtype: Record<string, number> = {};
  for (const { answer, unanswerableReason: reason, subtype } of questions) {
    if (answer.type === "choice") letters[answer.letter.charCodeAt(0) - 65]!++;
    if (reason !== undefined) unanswerable[reason] = (unanswerable[reason] ?? 0) + 1;
    bySubtype[subtype] = (bySubtype[subtype] ?? 0) + 1;
  }
  return {
    count: questions.length,
    yes: binary.filter((value) => value).length,
    no: binary.filter((value) => !value).length,
    letters,
    unanswerable,
    bySubtype,
    blind: questions.length === 0 ? 0 : sum(questions.map((q) => q.blindAnswerable ?? 0)) / questions.length,
    withPath: questions.filter(({ minPath }) => minPath !== undefined).length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

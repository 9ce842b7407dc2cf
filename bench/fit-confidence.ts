/**
 * Fits src/reasoning/confidence-table.ts: how often answers with such features were right. Logistic regression with a
 * ridge towards the table of before (bench/confidence-prior.ts); Newton steps until nothing changes, so the same rows give
 * the same table. Reads rows that `loci eval people --out ROWS.jsonl` wrote, or other rows with the features in the plan of
 * each answer's trace, or lines {"features": …, "right": …}. Questions that the reader was fitted on are left out: it is
 * surer of them than of any other. Prints figures that are cross-validated by writer (two houses each), else by question, to
 * stderr, and the table to stdout.
 *
 *     node bench/fit-confidence.ts ROWS.jsonl... > table.ts && mv table.ts src/reasoning/confidence-table.ts
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FEATURE_NAMES, type Features, vectorOf } from "../src/reasoning/confidence.ts";
import { PRIOR_BIAS, PRIOR_WEIGHTS } from "./confidence-prior.ts";

export interface Row {
  readonly features: Features;
  readonly right: boolean;
  /** Rows of one writer, else of one question, are never on both sides of a fold. */
  readonly key: string;
}

interface Table {
  readonly weights: readonly number[];
  readonly bias: ReadonlyMap<string, number>;
}

/** What may speak for an answer; the rest speaks against it at least a little, whatever few rows say. */
const FOR: ReadonlySet<string> = new Set(["one", "p", "refused", "refused in doubt"]);

const FOLDS = 5;
/** Strength of the pull towards the table of before: on its weights and steps of operators, and on what it does not have. */
const RIDGE = 8;
const NEW_RIDGE = 1;
/**
 * A wrong answer counts so much. Of the answers to six sets of strangers' questions about 18 % were wrong at first contact, 9 % after their
 * failures were read and mended (docs/scores.md#questions-by-people): strangers meet the former.
 */
const WRONG_COUNTS = 2;
/** Operators with fewer answers have no step of their own. */
const MIN_ANSWERS = 25;
const MAX_STEPS = 50;

/** The table that explains the rows best. */
export function fitted(rows: readonly Row[], wrongCounts = 1): Table {
  const counts = new Map<string, number>();
  for (const { features } of rows) counts.set(features.op, (counts.get(features.op) ?? 0) + 1);
  const many = [...counts].filter(([, n]) => n >= MIN_ANSWERS).map(([op]) => op);
  const ops = [...new Set([...Object.keys(PRIOR_BIAS), ...many])].sort();
  const size = FEATURE_NAMES.length + ops.length;
  const inputs = rows.map(({ features }) => [
    ...vectorOf(features),
    ...ops.map((op) => (op === features.op ? 1 : 0)),
  ]);
  const before = [
    ...FEATURE_NAMES.map((name) => PRIOR_WEIGHTS[name]),
    ...ops.map((op) => PRIOR_BIAS[op] ?? 0),
  ];
  const ridge = before.map((weight, n) => (n === 0 ? 0.05 : weight === undefined ? NEW_RIDGE : RIDGE));
  const prior = before.map((weight) => weight ?? 0);
  let weights = prior;
  for (let step = 0; step < MAX_STEPS; step++) {
    const gradient = weights.map((w, n) => -ridge[n]! * (w - prior[n]!));
    const hessian = Array.from({ length: size }, (_, n) => {
      const row = new Array<number>(size).fill(0);
      row[n] = ridge[n]!;
      return row;
    });
    for (const [at, x] of inputs.entries()) {
      const p = sigmoid(dot(weights, x));
      const { right } = rows[at]!;
      const counts = right ? 1 : wrongCounts;
      const off = counts * ((right ? 1 : 0) - p);
      const slope = counts * Math.max(1e-6, p * (1 - p));
      for (let i = 0; i < size; i++) {
        if (x[i] === 0) continue;
        gradient[i]! += off * x[i]!;
        for (let j = 0; j < size; j++) hessian[i]![j]! += slope * x[i]! * x[j]!;
      }
    }
    const change = solve(hessian, gradient);
    weights = weights.map((w, n) => w + change[n]!);
    if (Math.max(...change.map(Math.abs)) < 1e-9) break;
  }
  return {
    weights: weights.slice(0, FEATURE_NAMES.length),
    bias: new Map(ops.map((op, n) => [op, weights[FEATURE_NAMES.length + n]!])),
  };
}

export function predict({ weights, bias }: Table, features: Features): number {
  const p = sigmoid(dot(weights, vectorOf(features)) + (bias.get(features.op) ?? 0));
  return Math.min(0.98, Math.max(0.03, p));
}

/** What the table would have said of questions that it was not fitted on. */
export function crossValidated(
  rows: readonly Row[],
  wrongCounts = 1,
): { readonly p: number; readonly right: boolean; readonly answered: boolean }[] {
  const folds = rows.map(({ key }) => hashOf(key) % FOLDS);
  return Array.from({ length: FOLDS }, (_, fold) => {
    const table = fitted(
      rows.filter((_, n) => folds[n] !== fold),
      wrongCounts,
    );
    return rows
      .filter((_, n) => folds[n] === fold)
      .map(({ features, right }) => ({ p: predict(table, features), right, answered: features.answered }));
  }).flat();
}

export function figuresOf(said: readonly { readonly p: number; readonly right: boolean }[]) {
  const mean = (values: readonly number[]) =>
    values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
  const [right, wrong] = [said.filter((one) => one.right), said.filter((one) => !one.right)];
  const bins = Array.from({ length: 10 }, (_, n) =>
    said.filter(({ p }) => Math.min(9, Math.floor(p * 10)) === n),
  );
  const off = (bin: typeof said) =>
    Math.abs(mean(bin.map(({ p }) => p)) - mean(bin.map((one) => (one.right ? 1 : 0))));
  return {
    n: said.length,
    right: right.length / said.length,
    meanOfRight: mean(right.map(({ p }) => p)),
    meanOfWrong: mean(wrong.map(({ p }) => p)),
    /** How often a right one is surer than a wrong one. */
    auc: mean(wrong.map((low) => mean(right.map(({ p }) => (p > low.p ? 1 : p === low.p ? 0.5 : 0))))),
    brier: mean(said.map((one) => (one.p - (one.right ? 1 : 0)) ** 2)),
    calibrationError: bins.reduce(
      (sum, bin) => (bin.length === 0 ? sum : sum + (bin.length / said.length) * off(bin)),
      0,
    ),
  };
}

interface RiskStep {
  readonly atLeast: number;
  readonly answers: number;
  readonly wrong: number;
}

/** From a coin to certainty, in steps of two hundredths. */
function riskSteps(said: readonly { readonly p: number; readonly right: boolean }[]): RiskStep[] {
  return Array.from({ length: 25 }, (_, n) => (50 + 2 * n) / 100).flatMap((atLeast) => {
    const sure = said.filter(({ p }) => p >= atLeast);
    const wrong = sure.filter(({ right }) => !right).length;
    return sure.length === 0 ? [] : [{ atLeast, answers: sure.length, wrong }];
  });
}

function sigmoid(z: number): number {
  return 1 / (1 + Math.exp(-z));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, n) => sum + value * b[n]!, 0);
}

/** Gauss with pivots; the ridge keeps the matrix from being singular. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, n) => [...row, right[n]!]);
  const n = rows.length;
  for (let i = 0; i < n; i++) {
    const pivot = rows
      .slice(i)
      .reduce((best, row, k) => (Math.abs(row[i]!) > Math.abs(rows[best]![i]!) ? i + k : best), i);
    [rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!];
    for (let k = i + 1; k < n; k++) {
      const by = rows[k]![i]! / rows[i]![i]!;
      if (by !== 0) for (let j = i; j <= n; j++) rows[k]![j]! -= by * rows[i]![j]!;
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let sum = rows[i]![n]!;
    for (let j = i + 1; j < n; j++) sum -= rows[i]![j]! * x[j]!;
    x[i] = sum / rows[i]![i]!;
  }
  return x;
}

/** FNV-1a: the same question is in the same fold on every machine. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193) >>> 0;
  return hash;
}

const PAIRS = join(import.meta.dirname, "../training/reader/pairs");

/** The questions that the reader was fitted on. */
function fittedOn(): ReadonlySet<string> {
  const lines = readdirSync(PAIRS).flatMap((file) => readFileSync(join(PAIRS, file), "utf8").split("\n"));
  return new Set(lines.map((line) => plain(line.split("\t")[0]!)));
}

function plain(question: string): string {
  return (question.toLowerCase().match(/[a-z0-9']+/g) ?? []).join(" ");
}

function rowsIn(file: string, held: ReadonlySet<string>): Row[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, n) => {
      if (line === "") return [];
      const { features, right, answer, scores, question, house } = JSON.parse(line);
      const own = features ?? answer?.trace?.plan?.features;
      const isRight = right ?? scores?.right;
      const asked: string | undefined = answer?.question ?? question;
      if (own === undefined || typeof isRight !== "boolean" || held.has(plain(asked ?? ""))) return [];
      const writer = typeof house === "number" ? Math.ceil(house / 2) : undefined;
      const key = String(writer ?? asked ?? `${file}:${n}`);
      return [{ features: own, right: isRight, key }];
    });
}

function tableText({ weights, bias }: Table, rows: number, steps: readonly RiskStep[]): string {
  const round = (value: number) => Math.round(value * 1_000) / 1_000;
  const key = (name: string) => (/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name));
  const record = (entries: readonly (readonly [string, number])[]) =>
    entries.map(([name, value]) => `  ${key(name)}: ${round(value)},`).join("\n");
  return `/** Written by bench/fit-confidence.ts from ${rows} answers. */
export const WEIGHTS: Readonly<Record<string, number>> = {
${record(FEATURE_NAMES.map((name, n) => [name, FOR.has(name) ? weights[n]! : Math.min(-0.1, weights[n]!)]))}
};

/** Of answers at least so sure, how many there were and how many were wrong: cross-validated, each by a table that did not know it. */
export const RISK_STEPS: readonly {
  readonly atLeast: number;
  readonly answers: number;
  readonly wrong: number;
}[] = [
${steps.map(({ atLeast, answers, wrong }) => `  { atLeast: ${atLeast}, answers: ${answers}, wrong: ${wrong} },`).join("\n")}
];

/** Kinds of question that come out better or worse than the rest by themselves. */
export const OPERATOR_BIAS: Readonly<Record<string, number>> = {
${record([...bias])}
};
`;
}

if (import.meta.main) {
  const held = fittedOn();
  const rows = process.argv.slice(2).flatMap((file) => rowsIn(file, held));
  if (rows.length === 0)
    throw new Error("expected files with rows of eval --out, or lines {features, right}");
  for (const counts of [1, WRONG_COUNTS]) {
    const figures = figuresOf(crossValidated(rows, counts).filter(({ answered }) => answered));
    process.stderr.write(
      `answers, wrong ones counting ${counts}, cross-validated: ${JSON.stringify(figures)}\n`,
    );
  }
  const steps = riskSteps(crossValidated(rows, WRONG_COUNTS).filter(({ answered }) => answered));
  process.stdout.write(tableText(fitted(rows, WRONG_COUNTS), rows.length, steps));
}

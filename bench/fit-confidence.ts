/**
 * Fits src/reasoning/confidence-table.ts: how often answers with such features were right. Logistic regression with a
 * ridge (bench/logistic.ts), so the same rows give the same table. Reads rows that `loci eval people --out ROWS.jsonl` wrote, or other rows with the features in the plan of
 * each answer's trace, or lines {"features": …, "right": …}. Questions that the reader was fitted on are left out: it is
 * surer of them than of any other. Prints figures that are cross-validated by writer (two houses each), else by question, to
 * stderr, and the table to stdout.
 *
 *     node bench/fit-confidence.ts ROWS.jsonl... > table.ts && mv table.ts src/reasoning/confidence-table.ts
 *
 * With --from-shipped the weights are drawn towards those of the shipped table instead of towards nothing: a few hundred rows of
 * places that nobody read correct what thousands of read ones taught, and change little where they say little.
 *
 * With --risk-only the weights stay, and the answers of the rows, as sure as they were said to be, are added to what
 * `--risk` counts: rows of places that the weights were not fitted on.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { confidenceOf, FEATURE_NAMES, type Features, vectorOf } from "../src/reasoning/confidence.ts";
import { OPERATOR_BIAS, RISK_STEPS, WEIGHTS } from "../src/reasoning/confidence-table.ts";
import { fit, type Sample } from "./logistic.ts";

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

/** What may speak for an answer or against it, as rows say; the rest speaks against it at least a little, whatever few rows say. */
const FREE: ReadonlySet<string> = new Set(
  "one p refused changes doings relations rest which".split(" ").concat("refused in doubt"),
);
const AGAINST = -0.1;

const FOLDS = 5;
/** Strength of the pull of every weight towards nothing, or towards the shipped one. */
const RIDGE = 1;
const RIDGE_FROM_SHIPPED = 3;
/**
 * A wrong answer counts so often in the fit. Of the rows' answers 10 % are wrong, after failures in them were read and mended; of answers to
 * strangers at first contact about 25 % (docs/scores.md#questions-by-people): (.25 / .75) / (.1 / .9).
 */
const WRONG_COUNTS = 3;
/** And so often in what `--risk` counts: of the answers about the six places asked of last 18 % are wrong, (.18 / .82) / (.1 / .9). */
const WRONG_COUNTS_FOR_RISK = 2;
/** Operators with fewer answers have no step of their own. */
const MIN_ANSWERS = 15;

/** The table that explains the rows best. */
export function fitted(rows: readonly Row[], wrongCounts = 1, isFromShipped = false): Table {
  const counts = new Map<string, number>();
  for (const { features } of rows) counts.set(features.op, (counts.get(features.op) ?? 0) + 1);
  const own = [...counts].filter(([, n]) => n >= MIN_ANSWERS).map(([op]) => op);
  const ops = [...new Set([...own, ...(isFromShipped ? Object.keys(OPERATOR_BIAS) : [])])].sort();
  const samples = rows.flatMap(({ features, right }) => {
    const x = Float64Array.from([...vectorOf(features), ...ops.map((op) => (op === features.op ? 1 : 0))]);
    const one: Sample = { x, y: right ? 1 : 0 };
    return new Array<Sample>(right ? 1 : wrongCounts).fill(one);
  });
  const shipped = [
    ...FEATURE_NAMES.map((name) => WEIGHTS[name] ?? 0),
    ...ops.map((op) => OPERATOR_BIAS[op] ?? 0),
  ];
  const weights = isFromShipped
    ? fit(samples, RIDGE_FROM_SHIPPED, Float64Array.from(shipped))
    : fit(samples, RIDGE, new Float64Array(shipped.length));
  return {
    weights: [...weights.subarray(0, FEATURE_NAMES.length)].map(signed),
    bias: new Map(ops.map((op, n) => [op, weights[FEATURE_NAMES.length + n]!])),
  };
}

function signed(weight: number, n: number): number {
  return FREE.has(FEATURE_NAMES[n]!) ? weight : Math.min(AGAINST, weight);
}

export function predict({ weights, bias }: Table, features: Features): number {
  const p = sigmoid(dot(weights, vectorOf(features)) + (bias.get(features.op) ?? 0));
  return Math.min(0.98, Math.max(0.03, p));
}

/** What the table would have said of questions that it was not fitted on. */
export function crossValidated(
  rows: readonly Row[],
  wrongCounts = 1,
  isFromShipped = false,
): { readonly p: number; readonly right: boolean; readonly answered: boolean }[] {
  const folds = rows.map(({ key }) => hashOf(key) % FOLDS);
  return Array.from({ length: FOLDS }, (_, fold) => {
    const table = fitted(
      rows.filter((_, n) => folds[n] !== fold),
      wrongCounts,
      isFromShipped,
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
export function riskSteps(
  said: readonly { readonly p: number; readonly right: boolean }[],
  wrongCounts: number,
): RiskStep[] {
  return Array.from({ length: 25 }, (_, n) => (50 + 2 * n) / 100).flatMap((atLeast) => {
    const sure = said.filter(({ p }) => p >= atLeast);
    const right = sure.filter((one) => one.right).length;
    const wrong = wrongCounts * (sure.length - right);
    return sure.length === 0 ? [] : [{ atLeast, answers: right + wrong, wrong }];
  });
}

function sigmoid(z: number): number {
  return 1 / (1 + Math.exp(-z));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, n) => sum + value * b[n]!, 0);
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

/** What was answered, how sure it was said to be, and whether it was right. */
function saidIn(file: string): { readonly p: number; readonly right: boolean }[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      if (line === "") return [];
      const { features, right, confidence } = JSON.parse(line);
      return features?.answered && typeof right === "boolean" ? [{ p: confidence, right }] : [];
    });
}

function stepsText(steps: readonly RiskStep[]): string {
  const lines = steps.map(
    ({ atLeast, answers, wrong }) => `  { atLeast: ${atLeast}, answers: ${answers}, wrong: ${wrong} },`,
  );
  return lines.join("\n");
}

function tableText({ weights, bias }: Table, rows: number, steps: readonly RiskStep[]): string {
  const round = (value: number) => Math.round(value * 100) / 100;
  const key = (name: string) => (/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name));
  const record = (entries: readonly (readonly [string, number])[]) =>
    entries.map(([name, value]) => `  ${key(name)}: ${round(value)},`).join("\n");
  return `/** Written by bench/fit-confidence.ts from ${rows} answers. */
export const WEIGHTS: Readonly<Record<string, number>> = {
${record(FEATURE_NAMES.map((name, n) => [name, weights[n]!]))}
};

/** Of answers at least so sure, how many there were and how many were wrong: cross-validated by writer. */
export const RISK_STEPS: readonly {
  readonly atLeast: number;
  readonly answers: number;
  readonly wrong: number;
}[] = [
${stepsText(steps)}
];

/** Kinds of question that come out better or worse than the rest by themselves. */
export const OPERATOR_BIAS: Readonly<Record<string, number>> = {
${record([...bias])}
};
`;
}

/** Of answers said to be as sure as this, how many were right. */
const VERY_SURE = 0.9;

function said(rows: readonly { readonly p: number; readonly right: boolean }[]): string {
  const sure = rows.filter(({ p }) => p >= VERY_SURE);
  const right = sure.length === 0 ? Number.NaN : sure.filter((one) => one.right).length / sure.length;
  return `${JSON.stringify(figuresOf(rows))}, right of ${sure.length} said at ${VERY_SURE} or more: ${right}`;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: {
      "from-shipped": { type: "boolean", default: false },
      "risk-only": { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const isFromShipped = values["from-shipped"];
  const held = fittedOn();
  const rows = positionals.flatMap((file) => rowsIn(file, held));
  if (rows.length === 0)
    throw new Error("expected files with rows of eval --out, or lines {features, right}");
  if (values["risk-only"]) {
    const more = riskSteps(positionals.flatMap(saidIn), 1);
    const steps = RISK_STEPS.map(({ atLeast, answers, wrong }, n) => ({
      atLeast,
      answers: answers + (more[n]?.answers ?? 0),
      wrong: wrong + (more[n]?.wrong ?? 0),
    }));
    process.stdout.write(stepsText(steps));
    process.exit();
  }
  const asShipped = rows.map(({ features, right }) => ({ p: confidenceOf(features), right, features }));
  process.stderr.write(`as shipped: ${said(asShipped.filter(({ features }) => features.answered))}\n`);
  for (const counts of [1, WRONG_COUNTS]) {
    const answers = crossValidated(rows, counts, isFromShipped).filter(({ answered }) => answered);
    process.stderr.write(`wrong ones counting ${counts}, cross-validated: ${said(answers)}\n`);
  }
  // Rows of places that nobody read have as many wrong answers as there are: they count once.
  const counts = isFromShipped ? 1 : WRONG_COUNTS;
  const steps = riskSteps(
    crossValidated(rows, counts, isFromShipped).filter(({ answered }) => answered),
    isFromShipped ? 1 : WRONG_COUNTS_FOR_RISK,
  );
  process.stdout.write(tableText(fitted(rows, counts, isFromShipped), rows.length, steps));
}

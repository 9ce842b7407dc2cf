import { brier, expectedCalibrationError, type Forecast } from "../metrics/calibration.ts";
import { type Estimate, groupedBootstrap, meanOf, ranksOf } from "../statistics.ts";
import type { Expectation, Reason } from "./expectation.ts";
import { REASONS, reasonsOf } from "./expectation.ts";
import type { Verdict } from "./mark.ts";
import type { PeopleQuestion } from "./questions.ts";

/** One question with its result: a line of `--out`, for people to read. */
export interface PeopleRow {
  readonly house: number;
  readonly id: string;
  readonly kind: PeopleQuestion["kind"];
  readonly voice: PeopleQuestion["voice"];
  readonly question: string;
  readonly expect: Expectation;
  readonly status: string;
  readonly text: string;
  /** The typed fields that were filled. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly confidence: number;
  readonly verdict: Verdict;
  readonly why?: string;
  /** The features behind the confidence, and whether it was right: training data for bench/fit-confidence.ts. */
  readonly features?: unknown;
  readonly right?: boolean;
}

/** Percentages with 95 % intervals over whole houses. */
export interface PeopleReport {
  readonly questions: number;
  readonly houses: number;
  readonly rightOrRightlyRefused: Estimate;
  readonly wronglyRefused: Estimate;
  /** Of the questions with a false premise or an unknowable answer. */
  readonly falsePremisesAndUnanswerables: Estimate | null;
  /** For answers, not refusals: the mean confidence of right and of wrong ones. */
  readonly confidence: {
    readonly right: number | null;
    readonly wrong: number | null;
    readonly gap: number | null;
    /** Probability that a right answer has a higher confidence than a wrong one. */
    readonly auc: number | null;
    readonly calibrationError: number | null;
    readonly brier: number | null;
  };
  readonly byReason: Readonly<Record<string, Estimate>>;
  readonly byKind: Readonly<Record<string, Estimate>>;
  readonly byVoice: Readonly<Record<string, Estimate>>;
  /** The commits that ingested the recordings, and the one that answered. */
  readonly commit: string;
  readonly memoriesBy: readonly string[];
}

const isRight = ({ verdict }: PeopleRow) => verdict === "right" || verdict === "rightly-refused";
const UNKNOWABLE: readonly Reason[] = ["unknown", "false-premise"];

export function reportOf(
  rows: readonly PeopleRow[],
  made: { readonly commit: string; readonly memoriesBy: readonly string[] },
): PeopleReport {
  const unknowable = rows.filter(({ expect }) =>
    reasonsOf(expect).some((reason) => UNKNOWABLE.includes(reason)),
  );
  return {
    questions: rows.length,
    houses: new Set(rows.map(({ house }) => house)).size,
    rightOrRightlyRefused: share(rows, isRight),
    wronglyRefused: share(rows, ({ verdict }) => verdict === "wrongly-refused"),
    falsePremisesAndUnanswerables: unknowable.length === 0 ? null : share(unknowable, isRight),
    confidence: confidenceOf(rows),
    byReason: Object.fromEntries(
      REASONS.flatMap((reason) => {
        const due = rows.filter(({ expect }) => reasonsOf(expect).includes(reason));
        return due.length === 0 ? [] : [[reason, share(due, isRight)]];
      }),
    ),
    byKind: sharesBy(rows, ({ kind }) => kind),
    byVoice: sharesBy(rows, ({ voice }) => voice),
    ...made,
  };
}

function share(rows: readonly PeopleRow[], holds: (row: PeopleRow) => boolean): Estimate {
  const houses = [...Map.groupBy(rows, ({ house }) => house).values()];
  return groupedBootstrap(houses.map((own) => own.map((row) => (holds(row) ? 100 : 0))));
}

function sharesBy(rows: readonly PeopleRow[], nameOf: (row: PeopleRow) => string): Record<string, Estimate> {
  const groups = [...Map.groupBy(rows, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(groups.map(([name, own]) => [name, share(own, isRight)]));
}

function confidenceOf(rows: readonly PeopleRow[]): PeopleReport["confidence"] {
  const answered = rows.filter(({ status }) => status === "answered");
  const mean = (which: readonly PeopleRow[]) =>
    which.length === 0 ? null : meanOf(which.map(({ confidence }) => confidence));
  const right = mean(answered.filter(isRight));
  const wrong = mean(answered.filter((row) => !isRight(row)));
  const forecasts = answered.map((row) => ({ confidence: row.confidence, right: isRight(row) }));
  return {
    right,
    wrong,
    gap: right === null || wrong === null ? null : right - wrong,
    auc: aucOf(forecasts),
    calibrationError: expectedCalibrationError(forecasts),
    brier: brier(forecasts),
  };
}

/** By rank sums (Mann and Whitney); null if all are right or all wrong. */
function aucOf(forecasts: readonly Forecast[]): number | null {
  const ranks = ranksOf(forecasts.map(({ confidence }) => confidence));
  const right = ranks.filter((_, n) => forecasts[n]!.right);
  const pairs = right.length * (ranks.length - right.length);
  const least = (right.length * (right.length + 1)) / 2;
  return pairs === 0 ? null : (right.reduce((sum, rank) => sum + rank, 0) - least) / pairs;
}

export function formatPeopleReport(report: PeopleReport): string {
  const { confidence } = report;
  const figure = (value: number | null) => (value === null ? "–" : value.toFixed(2));
  const part = (title: string, shares: Readonly<Record<string, Estimate>>) => [
    "",
    title,
    ...Object.entries(shares).map(([name, estimate]) => line(`  ${name}`, estimate)),
  ];
  return [
    `${report.questions} questions by people about ${report.houses} houses; answered by ${report.commit}, memories made by ${report.memoriesBy.join(", ")}`,
    "",
    line("right or rightly refused", report.rightOrRightlyRefused),
    line("wrongly refused", report.wronglyRefused),
    ...(report.falsePremisesAndUnanswerables
      ? [line("false premises, unanswerables", report.falsePremisesAndUnanswerables)]
      : []),
    `confidence of right answers ${figure(confidence.right)}, of wrong ones ${figure(confidence.wrong)}, gap ${figure(confidence.gap)}`,
    `told apart (AUC) ${figure(confidence.auc)}, calibration error ${figure(confidence.calibrationError)}, Brier ${figure(confidence.brier)}`,
    ...part("refusals due, right by reason", report.byReason),
    ...part("right by kind", report.byKind),
    ...part("right by voice", report.byVoice),
  ].join("\n");
}

function line(name: string, { value, low, high, n }: Estimate): string {
  return `${name.padEnd(32)} ${value.toFixed(1).padStart(5)} % [${low.toFixed(1)}, ${high.toFixed(1)}]  n ${n}`;
}

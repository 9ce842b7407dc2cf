import type { ExperimentReport } from "../experiment.ts";
import { ALL, HEADLINE, MACRO } from "../figures.ts";
import type { ReportRow } from "../mark.ts";
import type { ExperimentRun } from "../run-experiment.ts";

/** A run as a table and its claims, for a terminal or as Markdown. */
export function experimentText({ report, shows }: ExperimentRun): string {
  return [
    `${report.experiment}: ${shows}`,
    "",
    ...tablesOf(report).flatMap(({ title, head, lines }) => [title, ...aligned([head, ...lines]), ""]),
    ...claimLines(report),
    "",
    report.limits,
  ].join("\n");
}

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

/** One table a suite: configurations down, parts of the suite and other figures across. */
export function tablesOf({ rows }: ExperimentReport): Table[] {
  return [...Map.groupBy(rows, ({ suite }) => suite)].map(([suite, own]) => {
    const columns = columnsOf(own);
    const cells = Map.groupBy(own, ({ config }) => config);
    return {
      title: suite,
      head: ["", ...columns.map(({ title }) => title)],
      lines: [...cells].map(([config, figures]) => [
        config,
        ...columns.map((column) => figureText(figures.find((row) => isIn(row, column)))),
      ]),
    };
  });
}

interface Column {
  readonly title: string;
  readonly slice: string;
  readonly metric: string;
}

/** What is correct in every part, then the mean over types, then the other figures over all. */
function columnsOf(rows: readonly ReportRow[]): Column[] {
  const all = new Map<string, Column>();
  const add = (slice: string, metric: string, title: string) =>
    all.set(`${slice}/${metric}`, { slice, metric, title });
  for (const { slice, metric } of rows) if (metric === HEADLINE) add(slice, metric, `${slice} %`);
  for (const { slice, metric } of rows)
    if (metric !== HEADLINE && slice === ALL)
      add(slice, metric, metric === MACRO ? "mean over types %" : metric);
  return [...all.values()];
}

function isIn(row: ReportRow, column: Column): boolean {
  return row.slice === column.slice && row.metric === column.metric;
}

function figureText(row: ReportRow | undefined): string {
  if (!row) return "–";
  const text = (value: number) => (Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2));
  return `${text(row.value)} [${text(row.low)}, ${text(row.high)}]`;
}

function claimLines({ claims }: ExperimentReport): string[] {
  return claims.map(({ id, text, holds }) => `${holdsText(holds).padEnd(13)} ${id}: ${text}`);
}

export function holdsText(holds: boolean | null): string {
  return holds === null ? "not measured" : holds ? "holds" : "does not hold";
}

function aligned(lines: readonly (readonly string[])[]): string[] {
  const widths = lines[0]!.map((_, n) => Math.max(...lines.map((line) => line[n]!.length)));
  return lines.map((line) =>
    line
      .map((cell, n) => cell.padEnd(widths[n]!))
      .join("  ")
      .trimEnd(),
  );
}

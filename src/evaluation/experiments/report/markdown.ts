import type { ExperimentRun } from "../run-experiment.ts";
import { holdsText, tablesOf } from "./text.ts";

/** A run as Markdown, for documents: claims, tables, limits. */
export function experimentMarkdown({ report, shows }: ExperimentRun): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = (rows: readonly (readonly string[])[]) => [
    line(rows[0]!),
    line(rows[0]!.map(() => "---")),
    ...rows.slice(1).map(line),
  ];
  return [
    `## ${report.experiment}`,
    "",
    `${shows}. ${report.n} items, seeds ${report.seeds.join(", ")}.`,
    "",
    ...table([["claim", ""], ...report.claims.map(({ text, holds }) => [text, holdsText(holds)])]),
    "",
    ...tablesOf(report).flatMap(({ title, head, lines }) => [
      `### ${title}`,
      "",
      ...table([head, ...lines]),
      "",
    ]),
    report.limits,
    "",
  ].join("\n");
}

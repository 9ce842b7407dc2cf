import type { Cell } from "./cell.ts";
import type { StrategyResult, SuiteReport } from "./report.ts";

const FIGURES: readonly (readonly [key: string, title: string, digits: number, median?: boolean])[] = [
  ["recall@6", "recall@6", 2],
  ["recall@all", "recall", 2],
  ["trackRecall@all", "track recall", 2],
  ["redundancy", "redundancy", 2],
  ["contextTokens", "context tokens", 0],
  ["citationPrecision", "citation precision", 2],
  ["citationRecall", "citation recall", 2],
  ["l2M", "median place error m", 2, true],
  ["geodesicM", "median walk error m", 2, true],
  ["timeS", "median time error s", 0, true],
  ["durationS", "median duration error s", 0, true],
  ["countOff", "count MAE", 2],
  ["relativeAccuracy", "relative accuracy", 2],
  ["setF1", "set F1", 2],
  ["rougeL", "ROUGE-L", 2],
  ["grounded", "grounded", 2],
  ["consistent", "consistent", 2],
  ["splM", "SPL (m)", 3],
  ["splSteps", "SPL (steps)", 3],
  ["normalisedSteps", "normalised steps", 2],
];
const LINES_SHOWN = 10;

/** The report as text: the strategies side by side, then by type, then everything that went wrong. */
export function formatReport(report: SuiteReport): string {
  return [
    heading(report),
    mainTable(report),
    figureTable(report),
    typeTable(report),
    comparisonLines(report),
    honestyLines(report),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function heading({
  suite,
  questions,
  judge,
  commit,
  seeds,
  notes,
  results,
  intervalsDraw,
}: SuiteReport): string {
  const { total, scenes, unanswerable, blindAnswerable, blindBy } = questions;
  return [
    `${suite}: ${total} questions about ${scenes} ${scenes === 1 ? "scene" : "scenes"}, ${unanswerable} without an answer; judge ${judge}; commit ${commit}`,
    `blind-answerable: ${blindAnswerable} (by ${blindBy}); 95 % intervals draw ${intervalsDraw}; ${seeds.length} ${seeds.length === 1 ? "seed" : "seeds"}`,
    `answerers: ${results.map(({ strategy, settings }) => `${strategy} by ${settings["answerer"] ?? "itself"}`).join(", ")}`,
    ...notes.slice(0, LINES_SHOWN),
  ].join("\n");
}

function mainTable({ results }: SuiteReport): string {
  const heads = [
    "strategy",
    "match %",
    "without blind",
    "macro",
    "right %",
    "answered",
    "failed",
    "no mark",
    "ECE",
    "abstained rightly",
    "wrongly",
  ];
  return table(
    heads,
    results.map((result) => {
      const { strategy, overall, withoutBlindAnswerable, macro, calibration, abstention } = result;
      return [
        strategy,
        estimate(overall.match),
        withoutBlindAnswerable === null
          ? "–"
          : `${estimate(withoutBlindAnswerable.match)} n=${withoutBlindAnswerable.n}`,
        macro.match.toFixed(1),
        estimate(overall.success),
        `${overall.answered}/${overall.n}`,
        String(overall.failed),
        String(overall.withoutMark),
        calibration === null ? "–" : calibration.ece.toFixed(2),
        `${abstention.rightlyAbstained}/${abstention.unanswerable}`,
        `${abstention.wronglyAbstained}/${abstention.answerable}`,
      ];
    }),
  );
}

function figureTable({ results, machine }: SuiteReport): string {
  const used = FIGURES.filter(([key]) => results.some(({ overall }) => overall.figures[key] !== undefined));
  const rows = results.map(({ strategy, overall }) => [
    strategy,
    ...used.map(([key, , digits, median]) => {
      const figure = overall.figures[key];
      return figure === undefined ? "–" : (median ? figure.median : figure.value).toFixed(digits);
    }),
    ...(["p50Ms", "p95Ms"] as const).map(
      (which) => machine.latency[strategy]?.["total"]?.[which].toFixed(1) ?? "–",
    ),
  ]);
  return table(["strategy", ...used.map(([, title]) => title), "p50 ms", "p95 ms"], rows);
}

function typeTable({ results, questions }: SuiteReport): string {
  const types = Object.keys(questions.byType);
  const cell = ({ byType }: StrategyResult, type: string) => shortCell(byType[type]);
  return table(
    ["match % by type", "n", ...results.map(({ strategy }) => strategy)],
    types.map((type) => [
      type,
      String(questions.byType[type]),
      ...results.map((result) => cell(result, type)),
    ]),
  );
}

function shortCell(cell: Cell | undefined): string {
  if (cell === undefined) return "–";
  return `${estimate(cell.match)}${cell.failed > 0 ? ` (${cell.failed} failed)` : ""}`;
}

function comparisonLines({ comparisons }: SuiteReport): string {
  return comparisons
    .map(({ strategy, against, match }) => {
      const sign = match.value >= 0 ? "+" : "";
      return `${strategy} against ${against}: ${sign}${match.value.toFixed(1)} points of match [${match.low.toFixed(1)}, ${match.high.toFixed(1)}], paired`;
    })
    .join("\n");
}

/** Failures and omissions, which are not averaged away. */
function honestyLines({ failures, unparsable, malformedQuestions, file, machine }: SuiteReport): string {
  const lines: string[] = [];
  if (failures.total > 0) {
    const codes = Object.entries(failures.byCode).map(([code, n]) => `${n} × ${code}`);
    lines.push(`${failures.total} answers failed (counted as 0 %): ${codes.join(", ")}`);
    for (const { strategy, questionId, stage, message } of failures.shown.slice(0, LINES_SHOWN))
      lines.push(`  ${strategy} on ${questionId} (${stage}): ${message.split("\n")[0]}`);
  }
  if (unparsable.total > 0) {
    const lost = unparsable.shown.filter(({ mended }) => !mended).length;
    lines.push(
      `${unparsable.total} verdicts came as prose at first, ${lost} of those shown for good (counted as 0 %)`,
    );
    for (const { strategy, questionId, replies } of unparsable.shown.slice(0, LINES_SHOWN))
      lines.push(`  ${strategy} on ${questionId}: ${JSON.stringify(replies[0]?.slice(0, 80))}`);
  }
  if (malformedQuestions.total > 0) {
    lines.push(`${malformedQuestions.total} lines were no questions and were not asked`);
    for (const { scene, line, reason } of malformedQuestions.shown.slice(0, LINES_SHOWN))
      lines.push(`  ${scene}, line ${line}: ${reason}`);
  }
  if (file.torn > 0) lines.push("the file's last line was torn by a crash and has been dropped");
  if (file.malformedTotal > 0) {
    lines.push(`${file.malformedTotal} malformed rows in the file were not used`);
    for (const { line, reason } of file.malformed.slice(0, LINES_SHOWN))
      lines.push(`  line ${line}: ${reason}`);
  }
  if (file.foreign > 0)
    lines.push(`${file.foreign} rows of other code, settings or questions in the file were not used`);
  lines.push(
    `${file.asked} answers made in this run, ${file.reused} taken over; ${(machine.wallMs / 1000).toFixed(1)} s`,
  );
  if (machine.bytesPerMinute !== null)
    lines.push(`memory: ${Math.round(machine.bytesPerMinute)} bytes a minute`);
  return lines.join("\n");
}

function estimate({ value, low, high }: Cell["match"]): string {
  return `${value.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row.map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join("  "),
    )
    .join("\n");
}

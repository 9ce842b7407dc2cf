import { type Estimate, evaluateEncoders } from "../../../compose.ts";
import { LociError } from "../../../schema/core.ts";
import type { Terminal } from "../terminal.ts";

interface Options {
  readonly json?: boolean;
  readonly data?: string;
  readonly navqa?: string;
  readonly embedder?: string[];
}

export async function run({ data, navqa, embedder }: Options, terminal: Terminal): Promise<void> {
  if (data === undefined) {
    throw new LociError(
      "invalid-input",
      "eval encoder needs --data DIR with stsb_dev.tsv, stsb_test.tsv, sick_test.tsv and household.json",
    );
  }
  const report = await evaluateEncoders({
    data,
    signal: terminal.signal,
    environment: process.env,
    onProgress: (line) => terminal.progress(line),
    ...(navqa === undefined ? {} : { navqa }),
    ...(embedder === undefined ? {} : { embedders: embedder }),
  });
  terminal.result(report, () => {
    const columns = [
      "stsbDev",
      "stsbTest",
      "sick",
      "synonyms",
      "questionToFact",
      "navqaRecall1",
      "navqaRecall6",
      "navqaFusedRecall6",
    ] as const;
    const heads = [
      "encoder",
      "STS-B dev",
      "STS-B test",
      "SICK",
      "synonyms",
      "question→fact",
      "NaVQA R@1",
      "R@6",
      "fused R@6",
      "µs/text",
    ];
    const lines = report.rows.map((row) => [
      row.encoder,
      ...columns.map((column) => cell(row[column])),
      row.microsecondsPerText === undefined ? "–" : row.microsecondsPerText.toFixed(1),
    ]);
    const widths = heads.map((head, i) => Math.max(head.length, ...lines.map((line) => line[i]!.length)));
    const print = (line: readonly string[]) =>
      line
        .map((text, i) => text.padEnd(widths[i]!))
        .join("  ")
        .trimEnd();
    return [
      print(heads),
      ...lines.map(print),
      ...report.skipped.map(({ encoder, reason }) => `${encoder}: not run, ${reason}`),
    ].join("\n");
  });
}

function cell(estimate: Estimate | undefined): string {
  if (estimate === undefined) return "–";
  const digits = estimate.value > 1 ? 0 : 3;
  return `${estimate.value.toFixed(digits)} [${estimate.low.toFixed(digits)}, ${estimate.high.toFixed(digits)}]`;
}

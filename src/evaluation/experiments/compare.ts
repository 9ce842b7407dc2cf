import { readFile } from "node:fs/promises";
import { z } from "zod";
import { LociError, parseOrThrow } from "../../schema/index.ts";
import type { PairedEstimate } from "../statistics.ts";
import { Figures, HEADLINE } from "./figures.ts";
import type { Mark } from "./mark.ts";

const runSchema = z.object({
  format: z.literal(1),
  experiment: z.string(),
  marks: z.array(
    z.object({
      config: z.string(),
      suite: z.string(),
      metric: z.string(),
      scene: z.string(),
      item: z.string(),
      value: z.number(),
      slices: z.array(z.string()),
      type: z.string().optional(),
    }),
  ),
});

export interface ComparedRow extends PairedEstimate {
  readonly config: string;
  readonly suite: string;
  readonly slice: string;
  readonly metric: string;
}

export interface Comparison {
  readonly experiment: string;
  /** The second run minus the first, on their common items. */
  readonly rows: readonly ComparedRow[];
  /** Items in only one of them. */
  readonly unpaired: number;
}

/** Two kept runs of one experiment: the second minus the first, paired by item. */
export async function compareRuns(first: string, second: string): Promise<Comparison> {
  const [a, b] = [await readRun(first), await readRun(second)];
  if (a.experiment !== b.experiment)
    throw new LociError(
      "invalid-input",
      `runs of one experiment can be compared; ${first} is of ${a.experiment}, ${second} of ${b.experiment}`,
    );
  const rows: ComparedRow[] = [];
  const before = a.marks.map((mark): Mark => ({ ...mark, config: `a ${mark.config}` }));
  const after = b.marks.map((mark): Mark => ({ ...mark, config: `b ${mark.config}` }));
  const figures = new Figures([...before, ...after]);
  for (const row of new Figures(b.marks).rows()) {
    const { config, suite, slice, metric } = row;
    const difference = figures.difference(`b ${config}`, `a ${config}`, { suite, slice, metric });
    if (difference) rows.push({ config, suite, slice, metric, ...difference });
  }
  return { experiment: a.experiment, rows, unpaired: unpairedOf(a.marks, b.marks) };
}

/** The significant differences first. */
export function comparisonText({ experiment, rows, unpaired }: Comparison): string {
  const sure = rows.filter(({ low, high }) => low > 0 || high < 0);
  const headline = rows.filter(
    (row) => row.metric === HEADLINE && row.slice === "all" && !sure.includes(row),
  );
  const line = ({ config, suite, slice, metric, value, low, high, n }: ComparedRow) =>
    `${signed(value)} [${signed(low)}, ${signed(high)}]  ${config}, ${suite}, ${slice}, ${metric} (n ${n})`;
  return [
    `${experiment}: the second run minus the first, paired; ${sure.length} of ${rows.length} figures differ by more than chance`,
    ...(unpaired > 0 ? [`${unpaired} items are in one of the runs only and left out`] : []),
    ...sure.map(line),
    ...(headline.length > 0 ? ["no more than chance:", ...headline.map(line)] : []),
  ].join("\n");
}

function signed(value: number): string {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`;
}

function unpairedOf(a: readonly Mark[], b: readonly Mark[]): number {
  const keys = (marks: readonly Mark[]) =>
    new Set(marks.map(({ suite, scene, item }) => `${suite}/${scene}/${item}`));
  const [before, after] = [keys(a), keys(b)];
  const missing = (from: ReadonlySet<string>, among: ReadonlySet<string>) =>
    [...from].filter((key) => !among.has(key)).length;
  return missing(before, after) + missing(after, before);
}

async function readRun(path: string): Promise<{ readonly experiment: string; readonly marks: Mark[] }> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new LociError(
      "invalid-input",
      `${path} is no run of an experiment: expected the JSON that eval keeps`,
      {
        cause: error,
      },
    );
  }
  return parseOrThrow(runSchema, value, path);
}

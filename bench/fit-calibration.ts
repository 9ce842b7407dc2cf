/**
 * Fits the table of src/reasoning/calibration.ts: how often answers of a raw confidence were right, by kind of
 * question, isotonic (pool adjacent violators). Reads rows that `loci eval SUITE --wording dev --strategy rules
 * --out ROWS.jsonl` wrote on development seeds, and prints the table.
 *
 *     node bench/fit-calibration.ts ROWS.jsonl...
 */
import { readFileSync } from "node:fs";

interface Point {
  readonly raw: number;
  readonly right: boolean;
}

/** Kinds with fewer answers share one curve. */
const LEAST_ANSWERS = 40;
/** Blocks smaller than this are noise. */
const LEAST_BLOCK = 15;

const byKind = new Map<string, Point[]>();
const all: Point[] = [];
for (const file of process.argv.slice(2)) {
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "") continue;
    const { answer, scores, strategy } = JSON.parse(line);
    const plan = answer?.trace?.plan;
    if (strategy !== "rules" || typeof plan?.confidence !== "number") continue;
    const point = { raw: plan.confidence, right: scores.right === true };
    const kind = String(plan.needs[0].asks);
    byKind.set(kind, [...(byKind.get(kind) ?? []), point]);
    all.push(point);
  }
}
if (all.length === 0) throw new Error("no answers of the rules in these files");

const table = Object.fromEntries(
  [["", all] as const, ...[...byKind].filter(([, points]) => points.length >= LEAST_ANSWERS)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, points]) => [kind, isotonic(points)]),
);
console.log(JSON.stringify(table, null, 1));

/** Mean raw confidence and share right of each block, both rising. */
function isotonic(points: readonly Point[]): [number, number][] {
  const blocks: { raw: number; right: number; n: number }[] = [];
  const sorted = points.toSorted((a, b) => a.raw - b.raw);
  for (let start = 0; start < sorted.length; start += LEAST_BLOCK) {
    const end = sorted.length - start < 2 * LEAST_BLOCK ? sorted.length : start + LEAST_BLOCK;
    const part = sorted.slice(start, end);
    blocks.push({
      raw: part.reduce((sum, { raw }) => sum + raw, 0),
      right: part.filter(({ right }) => right).length,
      n: part.length,
    });
    while (blocks.length > 1) {
      const [before, last] = [blocks.at(-2)!, blocks.at(-1)!];
      if (before.right / before.n < last.right / last.n) break;
      blocks.splice(-2, 2, {
        raw: before.raw + last.raw,
        right: before.right + last.right,
        n: before.n + last.n,
      });
    }
    if (end === sorted.length) break;
  }
  // One more right and one more wrong keep a small block from being certain.
  return blocks.map(({ raw, right, n }) => [round(raw / n), round((right + 1) / (n + 2))]);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

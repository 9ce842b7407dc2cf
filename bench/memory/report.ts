import { type EngineName, SEMANTIC_ONLY } from "./port.ts";
import type { BenchReport } from "./run.ts";
import { QUERY_KINDS } from "./workload.ts";

const GOOD_RECALL = 0.99;
const WORLDS = {
  same: "the same world, ever more crowded",
  larger: "a world that grows with what is remembered",
} as const;

/** The report for people: ratios first, then each engine's p50 (p99) with its recall where it is not 1. */
export function formatReport(report: BenchReport): string {
  const engines = [...new Set(report.queries.map(({ engine }) => engine))];
  const parts = [
    `memory engines side by side: n = ${report.n}, dim = ${report.dim}, seed ${report.seed}\n${report.machine}`,
    `Questions: p50 ms (p99), r = recall below 1. "vs best" is loci's p50 over the best peer with recall ≥ ${GOOD_RECALL}.`,
    table([["query", "vs best", "best peer", ...engines], ...queryLines(report, engines)]),
    ...scanLine(report),
    "Writing: rows/s, durable. Bulk includes building the indexes.",
    table([["engine", "bulk", "batches of 100", "singles"], ...ingestLines(report)]),
    "Footprint. First answer: fresh process, started with node, by vector / place / time / text.",
    table([
      ["engine", "disk MB", "B/row beyond text", "RSS MB", "first answer ms"],
      ...footprintLines(report),
    ]),
  ];
  if (report.concurrency?.length) {
    parts.push("While another process writes 1,000 rows/s in batches of 100: p99 ms.");
    parts.push(
      table([["engine", "query", "quiet", "written", "ratio", "rows/s"], ...concurrencyLines(report)]),
    );
  }
  if (report.growth?.length) {
    for (const [world, what] of Object.entries(WORLDS)) {
      if (!report.growth.some((row) => row.world === world)) continue;
      parts.push(`Growth of loci's selective questions in ${what}: p50 ms (rows found).`);
      parts.push(table(growthLines(report, world)));
    }
  }
  if (report.skipped.length > 0) {
    const said = report.skipped.map(
      ({ engine, query, reason }) => `  ${engine}${query ? ` ${query}` : ""}: ${reason}`,
    );
    parts.push(["Skipped:", ...said].join("\n"));
  }
  return `${parts.join("\n\n")}\n`;
}

/** Loci's p50 over that of the best peer whose answers are right, for one question. */
export function ratioToBestPeer(report: BenchReport, query: string) {
  const of = report.queries.filter((row) => row.query === query);
  const ours = of.find(({ engine }) => engine === "loci");
  const [best] = of
    .filter(
      ({ engine, recall }) => engine !== "loci" && !SEMANTIC_ONLY.includes(engine) && recall >= GOOD_RECALL,
    )
    .sort((a, b) => a.p50Ms - b.p50Ms);
  return { best: best?.engine, ratio: ours && best ? ours.p50Ms / best.p50Ms : undefined };
}

/** How far from the speed of light: the C scan has no reranking, no hydration and no promise of exactness. */
function scanLine({ queries }: BenchReport): string[] {
  const of = (name: EngineName) =>
    queries.find(({ engine, query }) => engine === name && query === "semantic")?.p50Ms;
  const [ours, scan] = [of("loci"), of("c-int8")];
  if (ours === undefined || scan === undefined) return [];
  return [`semantic against the C int8 scan: ${(ours / scan).toFixed(2)}×`];
}

function queryLines(report: BenchReport, engines: readonly EngineName[]): string[][] {
  return QUERY_KINDS.map((query) => {
    const { best, ratio } = ratioToBestPeer(report, query);
    const cells = engines.map((engine) => {
      const row = report.queries.find((one) => one.engine === engine && one.query === query);
      if (row === undefined) return "–";
      const recall = row.recall < 0.9995 ? ` r${row.recall.toFixed(3).slice(1)}` : "";
      return `${short(row.p50Ms)} (${short(row.p99Ms)})${recall}`;
    });
    return [query, ratio === undefined ? "–" : `${ratio.toFixed(2)}×`, best ?? "–", ...cells];
  });
}

function ingestLines({ ingest }: BenchReport): string[][] {
  return [...new Set(ingest.map(({ engine }) => engine))].map((engine) => {
    const rate = (mode: string) => {
      const row = ingest.find((one) => one.engine === engine && one.mode === mode);
      return row === undefined ? "–" : Math.round(row.rowsPerS).toLocaleString("en");
    };
    return [engine, rate("bulk"), rate("batches"), rate("singles")];
  });
}

function footprintLines({ footprint, n }: BenchReport): string[][] {
  return footprint.map(({ engine, diskBytes, rssBytes, openByKeyMs, textBytes }) => [
    engine,
    (diskBytes / 1e6).toFixed(1),
    String(Math.round((diskBytes - textBytes) / n)),
    String(Math.round(rssBytes / 1e6)),
    ["vector", "place", "time", "text"].map((key) => openByKeyMs[key]?.toFixed(0) ?? "–").join(" / "),
  ]);
}

function concurrencyLines({ concurrency = [] }: BenchReport): string[][] {
  return concurrency
    .filter(({ writing }) => writing)
    .map(({ engine, query, p99Ms, writtenRowsPerS }) => {
      const quiet = concurrency.find((row) => row.engine === engine && row.query === query && !row.writing)!;
      const ratio = `${(p99Ms / quiet.p99Ms).toFixed(2)}×`;
      return [engine, query, short(quiet.p99Ms), short(p99Ms), ratio, String(Math.round(writtenRowsPerS))];
    });
}

function growthLines({ growth: all = [] }: BenchReport, world: string): string[][] {
  const growth = all.filter((row) => row.world === world);
  const sizes = [...new Set(growth.map(({ n }) => n))];
  const queries = [...new Set(growth.map(({ query }) => query))];
  return [
    ["query", "growth", ...sizes.map((n) => `n = ${n}`)],
    ...queries.map((query) => {
      const rows = sizes.map((n) => growth.find((row) => row.n === n && row.query === query));
      const ratio = (rows.at(-1)?.p50Ms ?? Number.NaN) / (rows[0]?.p50Ms ?? Number.NaN);
      const cells = rows.map((row) => (row ? `${short(row.p50Ms)} (${row.hits.toFixed(1)})` : "–"));
      return [query, `${ratio.toFixed(2)}×`, ...cells];
    }),
  ];
}

/** Three significant digits without an exponent. */
function short(ms: number): string {
  if (!Number.isFinite(ms)) return "–";
  return ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(3);
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

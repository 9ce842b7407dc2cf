import { describe, expect, it } from "vitest";
import { bestTruth, recallOf } from "../bench/memory/judge.ts";
import { formatReport, QUERY_KINDS, runMemoryBench } from "../bench/memory/run.ts";
import { Workload } from "../bench/memory/workload.ts";

describe("the memory bench", () => {
  it("measures loci with every answer right", { timeout: 240_000 }, async () => {
    const report = await runMemoryBench({
      n: 300,
      dim: 16,
      engines: ["loci"],
      queriesPerKind: 12,
      budgetS: 1,
      openRepeats: 1,
      writers: true,
    });
    expect(report.queries.map(({ query }) => query)).toEqual([...QUERY_KINDS]);
    for (const row of report.queries) {
      expect(row, row.query).toMatchObject({ engine: "loci", recall: 1, samples: expect.any(Number) });
      expect(row.p50Ms, row.query).toBeGreaterThan(0);
      expect(row.p99Ms, row.query).toBeGreaterThanOrEqual(row.p50Ms);
    }
    expect(report.queries.filter(({ hits }) => hits > 0).length).toBeGreaterThan(10);
    expect(report.ingest.map(({ mode }) => mode)).toEqual(["bulk", "batches", "singles"]);
    for (const { rowsPerS } of report.ingest) expect(rowsPerS).toBeGreaterThan(0);
    const [footprint] = report.footprint;
    expect(footprint?.diskBytes).toBeGreaterThan(footprint!.textBytes);
    expect(footprint?.rssBytes).toBeGreaterThan(1e6);
    expect(footprint?.openMs).toBeGreaterThan(0);
    expect(report.concurrency?.map(({ query, writing }) => `${query} ${writing}`)).toEqual([
      "associate false",
      "semantic false",
      "associate true",
      "semantic true",
    ]);
    expect(formatReport(report)).toContain("hybrid-0.01x50");
  });

  it("makes the same rows and questions from the same seed, and others from another", () => {
    const [a, b] = [new Workload({ n: 50, dim: 16, seed: 7 }), new Workload({ n: 50, dim: 16, seed: 7 })];
    expect(a.row(31)).toEqual(b.row(31));
    expect(a.query("hybrid-1x50", 3)).toEqual(b.query("hybrid-1x50", 3));
    expect(new Workload({ n: 50, dim: 16, seed: 8 }).row(31)).not.toEqual(a.row(31));
  });

  it("counts what is missing, what is wrong and what may be either", () => {
    const truth = bestTruth([5, 6, 7, 8], Float64Array.from([0.9, 0.5, 0.5, 0.1]), 4, 2, 1e-9);
    expect(truth).toEqual({ need: 2, sure: [5], may: [6, 7] });
    expect(recallOf([5, 6], truth)).toBe(1);
    expect(recallOf([7, 5], truth)).toBe(1);
    expect(recallOf([5, 8], truth)).toBe(0.5);
    expect(recallOf([6, 7], truth)).toBe(0.5);
    expect(recallOf([5, 6, 7, 8], truth)).toBeLessThan(1);
    expect(recallOf([5, 5], truth)).toBe(0.5);
    expect(recallOf([], truth)).toBe(0);
  });
});

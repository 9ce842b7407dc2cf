import type { EngineName } from "./port.ts";
import type { QueryKind, WorkloadOptions } from "./workload.ts";

/** What a child process is asked to do; each job is one process, so that memory and threads are its own. */
export type Job = { readonly workload: WorkloadOptions; readonly folder: string } & (
  | { readonly job: "truth"; readonly queries: number }
  | { readonly job: "load"; readonly engine: EngineName }
  | {
      readonly job: "query";
      readonly engine: EngineName;
      readonly kinds: readonly QueryKind[];
      readonly queries: number;
      readonly budgetS: number;
    }
  | { readonly job: "ingest"; readonly engine: EngineName; readonly budgetS: number }
  | { readonly job: "read-while-written"; readonly engine: EngineName; readonly budgetS: number }
  | { readonly job: "write-steadily"; readonly engine: EngineName; readonly rowsPerS: number }
  | { readonly job: "clean"; readonly engine: EngineName }
);

export interface LoadResult {
  readonly missing: string | null;
  readonly loadMs: number;
  readonly indexMs: number;
  readonly diskBytes: number;
  readonly textBytes: number;
}

export interface QueryTiming {
  readonly query: QueryKind;
  readonly plan: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly recall: number;
  /** Rows in an answer, on average. */
  readonly hits: number;
  readonly samples: number;
}

export interface QueryResult {
  readonly timings: QueryTiming[];
  readonly cannot: { readonly query: QueryKind; readonly reason: string }[];
  readonly rssBytes: number;
}

export interface IngestResult {
  readonly batches: Rate;
  readonly singles: Rate;
}

export interface Rate {
  readonly rows: number;
  readonly rowsPerS: number;
  /** Of one durable commit. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface ConcurrentTiming {
  readonly query: QueryKind;
  readonly writing: boolean;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly samples: number;
}

export interface SteadyResult {
  readonly rowsPerS: number;
}

/** Where the brute-force answers lie for every child to judge by. */
export const TRUTH_FILE = "truth.json";

/** The p-quantile by nearest rank. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))] ?? Number.NaN;
}

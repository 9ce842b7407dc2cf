import type { BenchRow, QueryArgs, QueryKind } from "./workload.ts";

/**
 * One engine under the bench. An answer is the rows found, as their numbers, best first.
 */
export interface BenchEngine {
  /** Rows handed to one `load` call. */
  readonly bulkRows: number;
  /** Takes in rows of the bulk load; `finishLoad` then makes the indexes and the bytes durable. */
  load(rows: readonly BenchRow[]): Promise<void>;
  finishLoad(): Promise<void>;
  /** One durable transaction: what is written survives a power cut when the promise settles. */
  write(rows: readonly BenchRow[]): Promise<void>;
  /** The ways this engine could answer a kind, or why it cannot; the harness times each and keeps the best. */
  plans(kind: QueryKind): readonly string[] | { readonly cannot: string };
  query(kind: QueryKind, args: QueryArgs, plan: string): Promise<number[]>;
  /** Time of the last question where the engine has a clock of its own, without the way there and back. */
  selfTimedMs?(): number;
  diskBytes(): Promise<number>;
  /** Memory of the process that does the work. */
  rssBytes(): Promise<number>;
  close(): Promise<void>;
}

export interface EngineContext {
  readonly folder: string;
  readonly dim: number;
  readonly n: number;
  /** load: an empty place; the others: what load left there. */
  readonly phase: "load" | "query" | "ingest" | "open";
}

/** What an engine's module exports as `adapter`. */
export interface EngineAdapter {
  /** Why this engine cannot run here, or null. */
  missing(): Promise<string | null>;
  open(context: EngineContext): Promise<BenchEngine>;
  /** Takes away what lies outside of the folder. */
  clean?(): Promise<void>;
  /** Another process may write while one reads. */
  readonly sharedBetweenProcesses: boolean;
}

export const ENGINE_NAMES = [
  "loci",
  "sqlite-vec",
  "lancedb",
  "duckdb",
  "pgvector",
  "pgvector-exact",
  "c-int8",
  "loci-hnsw",
  "loci-postgres",
  "loci-postgres-resident",
] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Measured unless others are named: Loci's own graph takes minutes to build and is asked for. */
export const DEFAULT_ENGINES: readonly EngineName[] = ENGINE_NAMES.filter((name) => name !== "loci-hnsw");

/** No peers, and asked by meaning alone: the bare scan, and Loci when it may be approximate. */
export const SEMANTIC_ONLY: readonly EngineName[] = ["c-int8", "loci-hnsw"];

import type { Commit, MemoryReader, WriteBatch } from "../memory/index.ts";
import type { Captioner, Describer, Summariser, TextEmbedder, TextReader } from "../models/index.ts";
import type { Adjudicator } from "../tracking/index.ts";
import type { IngestCounter } from "./counts.ts";
import type { PrivacyPolicy } from "./privacy.ts";

/** Models that replace templates and rules. None of them may throw for a single frame. */
export interface IngestModels {
  readonly describer?: Describer;
  readonly captioner?: Captioner;
  readonly adjudicator?: Adjudicator;
  readonly summariser?: Summariser;
  /** Reads text on things, once each, when their observations are in. */
  readonly reader?: TextReader;
}

export interface PipelineOptions {
  /** The memory as it was before. */
  readonly reader: MemoryReader;
  /** The memory with all writes so far; called once they are durable. */
  readonly readerNow?: (() => Promise<MemoryReader>) | undefined;
  /** One atomic write; resolves once durable. With other writers, it returns the resulting commit. */
  readonly write: (batch: WriteBatch) => Promise<Commit | undefined>;
  /** Whether other writers may use the same memory meanwhile: then their changes are followed. */
  readonly manyWriters?: boolean | undefined;
  readonly embedder: TextEmbedder;
  /** Cosine of unrelated texts, for z-scores (docs/formulas.md#background). */
  readonly background: { readonly mean: number; readonly sd: number };
  readonly sceneId: string;
  readonly labels: readonly string[];
  readonly privacy: PrivacyPolicy;
  /** "paper" follows the papers literally where we decided otherwise (docs/formulas.md#paper-and-ours). */
  readonly mode: "loci" | "paper";
  readonly counter: IngestCounter;
  readonly models: IngestModels;
  /** Whether views are kept; default true. Frames without colours have nothing to show. */
  readonly keepsViews?: boolean | undefined;
  /** Longest side of kept pictures, pixels; default 640. Smaller pictures are kept as they are. */
  readonly viewPx?: number | undefined;
  /** How often, in recorded time, rooms and regions are updated; default ten seconds. */
  readonly mapEveryUs?: number | undefined;
}

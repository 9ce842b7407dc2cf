import type { Commit, MemoryReader, WriteBatch } from "../memory/index.ts";
import type { Captioner, Describer, Summariser, TextEmbedder, TextReader } from "../models/index.ts";
import type { Adjudicator } from "../tracking/index.ts";
import type { IngestCounter } from "./counts.ts";
import type { PrivacyPolicy } from "./privacy.ts";

/** Who does with a model what templates and rules do otherwise. None of them may throw for a single frame. */
export interface IngestModels {
  readonly describer?: Describer;
  readonly captioner?: Captioner;
  readonly adjudicator?: Adjudicator;
  readonly summariser?: Summariser;
  /** Reads what is written on things, once each, when their looks are in. */
  readonly reader?: TextReader;
}

export interface PipelineOptions {
  /** The memory as it was before. */
  readonly reader: MemoryReader;
  /** The memory with all writes so far; asked for when they are durable. */
  readonly readerNow?: (() => Promise<MemoryReader>) | undefined;
  /** One atomic write; resolves when it is durable. Where others write as well, with what became of it. */
  readonly write: (batch: WriteBatch) => Promise<Commit | undefined>;
  /** Whether others may write into the same memory meanwhile: then what they write is listened to. */
  readonly manyWriters?: boolean | undefined;
  readonly embedder: TextEmbedder;
  /** Cosine of unrelated texts, for z-scores (docs/formulas.md#background). */
  readonly background: { readonly mean: number; readonly sd: number };
  readonly sceneId: string;
  readonly labels: readonly string[];
  readonly privacy: PrivacyPolicy;
  /** "paper" takes the papers literally where we decided otherwise (docs/formulas.md#paper-and-ours). */
  readonly mode: "loci" | "paper";
  readonly counter: IngestCounter;
  readonly models: IngestModels;
  /** Whether views are kept to be looked at again; default true. Frames without colours have nothing to show. */
  readonly keepsViews?: boolean | undefined;
  /** Longest side of the pictures that are kept, pixels; default 640. What is smaller is kept as it is. */
  readonly viewPx?: number | undefined;
  /** How often, in recorded time, rooms and regions are brought up to date; default ten seconds. */
  readonly mapEveryUs?: number | undefined;
}

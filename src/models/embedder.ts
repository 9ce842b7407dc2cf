import { type EmbedderInfo, LIMITS } from "../schema/core.ts";

/** The cosine of two unrelated texts: `mean + z·sd` is a threshold that holds across models (docs/formulas.md#background). */
export interface Background {
  readonly mean: number;
  readonly sd: number;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
}

/**
 * Text into meaning. `embed` keeps the order of its lines and gives vectors of unit length, or null for a line
 * without meaning (empty, only punctuation, only stop words). It throws `limit-exceeded` past EMBED_LIMITS,
 * `aborted`, `model-unavailable` (nothing to answer: package, weights or endpoint missing, or closed) or
 * `model-failed` (an answer that cannot be used). A line longer than the model's window is cut by the model.
 */
export interface TextEmbedder {
  readonly info: EmbedderInfo;
  /** Known before a memory has a calibration of its own. */
  readonly background?: Background;
  /** How many texts the model does best with at a time; `embed` takes more and splits them. */
  readonly batchSize: number;
  embed(lines: readonly string[], options?: EmbedOptions): Promise<(Float32Array | null)[]>;
  close(): Promise<void>;
}

/** An encoded picture, PNG or JPEG. */
export interface EncodedImage {
  readonly bytes: Uint8Array;
}

/**
 * Pictures into meaning; null for a picture of no bytes. Where the model has a text tower, `embedText` puts
 * words into the same space, so that a picture can be asked for in words.
 */
export interface ImageEmbedder {
  readonly info: EmbedderInfo;
  embed(images: readonly EncodedImage[], options?: EmbedOptions): Promise<(Float32Array | null)[]>;
  embedText?(lines: readonly string[], options?: EmbedOptions): Promise<(Float32Array | null)[]>;
  close(): Promise<void>;
}

/** What one call may ask for. Beyond it the caller has a bug, or should have split the work. */
export const EMBED_LIMITS = {
  textsPerCall: 10_000,
  charsPerText: LIMITS.lineChars,
  imagesPerCall: 256,
  bytesPerImage: LIMITS.blobBytes,
  dim: LIMITS.vectorDim,
} as const;

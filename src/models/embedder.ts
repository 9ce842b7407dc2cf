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
 * `aborted`, `model-unavailable` (package, weights or endpoint missing, or closed) or `model-failed` (an unusable
 * answer). A line longer than the model's window is cut by the model.
 */
export interface TextEmbedder {
  readonly info: EmbedderInfo;
  /** Available before a memory has its own calibration. */
  readonly background?: Background;
  /** The model's best batch size; `embed` takes more texts and splits them. */
  readonly batchSize: number;
  embed(lines: readonly string[], options?: EmbedOptions): Promise<(Float32Array | null)[]>;
  close(): Promise<void>;
}

/** An encoded picture, PNG or JPEG. */
export interface EncodedImage {
  readonly bytes: Uint8Array;
}

/**
 * Pictures into meaning; null for a picture of no bytes. If the model has a text tower, `embedText` maps words into
 * the same space, so that pictures can be searched by words.
 */
export interface ImageEmbedder {
  readonly info: EmbedderInfo;
  embed(images: readonly EncodedImage[], options?: EmbedOptions): Promise<(Float32Array | null)[]>;
  embedText?(lines: readonly string[], options?: EmbedOptions): Promise<(Float32Array | null)[]>;
  close(): Promise<void>;
}

/** Limits of one call. A larger call is a bug of the caller, or should have been split. */
export const EMBED_LIMITS = {
  textsPerCall: 10_000,
  charsPerText: LIMITS.lineChars,
  imagesPerCall: 256,
  bytesPerImage: LIMITS.blobBytes,
  dim: LIMITS.vectorDim,
} as const;

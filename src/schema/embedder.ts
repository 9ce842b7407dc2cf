/**
 * Which model made a vector. Vectors are comparable only when the ids are equal, so an id names the weights; a
 * memory keeps one embedder for text and one for images and never mixes.
 */
export interface EmbedderInfo {
  readonly id: string;
  readonly dim: number;
}

/** Cosine of unrelated texts where neither a memory nor its embedder has measured it: most models are about so (docs/formulas.md#background). */
export const UNKNOWN_BACKGROUND = { mean: 0.1, sd: 0.12 } as const;

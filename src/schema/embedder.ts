/**
 * The model that made a vector. Vectors are comparable only when the ids are equal, so an id names the weights; a
 * memory keeps one embedder for text and one for images and never mixes them.
 */
export interface EmbedderInfo {
  readonly id: string;
  readonly dim: number;
}

/**
 * Default cosine of unrelated texts where neither the memory nor its embedder has measured it; typical of most models
 * (docs/formulas.md#background).
 */
export const UNKNOWN_BACKGROUND = { mean: 0.1, sd: 0.12 } as const;

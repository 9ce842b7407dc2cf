/**
 * Which model made a vector. Vectors are comparable only when the ids are equal, so an id names the weights; a
 * memory keeps one embedder for text and one for images and never mixes.
 */
export interface EmbedderInfo {
  readonly id: string;
  readonly dim: number;
}

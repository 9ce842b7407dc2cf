import type { TextEmbedder } from "../models/index.ts";

/** Vectors of texts, cached while recent; the vectors are shared and must not be modified. */
export class TextVectors {
  readonly #embedder: TextEmbedder;
  readonly #maxTexts: number;
  /** Least recently used first, by the order in which a Map keeps its keys. */
  readonly #kept = new Map<string, Float32Array | null>();

  constructor(embedder: TextEmbedder, maxTexts: number) {
    this.#embedder = embedder;
    this.#maxTexts = maxTexts;
  }

  /** The vector of every text, null if the embedder finds no meaning in it, with at most one call to the embedder. */
  async of(texts: Iterable<string>, signal?: AbortSignal): Promise<ReadonlyMap<string, Float32Array | null>> {
    const found = new Map<string, Float32Array | null>();
    const missing: string[] = [];
    for (const text of new Set(texts)) {
      const vector = this.#kept.get(text);
      if (vector === undefined) missing.push(text);
      else found.set(text, vector);
    }
    if (missing.length > 0) {
      const vectors = await this.#embedder.embed(missing, signal ? { signal } : {});
      missing.forEach((text, place) => {
        found.set(text, vectors[place] ?? null);
      });
    }
    for (const [text, vector] of found) {
      this.#kept.delete(text);
      this.#kept.set(text, vector);
    }
    for (const text of this.#kept.keys()) {
      if (this.#kept.size <= this.#maxTexts) break;
      this.#kept.delete(text);
    }
    return found;
  }
}

import type { Hit, MemoryReader, SearchRequest } from "../memory/index.ts";
import type { TextEmbedder } from "../models/index.ts";
import { Effort, LIMITS, LociError } from "../schema/core.ts";

export interface BeliefOptions {
  readonly reader: MemoryReader;
  readonly embedder?: TextEmbedder | undefined;
  readonly background?: { readonly mean: number; readonly sd: number } | undefined;
  readonly sceneId?: string | undefined;
  readonly nowUs: number;
  /** The time was given with the question: nothing after it is used, notes included. */
  readonly isNowGiven?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What may be spent on it; default: as much as a question may cost. */
  readonly effort?: Effort | undefined;
}

/** The searches that a belief is made of, within one scene and up to one moment; what was read once is not read again. */
export class MemorySearch {
  readonly options: BeliefOptions;
  readonly effort: Effort;
  readonly #read = new Map<string, Promise<unknown>>();
  /** How many searches were made, for the trace. */
  searches = 0;

  constructor(options: BeliefOptions) {
    this.options = options;
    this.effort = options.effort ?? new Effort({ signal: options.signal });
  }

  get nowUs(): number {
    return this.options.nowUs;
  }

  async search(request: SearchRequest): Promise<Hit[]> {
    const { reader, signal } = this.options;
    const othersFirst = this.effort.spend();
    if (othersFirst) await othersFirst;
    return (await reader.search(this.#inScene(request), signal ? { signal } : {})).hits;
  }

  #inScene(request: SearchRequest): SearchRequest {
    this.searches++;
    const { sceneId } = this.options;
    return sceneId === undefined ? request : { ...request, where: { ...request.where, sceneId: [sceneId] } };
  }

  vectorOf(text: string): Promise<Float32Array | null> {
    return this.once(`vector ${text}`, async () => {
      const { embedder, reader, signal } = this.options;
      const known = embedder ? await reader.embedder("text") : null;
      // A memory that holds no vectors yet can be searched by words only.
      if (!embedder || known === null) return null;
      if (known.id !== embedder.info.id)
        throw new LociError(
          "embedder-mismatch",
          `this memory's vectors are by ${known.id}, not ${embedder.info.id}; choose that embedder, or move the memory with reembed`,
        );
      const [first] = await embedder.embed([text.slice(0, LIMITS.lineChars)], signal ? { signal } : {});
      return first ?? null;
    });
  }

  /** What is read once for a question, and told again from there on. */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = (this.#read.get(key) as Promise<T> | undefined) ?? read();
    this.#read.set(key, known);
    return known;
  }

  /** How many records a search would find without a limit. */
  count(request: SearchRequest): Promise<number> {
    const { reader, signal } = this.options;
    return reader.count(this.#inScene(request), signal ? { signal } : {});
  }

  /** The same as `like`, read once for all rounds of a question. */
  likeOnce(text: string, request: SearchRequest): Promise<Hit[]> {
    return this.once(JSON.stringify([text, request]), () => this.like(text, request));
  }

  /** By meaning and words, fused. */
  async like(text: string, request: SearchRequest): Promise<Hit[]> {
    const vector = await this.vectorOf(text);
    const meaning = { words: text, ...(vector && { vector }) };
    return this.search({ ...request, meaning });
  }
}

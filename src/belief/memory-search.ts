import type { FrameGraph } from "../geometry/index.ts";
import type { Hit, MemoryReader, SearchRequest } from "../memory/index.ts";
import type { TextEmbedder } from "../models/index.ts";
import { Effort, LIMITS, LociError } from "../schema/core.ts";
import { keptUntilCommit } from "./kept.ts";
import { SEARCH } from "./settings/search.ts";

export interface BeliefOptions {
  readonly reader: MemoryReader;
  readonly embedder?: TextEmbedder | undefined;
  readonly background?: { readonly mean: number; readonly sd: number } | undefined;
  readonly sceneId?: string | undefined;
  readonly nowUs: number;
  /** The time was given with the question: nothing after it is used, notes included. */
  readonly isNowGiven?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The effort limit of the question; by default the standard one. */
  readonly effort?: Effort | undefined;
}

/** The searches of a belief, within one scene and up to one moment; no search is run twice. */
export class MemorySearch {
  readonly options: BeliefOptions;
  readonly effort: Effort;
  readonly #read = new Map<string, Promise<unknown>>();
  /** The searches asked for, cached or not: a trace must not tell a reader what was written since. */
  searches = 0;

  constructor(options: BeliefOptions) {
    this.options = options;
    this.effort = options.effort ?? new Effort({ signal: options.signal });
  }

  get nowUs(): number {
    return this.options.nowUs;
  }

  search(request: SearchRequest): Promise<Hit[]> {
    return this.recorded(request);
  }

  /** A search of the records as they were written, which what is believed of them is derived from. */
  recorded(request: SearchRequest): Promise<Hit[]> {
    this.searches++;
    return this.#run(request);
  }

  async #run(request: SearchRequest): Promise<Hit[]> {
    const { reader, signal } = this.options;
    const othersFirst = this.effort.spend();
    if (othersFirst) await othersFirst;
    return (await reader.search(this.#inScene(request), signal ? { signal } : {})).hits;
  }

  /**
   * The stays that a search finds, cached until a stay is written: listings of one state of a memory read the same
   * ones.
   */
  async searchKept(request: SearchRequest): Promise<Hit[]> {
    const key = `search ${this.options.sceneId ?? ""} ${JSON.stringify(request)}`;
    let own: Hit[] | undefined;
    this.searches++;
    const read = async () => {
      own = await this.#run(request);
      return own.length <= SEARCH.mostKept ? own : undefined;
    };
    const isStay = ({ kind }: { readonly kind: string }) => kind === "state";
    return (await keptUntilCommit(this.options.reader, key, read, isStay)) ?? own ?? this.#run(request);
  }

  #inScene(request: SearchRequest): SearchRequest {
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

  /** The map's frames, read once per question. */
  frames(): Promise<FrameGraph> {
    return this.once("frames", () => this.options.reader.frames());
  }

  /** Runs `read` once per question and returns the same result from then on. */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = (this.#read.get(key) as Promise<T> | undefined) ?? read();
    this.#read.set(key, known);
    return known;
  }

  /** How many records a search would find without a limit. */
  count(request: SearchRequest): Promise<number> {
    const { reader, signal } = this.options;
    this.searches++;
    return reader.count(this.#inScene(request), signal ? { signal } : {});
  }

  /** The same as `like`, cached for all rounds of a question. */
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

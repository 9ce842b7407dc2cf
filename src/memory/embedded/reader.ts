import type { FrameGraph } from "../../geometry/index.ts";
import {
  type EmbedderInfo,
  LociError,
  type Presence,
  type Sighting,
  type Stored,
  throwIfAborted,
} from "../../schema/core.ts";
import { type CheckedRequest, checkRequest } from "../check-request.ts";
import type {
  Calibration,
  CallOptions,
  Change,
  DumpRow,
  Hit,
  IdHit,
  MemoryReader,
  MemoryStats,
  SearchPlan,
  SearchResult,
  SightingQuery,
  VectorSpace,
  Work,
} from "../port.ts";
import type { SearchRequest } from "../request.ts";
import type { IndexResult, NumericQuery, SearchHooks } from "../resident/query.ts";
import type { ApproximateRank } from "../resident/vector-rank.ts";
import { bodyFilter } from "../rows/scan.ts";
import type { SqliteReader } from "../sqlite/reader.ts";
import { BodyCache } from "./body-cache.ts";
import type { Follower } from "./follower.ts";
import { numericQuery } from "./numeric-query.ts";
import { SpaceCache } from "./space-cache.ts";

/** How often a search is done again because what it found was forgotten meanwhile. */
const MAX_TRIES = 5;

/** What a reader asks of its engine. */
export interface IndexSource {
  /** The index, as new as the truth was a moment ago; the number grows with every change. */
  current(): { readonly follower: Follower; readonly generation: number };
  /** When what the truth holds now is in the index: whoever hears of a commit finds it. */
  indexed(): Promise<void>;
  /** How this search may be ranked approximately; undefined if it shall be exact or there is no way yet. */
  approximate(checked: CheckedRequest, query: NumericQuery, follower: Follower): ApproximateRank | undefined;
}

/** Thrown by a hook when the truth has moved on; the search begins again. */
class Outdated extends Error {}

/**
 * Searches the resident index and reads records from the truth. What the index does not hold (the memory's
 * past, other map revisions) the truth answers itself, by the slow way.
 */
export class EmbeddedReader implements MemoryReader {
  readonly #truth: SqliteReader;
  readonly #source: IndexSource;
  readonly #spaces: SpaceCache;
  readonly #bodies: BodyCache;
  /** What a search without conditions on the body needs. */
  readonly #exactOnly: SearchHooks;

  constructor(truth: SqliteReader, source: IndexSource) {
    this.#truth = truth;
    this.#source = source;
    this.#spaces = new SpaceCache(truth.connection);
    this.#bodies = new BodyCache(truth.connection);
    this.#exactOnly = {
      exact: (_, keys) => {
        const vectors = truth.connection.vectorsOf(keys);
        if (vectors === undefined) throw new Outdated();
        return vectors;
      },
    };
  }

  async search(request: SearchRequest, options: CallOptions = {}): Promise<SearchResult> {
    const checked = checkRequest(request);
    const found = this.#searchIndex(checked, options, (result) => this.#read(result));
    if (found === undefined) return this.#truth.search(request, options);
    return { hits: found.value, plan: this.#plan(checked, found.result) };
  }

  async searchIds(request: SearchRequest, options: CallOptions = {}): Promise<IdHit[]> {
    const found = this.#searchIndex(checkRequest(request), options, ({ hits }) =>
      hits.map(({ id, score, scores }) => ({ id, score, scores })),
    );
    return found?.value ?? this.#truth.searchIds(request, options);
  }

  async searchMany(requests: readonly SearchRequest[], options: CallOptions = {}): Promise<SearchResult[]> {
    this.#truth.checkMany(requests);
    const results: SearchResult[] = [];
    for (const request of requests) results.push(await this.search(request, options));
    return results;
  }

  async count(request: SearchRequest, options: CallOptions = {}): Promise<number> {
    const checked = checkRequest(request);
    throwIfAborted(options.signal);
    for (let attempt = 1; ; attempt++) {
      const { follower, generation } = this.#current();
      const query = this.#numeric(checked, follower, generation);
      if (query === undefined) return this.#truth.count(request, options);
      try {
        return follower.index.count(query, this.#hooks(checked));
      } catch (error) {
        if (!(error instanceof Outdated) || attempt >= MAX_TRIES) throw error;
      }
    }
  }

  get = (ids: readonly string[]): Promise<(Stored | undefined)[]> => this.#truth.get(ids);
  history = (id: string): Promise<Stored[]> => this.#truth.history(id);
  sightings = (query: SightingQuery): Promise<Sighting[]> => this.#truth.sightings(query);
  presence = (stateIds: readonly string[]): Promise<Presence[]> => this.#truth.presence(stateIds);
  frames = (): Promise<FrameGraph> => this.#truth.frames();
  blob = (ref: string): Promise<Uint8Array | undefined> => this.#truth.blob(ref);
  embedder = (space: VectorSpace): Promise<EmbedderInfo | null> => this.#truth.embedder(space);
  calibration = (space: VectorSpace): Promise<Calibration | null> => this.#truth.calibration(space);
  stats = (): Promise<MemoryStats> => this.#truth.stats();
  revision = (): string => {
    const { epoch, record, forgotten, frame } = this.#current().follower.position;
    return [epoch, record, forgotten, frame].join("/");
  };
  unfinished = (): Promise<Work[]> => this.#truth.unfinished();
  changes = (options: { afterUs?: number; signal?: AbortSignal; live?: boolean }): AsyncIterable<Change> =>
    this.#truth.changes(options, () => this.#source.indexed());
  dump = (): AsyncIterable<DumpRow> => this.#truth.dump();
  close = (): Promise<void> => this.#truth.close();

  /** Runs a search and whatever must happen before the truth moves on; undefined if the index cannot answer. */
  #searchIndex<T>(
    checked: CheckedRequest,
    { signal }: CallOptions,
    use: (result: IndexResult) => T | undefined,
  ): { result: IndexResult; value: T } | undefined {
    throwIfAborted(signal);
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const { follower, generation } = this.#current();
      const query = this.#numeric(checked, follower, generation);
      if (query === undefined) return undefined;
      try {
        const approximate = this.#source.approximate(checked, query, follower);
        const hooks = approximate ? { ...this.#hooks(checked), approximate } : this.#hooks(checked);
        const result = follower.index.search(query, hooks);
        const value = use(result);
        if (value !== undefined) return { result, value };
      } catch (error) {
        if (!(error instanceof Outdated)) throw error;
      }
    }
    throw new LociError("memory-busy", "the memory changed faster than it could be read; try again");
  }

  /** The records of the hits; undefined if one of them is gone by now. */
  #read({ hits }: IndexResult): Hit[] | undefined {
    const { connection, view } = this.#truth;
    return connection.reading(() => {
      const found: Hit[] = [];
      const rows = connection.recordRows(hits.map(({ row }) => row));
      for (const { row, score, scores } of hits) {
        const cells = rows.get(row);
        if (cells === undefined) return undefined;
        const place = view.placeOf(cells);
        found.push({
          record: connection.decode(cells),
          score,
          scores,
          ...(place && { position: place.centre, box: place.box }),
        });
      }
      return found;
    });
  }

  #numeric(checked: CheckedRequest, follower: Follower, generation: number): NumericQuery | undefined {
    const { connection, view } = this.#truth;
    this.#spaces.at(generation);
    this.#bodies.at(follower.position);
    return numericQuery(connection, follower.index, this.#spaces, view, checked);
  }

  #hooks(checked: CheckedRequest): SearchHooks {
    const passes = checked.where && bodyFilter(checked.where);
    if (passes === undefined) return this.#exactOnly;
    return {
      ...this.#exactOnly,
      residual: (row: number) => {
        const body = this.#bodies.of(row);
        if (body === undefined) throw new Outdated();
        return passes(body);
      },
    };
  }

  /** How many rows a step left tells of rows that a restricted reader may not see. */
  #plan(checked: CheckedRequest, { plan }: IndexResult): SearchPlan {
    const open = this.#truth.view.unrestricted;
    return {
      engine: "loci",
      driver: open ? plan.driver : "index",
      rank: checked.rank,
      steps: open ? [...plan.steps] : [],
    };
  }

  #current(): { follower: Follower; generation: number } {
    this.#truth.alive();
    return this.#source.current();
  }
}

import type { FrameGraph } from "../../geometry/index.ts";
import {
  type EmbedderInfo,
  inSlices,
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
import { placeOfRow } from "../rows/place.ts";
import { bodyFilter } from "../rows/scan.ts";
import type { SqliteReader } from "../sqlite/reader.ts";
import { BodyCache } from "./body-cache.ts";
import type { CursorValues } from "./cursor.ts";
import type { Follower } from "./follower.ts";
import { type NumberedView, numericQuery } from "./numeric-query.ts";
import { type KeptRow, type RowCache, recordOf } from "./row-cache.ts";
import { SpaceCache } from "./space-cache.ts";

/** How often a search is done again because what it found was forgotten meanwhile. */
const MAX_TRIES = 5;

/** The index, and two numbers that grow with what changes. */
export interface IndexState {
  readonly follower: Follower;
  /** With every change. */
  readonly generation: number;
  /** With embedders, calibrations and the numbers of names. */
  readonly settings: number;
}

/** What a reader requires of its engine. */
export interface IndexSource {
  /** Rows that searches of any reader found. */
  readonly rows: RowCache;
  /** The index, as new as the truth was a moment ago. */
  current(): IndexState;
  /** Resolves when every write that was answered is in the index; undefined where that is so already. */
  behind(): Promise<void> | undefined;
  /** Resolves when the index holds the current truth, so that a search after a notification finds its commit. */
  indexed(): Promise<void>;
  /** How this search may be ranked approximately; undefined if it shall be exact or there is no way yet. */
  approximate(checked: CheckedRequest, query: NumericQuery, follower: Follower): ApproximateRank | undefined;
}

/** Records of this many hits are read in one go; with more, other requests run in between. */
const HITS_AT_ONCE = 100;

/** Thrown by a hook when the truth has moved on; the search begins again. */
class Outdated extends Error {}

const changedTooFast = () =>
  new LociError("memory-busy", "the memory changed faster than it could be read; try again");

/**
 * Searches the resident index and reads records from the truth. What the index does not hold (the memory's
 * past, other map revisions) the truth answers itself, by the slow way.
 */
export class EmbeddedReader implements MemoryReader {
  readonly #truth: SqliteReader;
  readonly #source: IndexSource;
  readonly #spaces: SpaceCache;
  readonly #bodies: BodyCache;
  /** The label sets that may be read, of one state of the memory. */
  #readable: { readonly generation: number; readonly sets: readonly number[] } | undefined;
  /** The hooks of a search without conditions on the body. */
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
    const othersFirst = inSlices();
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      await this.#source.behind();
      const found = this.#searchIndex(checked, options, (result, { frame }) => ({ result, frame }));
      if (found === undefined) return this.#truth.search(request, options);
      const { result, frame } = found;
      const hits: Hit[] = [];
      let isWhole = true;
      for (let from = 0; isWhole && from < result.hits.length; from += HITS_AT_ONCE) {
        if (from > 0) await othersFirst();
        isWhole = this.#read(result.hits.slice(from, from + HITS_AT_ONCE), frame, hits);
      }
      if (isWhole) return { hits, plan: this.#plan(checked, result) };
    }
    throw changedTooFast();
  }

  async searchIds(request: SearchRequest, options: CallOptions = {}): Promise<IdHit[]> {
    const checked = checkRequest(request);
    await this.#source.behind();
    const found = this.#searchIndex(checked, options, ({ hits }) =>
      hits.map(({ id, score, scores }) => ({ id, score, scores })),
    );
    return found ?? this.#truth.searchIds(request, options);
  }

  async searchMany(requests: readonly SearchRequest[], options: CallOptions = {}): Promise<SearchResult[]> {
    this.#truth.checkMany(requests);
    const results: SearchResult[] = [];
    for (const request of requests) results.push(await this.search(request, options));
    return results;
  }

  async count(request: SearchRequest, options: CallOptions = {}): Promise<number> {
    const checked = checkRequest(request);
    await this.#source.behind();
    throwIfAborted(options.signal);
    for (let attempt = 1; ; attempt++) {
      const state = this.#current();
      const { follower } = state;
      const query = this.#numeric(checked, state, follower.position);
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
  embedder = async (space: VectorSpace): Promise<EmbedderInfo | null> =>
    (await this.#spacesNow()).embedder(space);
  calibration = async (space: VectorSpace): Promise<Calibration | null> =>
    (await this.#spacesNow()).calibration(space);
  stats = (): Promise<MemoryStats> => this.#truth.stats();
  logEndUs = (): Promise<number | null> => this.#truth.logEndUs();
  revision = async (): Promise<string> => {
    await this.#source.behind();
    const { epoch, record, forgotten, frame } = this.#current().follower.position;
    return [epoch, record, forgotten, frame].join("/");
  };
  unfinished = (): Promise<Work[]> => this.#truth.unfinished();
  changes = (options: { afterUs?: number; signal?: AbortSignal; live?: boolean }): AsyncIterable<Change> =>
    this.#truth.changes(options, () => this.#source.indexed());
  dump = (): AsyncIterable<DumpRow> => this.#truth.dump();
  close = (): Promise<void> => this.#truth.close();

  /** Runs a search and reads its results; undefined if the index cannot answer. */
  #searchIndex<T>(
    checked: CheckedRequest,
    { signal }: CallOptions,
    use: (result: IndexResult, position: CursorValues) => T,
  ): T | undefined {
    throwIfAborted(signal);
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const state = this.#current();
      const { follower } = state;
      const { position } = follower;
      const query = this.#numeric(checked, state, position);
      if (query === undefined) return undefined;
      try {
        const approximate = this.#source.approximate(checked, query, follower);
        const hooks = approximate ? { ...this.#hooks(checked), approximate } : this.#hooks(checked);
        return use(follower.index.search(query, hooks), position);
      } catch (error) {
        if (!(error instanceof Outdated)) throw error;
      }
    }
    throw changedTooFast();
  }

  /** Adds the records of hits; false if one of them was deleted meanwhile. */
  #read(found: IndexResult["hits"], frame: number, hits: Hit[]): boolean {
    const { connection } = this.#truth;
    this.#truth.alive();
    const rows = this.#rowsOf(found);
    const frames = connection.framesFrom(frame);
    for (const { row, score, scores } of found) {
      const kept = rows.get(row);
      if (kept === undefined) return false;
      const place = placeOfRow(connection, kept.cells, frames);
      hits.push({
        record: recordOf(connection, kept),
        score,
        scores,
        ...(place && { position: place.centre, box: place.box }),
      });
    }
    return true;
  }

  /** The rows of hits by number, without rows deleted since. */
  #rowsOf(hits: IndexResult["hits"]): ReadonlyMap<number, KeptRow> {
    const { connection } = this.#truth;
    const known = this.#source.rows;
    const found = new Map<number, KeptRow>();
    const missing: number[] = [];
    for (const { row } of hits) {
      const kept = known.of(row);
      if (kept) found.set(row, kept);
      else missing.push(row);
    }
    // If nothing is missing the truth is not read at all: its file may be locked.
    if (missing.length > 0)
      connection.reading(() => {
        for (const [row, cells] of connection.recordRows(missing))
          found.set(row, known.add(connection, row, cells));
      });
    return found;
  }

  #numeric(
    checked: CheckedRequest,
    { follower, generation, settings }: IndexState,
    position: CursorValues,
  ): NumericQuery | undefined {
    const { connection, view } = this.#truth;
    this.#spaces.at(settings);
    this.#bodies.at(position);
    this.#source.rows.at(position);
    const seen: NumberedView = {
      options: view.options,
      unrestricted: view.unrestricted,
      readableLabelSets: () => this.#readableAt(generation),
      knownFrames: () => view.knownFrames(),
    };
    return numericQuery(connection, follower.index, this.#spaces, seen, checked);
  }

  #readableAt(generation: number): readonly number[] {
    if (this.#readable?.generation !== generation)
      this.#readable = { generation, sets: this.#truth.view.readableLabelSets() };
    return this.#readable.sets;
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

  /** Row counts of the steps would reveal hidden rows, so a restricted reader does not get them. */
  #plan(checked: CheckedRequest, { plan }: IndexResult): SearchPlan {
    const open = this.#truth.view.unrestricted;
    return {
      engine: "loci",
      driver: open ? plan.driver : "index",
      rank: checked.rank,
      steps: open ? [...plan.steps] : [],
    };
  }

  /** Every text search needs them, so the thread must not wait until the index has followed a write. */
  async #spacesNow(): Promise<SpaceCache> {
    await this.#source.behind();
    this.#spaces.at(this.#current().settings);
    return this.#spaces;
  }

  #current(): IndexState {
    this.#truth.alive();
    return this.#source.current();
  }
}

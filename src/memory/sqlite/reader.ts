import type { FrameGraph } from "../../geometry/index.ts";
import {
  type EmbedderInfo,
  LIMITS,
  LociError,
  type Presence,
  type Sighting,
  type Stored,
} from "../../schema/core.ts";
import { checkRequest } from "../check-request.ts";
import type {
  Calibration,
  CallOptions,
  Change,
  DumpRow,
  Hit,
  IdHit,
  MemoryReader,
  MemoryStats,
  ReaderOptions,
  SearchPlan,
  SearchResult,
  SightingQuery,
  VectorSpace,
  Work,
} from "../port.ts";
import type { SearchRequest } from "../request.ts";
import {
  type Cell,
  COLUMN,
  decodeSighting,
  outcomeNumber,
  RECORD_COLUMNS,
  SIGHTING_COLUMNS,
} from "../rows/codec.ts";
import type { ScanCandidate } from "../rows/scan.ts";
import { changesOf } from "./changes.ts";
import type { Connection } from "./connection.ts";
import { dumpRows } from "./dump.ts";
import { failureOf } from "./failure.ts";
import { foldPresences } from "./presence.ts";
import { ReadView } from "./read-view.ts";
import { scanSearch } from "./scan-search.ts";
import { logEndOf, statsOf } from "./stats.ts";
import { unfinishedWorks } from "./works.ts";

/** Reads the truth through a connection of its own; every call sees one consistent state. */
export class SqliteReader implements MemoryReader {
  /** For engines built on top of this one. */
  readonly connection: Connection;
  readonly view: ReadView;
  readonly #hooks: { bytes(): number; onClose(): void };
  #closed = false;

  constructor(connection: Connection, options: ReaderOptions, hooks: { bytes(): number; onClose(): void }) {
    this.connection = connection;
    this.view = new ReadView(connection, options);
    this.#hooks = hooks;
  }

  async get(ids: readonly string[]): Promise<(Stored | undefined)[]> {
    return this.#reading(() => {
      const found = this.connection.rows(
        `SELECT ${RECORD_COLUMNS} FROM record WHERE id IN (SELECT value FROM json_each(?)) AND ${this.view.believed}`,
        JSON.stringify(ids),
        ...this.view.memoryTime,
      );
      const byId = new Map(found.map((row) => [row[COLUMN.id], row]));
      return ids.map((id) => {
        const row = byId.get(id);
        return row !== undefined && this.view.sees(row) ? this.connection.decode(row) : undefined;
      });
    });
  }

  async history(id: string): Promise<Stored[]> {
    const until = this.view.options.asOfMemoryUs ?? Number.MAX_SAFE_INTEGER;
    return this.#reading(() =>
      this.connection
        .rows(
          `SELECT ${RECORD_COLUMNS} FROM record WHERE id = ? AND recorded_at <= ? ORDER BY version`,
          id,
          until,
        )
        .filter((row) => this.view.mayRead(Number(row[COLUMN.labels])))
        .map((row) => this.connection.decode(row)),
    );
  }

  async search(request: SearchRequest, options: CallOptions = {}): Promise<SearchResult> {
    const checked = checkRequest(request);
    return this.#reading(() => {
      const { ranked, driver, steps } = scanSearch(this.connection, this.view, checked, options);
      const plan: SearchPlan = { engine: "sqlite", driver, rank: checked.rank, steps };
      return { hits: ranked.map(({ candidate, score }) => this.hit(candidate, score)), plan };
    });
  }

  async searchIds(request: SearchRequest, options: CallOptions = {}): Promise<IdHit[]> {
    const { hits } = await this.search(request, options);
    return hits.map(({ record, score, scores }) => ({ id: record.id, score, scores }));
  }

  async searchMany(requests: readonly SearchRequest[], options: CallOptions = {}): Promise<SearchResult[]> {
    this.checkMany(requests);
    const results: SearchResult[] = [];
    for (const request of requests) results.push(await this.search(request, options));
    return results;
  }

  async count(request: SearchRequest, options: CallOptions = {}): Promise<number> {
    const checked = checkRequest(request);
    return this.#reading(() => scanSearch(this.connection, this.view, checked, options).passed);
  }

  async sightings(query: SightingQuery): Promise<Sighting[]> {
    const conditions = ["recorded_at <= ?"];
    const values: Cell[] = [this.view.options.asOfMemoryUs ?? Number.MAX_SAFE_INTEGER];
    return this.#reading(() => {
      if (query.stateIds) {
        const states = query.stateIds
          .map((id) => this.connection.names.find(id))
          .filter((n) => n !== undefined);
        conditions.push("state IN (SELECT value FROM json_each(?))");
        values.push(JSON.stringify(states));
      }
      if (query.during) {
        conditions.push("time >= ? AND time < ?");
        values.push(query.during.fromUs, query.during.toUs ?? Number.MAX_SAFE_INTEGER);
      }
      if (query.outcomes) conditions.push(`outcome IN (${query.outcomes.map(outcomeNumber).join(", ")})`);
      const order = query.order === "latest" ? "time DESC, row DESC" : "time, row";
      const limit = query.limit ?? LIMITS.hitsPerSearch;
      const sql = `SELECT ${SIGHTING_COLUMNS} FROM sighting WHERE ${conditions.join(" AND ")} ORDER BY ${order}`;
      const found: Sighting[] = [];
      for (const row of this.connection.each(sql, ...values)) {
        if (found.length >= limit) break;
        if (this.view.seesSighting(row[1], row[5])) found.push(decodeSighting(row, this.connection).sighting);
      }
      return found;
    });
  }

  async presence(stateIds: readonly string[]): Promise<Presence[]> {
    return this.#reading(() => foldPresences(this.connection, this.view, stateIds));
  }

  async frames(): Promise<FrameGraph> {
    return this.#reading(() => this.view.knownFrames());
  }

  async blob(ref: string): Promise<Uint8Array | undefined> {
    if (!/^[0-9a-f]{64}$/.test(ref)) return undefined;
    return this.#reading(() => {
      const hash = Buffer.from(ref, "hex");
      const seen = this.connection
        .rows(
          `SELECT ${RECORD_COLUMNS} FROM record WHERE row IN (SELECT rb.row FROM record_blob rb JOIN blob b ON b.id = rb.blob WHERE b.hash = ?)`,
          hash,
        )
        .some((row) => this.view.mayRead(Number(row[COLUMN.labels])));
      if (!seen && !this.view.unrestricted) return undefined;
      return this.connection.row("SELECT data FROM blob WHERE hash = ?", hash)?.[0] as Uint8Array | undefined;
    });
  }

  async embedder(space: VectorSpace): Promise<EmbedderInfo | null> {
    return this.#reading(() => this.connection.embedder(space));
  }

  async calibration(space: VectorSpace): Promise<Calibration | null> {
    return this.#reading(() => this.connection.calibration(space));
  }

  async stats(): Promise<MemoryStats> {
    return statsOf(this.connection, this.view, this.#hooks.bytes, (work) => this.#reading(work));
  }

  async logEndUs(): Promise<number | null> {
    return this.#reading(() => logEndOf(this.connection));
  }

  async unfinished(): Promise<Work[]> {
    return this.#reading(() =>
      unfinishedWorks(this.connection).filter(({ labels }) => this.view.holds(labels)),
    );
  }

  async *changes(
    options: { afterUs?: number; signal?: AbortSignal; live?: boolean },
    indexed?: () => Promise<void>,
  ): AsyncIterable<Change> {
    this.alive();
    yield* changesOf(this.connection, this.view, options, () => this.#closed, indexed);
  }

  async *dump(): AsyncIterable<DumpRow> {
    this.alive();
    try {
      yield* dumpRows(this.connection, this.view);
    } catch (error) {
      // It is read in pieces, outside of a transaction that would translate it.
      throw failureOf(error, this.connection.path);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.connection.close();
    this.#hooks.onClose();
  }

  /** The record of a row with the scores of the keys. */
  hit(candidate: ScanCandidate, score: number): Hit {
    const { meaning, image, words, distanceM, centre, box } = candidate;
    return {
      record: this.connection.decode(candidate.row),
      score,
      scores: {
        ...(meaning === undefined ? {} : { meaning }),
        ...(image === undefined ? {} : { image }),
        ...(words === undefined ? {} : { words }),
        ...(distanceM === undefined ? {} : { distanceM }),
      },
      ...(centre === undefined ? {} : { position: centre }),
      ...(box === undefined ? {} : { box }),
    };
  }

  #reading<T>(work: () => T): T {
    this.alive();
    return this.connection.reading(() => {
      this.connection.refreshNames();
      return work();
    });
  }

  checkMany(requests: readonly SearchRequest[]): void {
    if (requests.length > LIMITS.searchesPerCall) {
      throw new LociError(
        "limit-exceeded",
        `at most ${LIMITS.searchesPerCall} searches a call, got ${requests.length}`,
      );
    }
  }

  /** Refuses when closed. */
  alive(): void {
    if (this.#closed) throw new LociError("memory-closed", "this reader is closed; open another one");
  }
}

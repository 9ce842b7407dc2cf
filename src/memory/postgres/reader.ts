import type { FrameGraph } from "../../geometry/index.ts";
import {
  type EmbedderInfo,
  LIMITS,
  LociError,
  type Presence,
  type Sighting,
  type Stored,
} from "../../schema/core.ts";
import { type CheckedRequest, checkRequest } from "../check-request.ts";
import type {
  Calibration,
  CallOptions,
  Change,
  DumpRow,
  Hit,
  IdHit,
  KeyScores,
  MemoryReader,
  MemoryStats,
  ReaderOptions,
  SearchResult,
  SightingQuery,
  VectorSpace,
  Work,
} from "../port.ts";
import type { SearchRequest } from "../request.ts";
import { COLUMN, outcomeNumber } from "../rows/codec.ts";
import { presenceOf, type Seen } from "../rows/presence.ts";
import type { ScanCandidate, ScanOutcome } from "../rows/scan.ts";
import { type KeptWork, workOf } from "../rows/works.ts";
import { readBlobs } from "./blob-rows.ts";
import { changesOf } from "./changes.ts";
import { dumpRows } from "./dump.ts";
import type { HotScene } from "./hot-scene.ts";
import { plannedSearch } from "./planned-search.ts";
import { recordRow, recordsOf, SELECT_RECORD, SELECT_SIGHTING, sightingOf } from "./record-rows.ts";
import { plainSearch } from "./search.ts";
import { statsOf } from "./stats.ts";
import { Eyes, type Look } from "./view.ts";
import { addBelieved, addVisible, Where } from "./where.ts";

/** What a reader requires of its engine. */
export interface LookSource {
  readonly name: string;
  /** Runs work that sees one moment of the scene. */
  look<T>(eyes: Eyes, work: (look: Look) => Promise<T>): Promise<T>;
  /** The same for short readings. */
  glance<T>(eyes: Eyes, work: (look: Look) => Promise<T>): Promise<T>;
  /** The memory time of the scene's last commit. */
  commitUs(): Promise<number>;
  /** Answers from memory where it can. */
  readonly hot: HotScene | undefined;
  /** How many bytes the scene takes. */
  bytes(look: Look): Promise<number>;
  onClose(reader: PostgresReader): void;
}

/** Reads a scene by SQL; every call sees one moment of it. */
export class PostgresReader implements MemoryReader {
  readonly eyes: Eyes;
  readonly #source: LookSource;
  #closed = false;

  constructor(source: LookSource, options: ReaderOptions) {
    this.#source = source;
    this.eyes = new Eyes(options);
  }

  async get(ids: readonly string[]): Promise<(Stored | undefined)[]> {
    if (ids.length === 0) return this.#look(async () => []);
    return this.#glance(async (look) => {
      const where = addVisible(new Where(look.sceneId), look.options).add("r.id = ANY(?::text[])", ids);
      const rows = await look.session.rows(
        `SELECT ${SELECT_RECORD} FROM record r WHERE ${where.sql}`,
        where.values,
      );
      const records = await recordsOf(look.session, look.sceneId, rows.map(recordRow));
      const byId = new Map(records.map((record) => [record.id, record]));
      // The same id twice gives two results that share no object.
      return ids.map((id, i) => {
        const found = byId.get(id);
        return found && ids.indexOf(id) !== i ? structuredClone(found) : found;
      });
    });
  }

  async history(id: string): Promise<Stored[]> {
    return this.#look(async ({ session, sceneId, eyes }) => {
      const rows = await session.rows(
        `SELECT ${SELECT_RECORD} FROM record r WHERE r.scene_id = $1 AND r.id = $2 AND r.recorded_at <= $3 ORDER BY r.version`,
        [sceneId, id, eyes.untilUs],
      );
      return recordsOf(
        session,
        sceneId,
        rows.map(recordRow).filter((row) => eyes.mayRead(row[COLUMN.labels])),
      );
    });
  }

  async search(request: SearchRequest, options: CallOptions = {}): Promise<SearchResult> {
    const checked = checkRequest(request);
    this.alive();
    const resident = await this.#source.hot?.search(this.eyes, checked, options);
    if (resident !== undefined) return resident;
    return this.#glance(async (look) => {
      const found = await this.#run(look, checked, options);
      const hits = await hitsOf(look, found.ranked);
      const { driver, steps } = found;
      const open = this.eyes.unrestricted;
      return {
        hits,
        plan: {
          engine: this.#source.name,
          driver: open ? driver : "sql",
          rank: checked.rank,
          steps: open ? steps : [],
        },
      };
    });
  }

  async searchIds(request: SearchRequest, options: CallOptions = {}): Promise<IdHit[]> {
    const checked = checkRequest(request);
    this.alive();
    const resident = await this.#source.hot?.searchIndex(
      this.eyes,
      checked,
      options,
      ({ index }, query, hooks) =>
        index.search(query, hooks).hits.map(({ id, score, scores }) => ({ id, score, scores })),
    );
    if (resident !== undefined) return resident.value;
    return this.#glance(async (look) => {
      const { ranked } = await this.#run(look, checked, options);
      return ranked.map(({ candidate, score }) => ({ id: candidate.id, score, scores: scoresOf(candidate) }));
    });
  }

  async searchMany(requests: readonly SearchRequest[], options: CallOptions = {}): Promise<SearchResult[]> {
    if (requests.length > LIMITS.searchesPerCall)
      throw new LociError(
        "limit-exceeded",
        `at most ${LIMITS.searchesPerCall} searches a call, got ${requests.length}`,
      );
    const results: SearchResult[] = [];
    for (const request of requests) results.push(await this.search(request, options));
    return results;
  }

  async count(request: SearchRequest, options: CallOptions = {}): Promise<number> {
    const checked = checkRequest(request);
    this.alive();
    const resident = await this.#source.hot?.searchIndex(
      this.eyes,
      checked,
      options,
      ({ index }, query, hooks) => index.count(query, hooks),
    );
    if (resident !== undefined) return resident.value;
    return this.#glance(async (look) => (await plainSearch(look, checked, options)).passed);
  }

  #run(look: Look, checked: CheckedRequest, options: CallOptions): Promise<ScanOutcome> {
    return plannedSearch(look, checked, options);
  }

  async sightings(query: SightingQuery): Promise<Sighting[]> {
    return this.#look(async (look) => {
      const where = new Where(look.sceneId, "s").add("s.recorded_at <= ?", look.eyes.untilUs);
      if (query.stateIds) where.add("s.state = ANY(?::text[])", query.stateIds);
      if (query.during)
        where.add(
          "s.time >= ? AND s.time < ?",
          query.during.fromUs,
          query.during.toUs ?? Number.MAX_SAFE_INTEGER,
        );
      if (query.outcomes) where.add("s.outcome = ANY(?::smallint[])", query.outcomes.map(outcomeNumber));
      addSeen(where, look);
      const order = query.order === "latest" ? "s.time DESC, s.row DESC" : "s.time, s.row";
      const rows = await look.session.rows(
        `SELECT ${SELECT_SIGHTING} FROM sighting s WHERE ${where.sql} ORDER BY ${order} LIMIT ${Math.max(0, Math.floor(query.limit ?? LIMITS.hitsPerSearch))}`,
        where.values,
      );
      return rows.map((row) => sightingOf(row).sighting);
    });
  }

  async presence(stateIds: readonly string[]): Promise<Presence[]> {
    return this.#look(async (look) => {
      const where = new Where(look.sceneId, "s")
        .add("s.state = ANY(?::text[])", stateIds)
        .add("s.recorded_at <= ?", look.eyes.untilUs);
      addSeen(where, look);
      const [SEEN, ABSENT] = [outcomeNumber("seen"), outcomeNumber("absent")];
      const seen = new Map<string, Seen>();
      for (const [state, firstUs, lastUs, count] of await look.session.rows(
        `SELECT s.state, min(s.time), max(s.time), count(*) FROM sighting s WHERE ${where.sql} AND s.outcome = ${SEEN} GROUP BY s.state`,
        where.values,
      ))
        seen.set(String(state), { firstUs: Number(firstUs), lastUs: Number(lastUs), count: Number(count) });
      const absent = new Map<string, number[]>();
      for (const [state, time] of await look.session.rows(
        `SELECT s.state, s.time FROM sighting s WHERE ${where.sql} AND s.outcome = ${ABSENT} ORDER BY s.time`,
        where.values,
      )) {
        const times = absent.get(String(state));
        if (times) times.push(Number(time));
        else absent.set(String(state), [Number(time)]);
      }
      return stateIds.map((id) => presenceOf(id, seen.get(id), absent.get(id) ?? []));
    });
  }

  async frames(): Promise<FrameGraph> {
    return this.#look(async (look) => {
      await look.readFrames(true);
      return look.knownFrames();
    });
  }

  async blob(ref: string): Promise<Uint8Array | undefined> {
    if (!/^[0-9a-f]{64}$/.test(ref)) return undefined;
    return this.#look(async ({ session, sceneId, eyes }) => {
      if (!eyes.unrestricted) {
        const [named] = await session.rows(
          `SELECT 1 FROM record_blob n JOIN record r ON r.scene_id = n.scene_id AND r.row = n.row
             WHERE n.scene_id = $1 AND n.hash = $2 AND r.scene_id = $1 AND r.labels <@ $3::text[] LIMIT 1`,
          [sceneId, Buffer.from(ref, "hex"), eyes.held],
        );
        if (named === undefined) return undefined;
      }
      return (await readBlobs(session, sceneId, [ref])).get(ref);
    });
  }

  async embedder(space: VectorSpace): Promise<EmbedderInfo | null> {
    return this.#look(async ({ scene }) => scene.settings.embedders?.[space] ?? null);
  }

  async calibration(space: VectorSpace): Promise<Calibration | null> {
    return this.#look(async ({ scene }) => scene.settings.calibrations?.[space] ?? null);
  }

  async stats(): Promise<MemoryStats> {
    return this.#look(async (look) => statsOf(look, () => this.#source.bytes(look)));
  }

  async unfinished(): Promise<Work[]> {
    return this.#look(async ({ session, scene, eyes }) => {
      const rows = await session.rows("SELECT value FROM work WHERE scene_id = $1 ORDER BY id", [
        scene.sceneId,
      ]);
      return rows
        .map(([value]) => workOf(JSON.parse(String(value)) as KeptWork, scene.commitUs))
        .filter(({ labels }) => eyes.holds(labels));
    });
  }

  async *changes(options: { afterUs?: number; signal?: AbortSignal; live?: boolean }): AsyncIterable<Change> {
    this.alive();
    yield* changesOf(
      (work) => this.#look(work),
      () => this.#source.commitUs(),
      options,
      () => this.#closed,
    );
  }

  async *dump(): AsyncIterable<DumpRow> {
    this.alive();
    yield* dumpRows((work) => this.#look(work), this.eyes);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#source.onClose(this);
  }

  async #look<T>(work: (look: Look) => Promise<T>): Promise<T> {
    this.alive();
    return this.#source.look(this.eyes, work);
  }

  async #glance<T>(work: (look: Look) => Promise<T>): Promise<T> {
    this.alive();
    return this.#source.glance(this.eyes, work);
  }

  /** Refuses when closed. */
  alive(): void {
    if (this.#closed) throw new LociError("memory-closed", "this reader is closed; open another one");
  }
}

/** A sighting shows itself where its own labels are held and the version of its state that is believed is visible. */
function addSeen(where: Where, { eyes, sceneId, options }: Look): void {
  if (eyes.unrestricted) return;
  where.add("s.labels <@ ?::text[]", eyes.held);
  const state = new Where(sceneId);
  addBelieved(state, options.asOfMemoryUs).add("r.labels <@ ?::text[]", eyes.held);
  const sql = state.sql.replace(/\$(\d+)/g, (_, n) => where.value(state.values[Number(n) - 1]));
  where.conditions.push(`EXISTS (SELECT 1 FROM record r WHERE ${sql} AND r.id = s.state)`);
}

/** The records of candidates, whole, with the scores of the keys. */
export async function hitsOf(look: Look, ranked: ScanOutcome["ranked"]): Promise<Hit[]> {
  if (ranked.length === 0) return [];
  const rows = await look.session.rows(
    `SELECT ${SELECT_RECORD} FROM record r WHERE r.scene_id = $1 AND r.row = ANY($2::bigint[])`,
    [look.sceneId, ranked.map(({ candidate }) => Number(candidate.row[COLUMN.row]))],
  );
  const cells = rows.map(recordRow);
  const records = await recordsOf(look.session, look.sceneId, cells);
  const byRow = new Map(cells.map((row, i) => [Number(row[COLUMN.row]), records[i]!]));
  return ranked.map(({ candidate, score }) => ({
    record: byRow.get(Number(candidate.row[COLUMN.row]))!,
    score,
    scores: scoresOf(candidate),
    ...(candidate.centre === undefined ? {} : { position: candidate.centre }),
    ...(candidate.box === undefined ? {} : { box: candidate.box }),
  }));
}

export function scoresOf({ meaning, image, words, distanceM }: ScanCandidate): KeyScores {
  return {
    ...(meaning === undefined ? {} : { meaning }),
    ...(image === undefined ? {} : { image }),
    ...(words === undefined ? {} : { words }),
    ...(distanceM === undefined ? {} : { distanceM }),
  };
}

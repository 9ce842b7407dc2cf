import { throwIfAborted } from "../../schema/core.ts";
import type { CheckedRequest } from "../check-request.ts";
import { numericQuery } from "../embedded/numeric-query.ts";
import type { CallOptions, Hit, SearchResult } from "../port.ts";
import type { IndexResult, NumericQuery, SearchHooks } from "../resident/query.ts";
import { COLUMN, type Row, unpackIds } from "../rows/codec.ts";
import { placeOfRow } from "../rows/place.ts";
import { bodyFilter, type VectorSpaces } from "../rows/scan.ts";
import { Contents, PLAIN, recordRow, SELECT_RECORD } from "./record-rows.ts";
import { SceneIndex } from "./resident.ts";
import type { SceneState } from "./scene.ts";
import { namesFrame } from "./search.ts";
import type { Eyes, Look } from "./view.ts";

/** The greatest age of the last poll of the tail: others' commits are seen within this, own commits at once. */
const MAX_AGE_MS = 50;
/** From this many searches on, a scene gets an index in memory. */
const HOT_SEARCHES = 16;
/** So few rows are indexed on the way; more in the background, while SQL answers. */
const ROWS_AT_ONCE = 4_000;
/** A larger scene is not kept in memory. */
const MAX_ROWS = 3_000_000;
/** Rows of hits that are kept whole. */
const MAX_KEPT_ROWS = 20_000;
const MAX_TRIES = 5;

/** Thrown by a hook when the index needs vectors that are not in memory. */
class NeedsVectors extends Error {
  readonly keys: readonly number[];

  constructor(keys: readonly number[]) {
    super("vectors are read first");
    this.keys = keys;
  }
}

type Looking = <T>(work: (look: Look) => Promise<T>) => Promise<T>;

/** A scene in memory: its index, and data cached from earlier reads. */
class Resident {
  readonly index: SceneIndex;
  scene: SceneState;
  lookedAt: number;
  contents = new Contents();
  readonly rows = new Map<number, Row>();

  constructor(index: SceneIndex, scene: SceneState, lookedAt: number) {
    this.index = index;
    this.scene = scene;
    this.lookedAt = lookedAt;
  }

  drop(): void {
    this.contents = new Contents();
    this.rows.clear();
  }
}

/**
 * A scene that this process searches often, answered from memory by the embedded engine's index with its exactness.
 * Undefined from any of its calls means that SQL has to answer: it is not hot yet, or the index does not hold it.
 */
export class HotScene {
  readonly #looking: Looking;
  readonly #from: number;
  #searches = 0;
  #resident: Resident | undefined;
  #refreshing: Promise<void> | undefined;
  #building: Promise<void> | undefined;
  /** When this process last changed something: later searches must find it. */
  #changedAt = 0;
  #closed = false;

  constructor(looking: Looking, from: number | boolean = true) {
    this.#looking = looking;
    this.#from = typeof from === "number" ? from : HOT_SEARCHES;
  }

  /** This process has changed the scene. */
  changed(): void {
    this.#changedAt = performance.now();
  }

  /** Whether searches are answered from memory now. */
  get isResident(): boolean {
    return this.#resident !== undefined;
  }

  async search(eyes: Eyes, checked: CheckedRequest, options: CallOptions): Promise<SearchResult | undefined> {
    const found = await this.searchIndex(eyes, checked, options, (index, query, hooks) =>
      index.index.search(query, hooks),
    );
    if (found === undefined) return undefined;
    const hits = await this.#hits(found.resident, found.value);
    if (hits === undefined) return undefined;
    const open = eyes.unrestricted;
    const { plan } = found.value;
    return {
      hits,
      plan: {
        engine: "postgres",
        driver: open ? `resident ${plan.driver}` : "index",
        rank: checked.rank,
        steps: open ? [...plan.steps] : [],
      },
    };
  }

  /** Runs something on the index, as new as the scene; undefined if it cannot answer this. */
  async searchIndex<T>(
    eyes: Eyes,
    checked: CheckedRequest,
    { signal }: CallOptions,
    use: (index: SceneIndex, query: NumericQuery, hooks: SearchHooks) => T,
  ): Promise<{ resident: Resident; value: T } | undefined> {
    // Conditions on the body, and on the frames a restricted reader may name, need the server.
    if (bodyFilter(checked.where) !== undefined || (namesFrame(checked) && !eyes.unrestricted))
      return undefined;
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      throwIfAborted(signal);
      const resident = await this.#current();
      if (resident === undefined) return undefined;
      const query = this.#numeric(resident, eyes, checked);
      if (query === undefined) return undefined;
      try {
        return { resident, value: use(resident.index, query, hooksOf(resident)) };
      } catch (error) {
        if (!(error instanceof NeedsVectors)) throw error;
        await this.#looking((look) => resident.contents.readVectors(look.session, look.sceneId, error.keys));
      }
    }
    return undefined;
  }

  /** Drops the index; it is rebuilt without forgotten content. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#building?.catch(() => undefined);
    this.#resident = undefined;
  }

  #numeric({ index, scene }: Resident, eyes: Eyes, checked: CheckedRequest): NumericQuery | undefined {
    const spaces: VectorSpaces = {
      embedder: (space) => scene.settings.embedders?.[space] ?? null,
      calibration: (space) => scene.settings.calibrations?.[space] ?? null,
    };
    const view = {
      options: eyes.options,
      unrestricted: eyes.unrestricted,
      readableLabelSets: () =>
        [...index.labelSets.all()].flatMap(([key, n]) => (eyes.mayRead(key) ? [n] : [])),
      knownFrames: () => index.frames,
    };
    return numericQuery(index, index.index, spaces, view, checked);
  }

  /** The records of the hits; undefined if one of them was deleted meanwhile. */
  async #hits(resident: Resident, { hits }: IndexResult): Promise<Hit[] | undefined> {
    if (resident.rows.size + hits.length > MAX_KEPT_ROWS || resident.contents.vectors.size > MAX_KEPT_ROWS)
      resident.drop();
    const { contents, rows, index } = resident;
    const missing = hits.flatMap(({ row }) => (rows.has(row) ? [] : [row]));
    if (missing.length > 0) {
      await this.#looking(async ({ session, sceneId }) => {
        const found = await session.rows(
          `SELECT ${SELECT_RECORD} FROM record r WHERE r.scene_id = $1 AND r.row = ANY($2::bigint[])`,
          [sceneId, missing],
        );
        const cells = found.map(recordRow);
        await contents.readTexts(
          session,
          sceneId,
          cells.flatMap((row) => unpackIds(row[COLUMN.lines])),
        );
        for (const row of cells) rows.set(Number(row[COLUMN.row]), row);
      });
    }
    const read: Hit[] = [];
    for (const { row, score, scores } of hits) {
      const cells = rows.get(row);
      if (cells === undefined) return undefined;
      const place = placeOfRow(PLAIN, cells, index.frames);
      read.push({
        record: contents.decode(cells),
        score,
        scores,
        ...(place && { position: place.centre, box: place.box }),
      });
    }
    return read;
  }

  /** The scene in memory, no older than this process's last change and the maximum age for others' changes. */
  async #current(): Promise<Resident | undefined> {
    if (this.#resident === undefined && ++this.#searches < this.#from) return undefined;
    const since = Math.max(this.#changedAt, performance.now() - MAX_AGE_MS);
    while (this.#resident === undefined || this.#resident.lookedAt < since) {
      // Concurrent searches share one refresh, if it began late enough.
      this.#refreshing ??= this.#refresh().finally(() => {
        this.#refreshing = undefined;
      });
      await this.#refreshing;
      if (this.#resident === undefined) return undefined;
    }
    return this.#resident;
  }

  async #refresh(): Promise<void> {
    const lookedAt = performance.now();
    await this.#looking(async (look) => {
      const { scene } = look;
      const known = this.#resident;
      if (known === undefined || known.index.isStale(scene)) {
        this.#resident = undefined;
        if (scene.recordRow > ROWS_AT_ONCE) this.#buildLater();
        else this.#resident = await residentOf(look, lookedAt);
      } else if (known.index.behind(scene) > ROWS_AT_ONCE) {
        this.#buildLater();
      } else {
        // Only forgetting changes rows that stay.
        if (scene.forgottenRow !== known.scene.forgottenRow) known.drop();
        await known.index.follow(look);
        known.scene = scene;
        known.lookedAt = lookedAt;
      }
    });
  }

  /** SQL answers until it is there. */
  #buildLater(): void {
    this.#resident = undefined;
    this.#building ??= this.#looking(async (look) => {
      if (look.scene.recordRow > MAX_ROWS || this.#closed) return;
      const made = await residentOf(look, performance.now());
      if (!this.#closed) this.#resident = made;
    })
      .catch(() => undefined)
      .finally(() => {
        this.#building = undefined;
      });
  }
}

async function residentOf(look: Look, lookedAt: number): Promise<Resident> {
  return new Resident(await SceneIndex.build(look), look.scene, lookedAt);
}

function hooksOf(resident: Resident): SearchHooks {
  const { contents } = resident;
  return {
    exact: (_, keys) => {
      const missing = keys.filter((key) => contents.vectorOf(key) === undefined);
      if (missing.length > 0) throw new NeedsVectors(missing);
      return keys.map((key) => contents.vectorOf(key)!);
    },
  };
}

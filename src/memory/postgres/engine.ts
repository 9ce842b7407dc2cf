import { isLociError, LociError } from "../../schema/core.ts";
import { type BlobStore, partOf } from "../blobs/blob-store.ts";
import type { MemoryLog } from "../log.ts";
import type { KeptEngine, ReaderOptions, VerifyReport } from "../port.ts";
import { type Database, type Session, transaction, withBlobs } from "./database.ts";
import { isGone, isInTheWay } from "./failure.ts";
import { HotScene } from "./hot-scene.ts";
import { Moved, momentOf } from "./moment.ts";
import { patiently } from "./patience.ts";
import { PostgresReader } from "./reader.ts";
import { SampleCache } from "./sample.ts";
import { FrameCache, openScene, partitionOf, type SceneState, sceneOf, selectScene } from "./scene.ts";
import { hasSecondWall, prepareTables, READER_ROLE } from "./tables.ts";
import { arrayLiteral } from "./text.ts";
import { Eyes, Look } from "./view.ts";
import type { PostgresWriter } from "./writer.ts";

export interface PostgresOptions {
  readonly database: Database;
  /** Which memory of the database; default "main". */
  readonly scene?: string;
  /** The schema that holds Loci's tables; default "loci". */
  readonly schema?: string;
  /** Create missing tables and a missing scene; default true. */
  readonly create?: boolean;
  /** Hash partitions of a new database; default 32. */
  readonly partitions?: number;
  readonly nowUs?: () => number;
  /** Where blobs are stored, if not in the database; the same for every process that opens the scene. */
  readonly blobs?: BlobStore;
  /** Keep an index in memory of a scene that is searched often: from which search on; default 16. False: never. */
  readonly resident?: boolean | number;
}

/** How often the caller checks whether other processes changed the memory. */
const GENERATION_MS = 1_000;

/** One scene of a PostgreSQL database: shared by any number of readers and writers of any number of processes. */
export class PostgresEngine implements KeptEngine {
  readonly name = "postgres";
  readonly capabilities = {
    durable: true,
    sharedBetweenProcesses: true,
    onlineBackup: false,
    manyWriters: true,
    erasesFiles: false,
  } as const;
  readonly database: Database;
  readonly sceneId: number;
  readonly #nowUs: () => number;
  readonly #kept = { frames: new FrameCache(), samples: new SampleCache() };
  /** The scene as it was last seen: most of it seldom changes. */
  #seen: SceneState | undefined;
  readonly #open = new Set<{ close(): Promise<void> }>();
  readonly #hot: HotScene | undefined;
  readonly #hasWall: boolean;
  readonly #partition: number | undefined;
  #changes = 0;
  #closed = false;

  private constructor(
    sceneId: number,
    { hasWall, partition }: { readonly hasWall: boolean; readonly partition: number | undefined },
    options: PostgresOptions,
  ) {
    this.sceneId = sceneId;
    this.#hasWall = hasWall;
    this.#partition = partition;
    this.database = options.database;
    this.#nowUs = options.nowUs ?? (() => Date.now() * 1000);
    const everything = new Eyes({});
    this.#hot = options.resident === false ? undefined : new HotScene((work) => this.look(everything, work));
  }

  static async open(options: PostgresOptions): Promise<PostgresEngine> {
    const { database, scene = "main", schema = "loci", create = true, partitions } = options;
    await prepareTables(database, { schema, create, partitions });
    const sceneId = await openScene(database, scene, create);
    const { settings } = await database.session(async (session) =>
      sceneOf((await session.exec(selectScene(sceneId)))[0]),
    );
    const blobs = options.blobs && partOf(options.blobs, settings.id ?? String(sceneId));
    const hasWall = await hasSecondWall(database);
    const partition = await database.session((session) => partitionOf(session, sceneId));
    const own = blobs ? withBlobs(database, blobs) : database;
    return new PostgresEngine(sceneId, { hasWall, partition }, { ...options, database: own });
  }

  async reader(options: ReaderOptions = {}): Promise<PostgresReader> {
    this.#alive();
    const reader: PostgresReader = new PostgresReader(
      {
        name: this.name,
        hot: this.#hot,
        commitUs: () => this.#commitUs(),
        look: (eyes, work) => this.look(eyes, work),
        glance: (eyes, work) => this.glance(eyes, work),
        bytes: (look) => bytesOf(look.session, this.sceneId),
        onClose: (closed) => this.#open.delete(closed),
      },
      options,
    );
    this.#open.add(reader);
    return reader;
  }

  async writer(): Promise<PostgresWriter> {
    this.#alive();
    const { PostgresWriter } = await import("./writer.ts");
    const writer: PostgresWriter = new PostgresWriter({
      database: this.database,
      sceneId: this.sceneId,
      frames: this.#kept.frames,
      nowUs: this.#nowUs,
      onChange: () => {
        this.#changes++;
        this.#hot?.changed();
      },
      onClose: () => this.#open.delete(writer),
    });
    this.#open.add(writer);
    return writer;
  }

  async log(): Promise<MemoryLog> {
    const { postgresLog } = await import("./log.ts");
    return postgresLog(await this.reader(), (work) => this.look(new Eyes({}), work));
  }

  /** Grows with this process's own changes, and with time, since others' changes are not announced. */
  generation(): number {
    return this.#changes + Math.floor(performance.now() / GENERATION_MS);
  }

  texts(): Promise<number> {
    return this.look(new Eyes({}), async ({ session, sceneId }) => {
      const [row] = await session.rows(
        "SELECT count(*) FROM meaning WHERE scene_id = $1 AND text IS NOT NULL",
        [sceneId],
      );
      return Number(row![0]);
    });
  }

  /** Not known: the log is the server's to keep. */
  hasLost(): boolean {
    return false;
  }

  async verify(options: { repair?: boolean } = {}): Promise<VerifyReport> {
    const { verifyScene } = await import("./verify.ts");
    return this.database.session((session) => verifyScene(session, this.sceneId, options.repair === true));
  }

  /** Everything inside sees one moment of the scene. */
  look<T>(eyes: Eyes, work: (look: Look) => Promise<T>): Promise<T> {
    this.#alive();
    const wall = this.#hasWall && eyes.held ? asReader(eyes.held) : "";
    const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${wall}${selectScene(this.sceneId)}`;
    return patiently(
      () =>
        this.database.reading((session) =>
          transaction(session, begin, ([row]) => {
            this.#seen = sceneOf(row);
            return work(new Look(session, this.#seen, eyes, this.#kept));
          }),
        ),
      // A replica gives up a read that its primary's clean-up overtook.
      (error) => (isGone(error) || isInTheWay(error)) && !this.#closed,
    );
  }

  /** The same for short readings, mostly in one way there and back: without a transaction as long as that will do. */
  async glance<T>(eyes: Eyes, work: (look: Look) => Promise<T>): Promise<T> {
    this.#alive();
    const seen = this.#seen;
    // The server's own row security needs a transaction.
    if (seen === undefined || (this.#hasWall && eyes.held)) return this.look(eyes, work);
    try {
      return await patiently(
        () => work(new Look(momentOf(this.database, seen, this.#partition), seen, eyes, this.#kept)),
        (error) => (isGone(error) || isInTheWay(error)) && !this.#closed,
      );
    } catch (error) {
      // A request refused by cached settings may be valid by the current ones.
      if (
        error instanceof Moved ||
        isLociError(error, "invalid-input") ||
        isLociError(error, "embedder-mismatch")
      )
        return this.look(eyes, work);
      throw error;
    }
  }

  #commitUs(): Promise<number> {
    this.#alive();
    const ask = async (session: Session) => {
      const [row] = await session.rows("SELECT commit_us FROM scene WHERE scene_id = $1", [this.sceneId]);
      return Number(row?.[0]);
    };
    return patiently(
      () => this.database.reading(ask),
      (error) => isGone(error) && !this.#closed,
    );
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const part of [...this.#open]) await part.close();
    await this.#hot?.close();
    await this.database.close();
  }

  #alive(): void {
    if (this.#closed) throw new LociError("memory-closed", "this memory is closed; open it again");
  }
}

/** From here to the end of the transaction the server itself shows only what these labels let see. */
function asReader(held: readonly string[]): string {
  const labels = arrayLiteral(held).replaceAll("'", "''");
  return `SET LOCAL ROLE ${READER_ROLE}; SET LOCAL loci.labels = '${labels}'; `;
}

/** The size of a scene's rows, without indexes: pages are shared with other scenes. */
async function bytesOf(session: Session, sceneId: number): Promise<number> {
  const [row] = await session.rows(
    `SELECT coalesce((SELECT sum(pg_column_size(r.*)) FROM record r WHERE r.scene_id = $1), 0)
       + coalesce((SELECT sum(pg_column_size(v.*)) FROM meaning_vector v WHERE v.scene_id = $1), 0)
       + coalesce((SELECT sum(pg_column_size(m.*)) FROM meaning m WHERE m.scene_id = $1), 0)
       + coalesce((SELECT sum(pg_column_size(s.*)) FROM sighting s WHERE s.scene_id = $1), 0)
       + coalesce((SELECT sum(b.size) FROM blob b WHERE b.scene_id = $1), 0)`,
    [sceneId],
  );
  return Number(row![0]);
}

import type pg from "pg";
import { LociError } from "../../schema/core.ts";
import { vectorParameter } from "./copy-data.ts";
import type { Database, Session, Value, Values } from "./database.ts";
import { failureOf, isGone } from "./failure.ts";
import { logPosition, Replicas } from "./replicas.ts";
import { describePlace, type PostgresPlace } from "./url.ts";

const CONNECT_MS = 5_000;
/** A lock is waited for this long: writers of a scene take turns. */
const LOCK_MS = 30_000;
const IDLE_MS = 30_000;

/** PostgreSQL's type numbers of types that `pg` parses differently. */
const INT8 = 20;
const INT8_ARRAY = 1016;
const NUMERIC = 1700;

/** A server, or a primary with its replicas: connections are pooled, and the current primary is found. */
export class PostgresServer implements Database {
  readonly what: string;
  readonly #place: PostgresPlace;
  readonly #pg: typeof pg;
  readonly #pools: pg.Pool[];
  /** The host that took the last write. */
  #primary = 0;
  readonly #replicas: Replicas | undefined;

  private constructor(place: PostgresPlace, driver: typeof pg) {
    this.what = describePlace(place);
    this.#place = place;
    this.#pg = driver;
    this.#pools = place.hosts.map(({ host, port }) => this.#pool(host, port));
    this.#replicas =
      place.staleS === undefined
        ? undefined
        : new Replicas(place.staleS * 1000, place.hosts.length, (host, as) => this.#positionOf(host, as));
  }

  static async open(place: PostgresPlace): Promise<PostgresServer> {
    const { default: driver } = await import("pg").catch((cause) => {
      throw new LociError(
        "not-supported",
        "a memory on PostgreSQL needs the package pg; run npm install pg",
        { cause },
      );
    });
    return new PostgresServer(place, driver);
  }

  session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#on(this.#primary, work);
  }

  async reading<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const replica = await this.#replicas?.fresh(this.#primary);
    if (replica !== undefined) {
      try {
        return await this.#use(await this.#pools[replica]!.connect(), work);
      } catch (error) {
        if (!isGone(error)) throw failureOf(error, this.what);
        this.#replicas?.forget();
      }
    }
    // Without a primary, replicas beyond the requested or default bound still do not answer.
    return this.#on(this.#primary, work).catch((error) => {
      if (this.#replicas === undefined || !isGone(error)) throw error;
      this.#replicas.forget();
      throw new LociError(
        "source-unavailable",
        `${this.what}: no primary answers, and no replica is known to be at most ${this.#place.staleS} s behind it; wait, or raise ?stale=SECONDS`,
        { cause: { code: "25006" } },
      );
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }

  /** Runs work on a host; if it is lost, or no longer the primary, on the first host that is. */
  async #on<T>(index: number, work: (session: Session) => Promise<T>): Promise<T> {
    try {
      const client = await this.#connect(index);
      return await this.#use(client, work);
    } catch (error) {
      throw failureOf(error, this.what);
    }
  }

  /** A connection to the primary, whichever host that is now; the only host that is named is taken as it is. */
  async #connect(index: number): Promise<pg.PoolClient> {
    const pools = this.#pools;
    let failure: unknown;
    for (let step = 0; step < pools.length; step++) {
      const n = (index + step) % pools.length;
      try {
        const client = await pools[n]!.connect();
        if (pools.length === 1 || (await this.#isPrimary(client))) {
          this.#primary = n;
          return client;
        }
        client.release();
        failure ??= new LociError(
          "memory-read-only",
          `${this.what}: none of these servers is a primary now`,
          {
            cause: { code: "25006" },
          },
        );
      } catch (error) {
        if (!isGone(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  async #use<T>(client: pg.PoolClient, work: (session: Session) => Promise<T>): Promise<T> {
    try {
      const result = await work(sessionOf(client, this.#pg));
      client.release();
      return result;
    } catch (error) {
      // A connection in an unknown state is not used again.
      client.release(isGone(error));
      throw error;
    }
  }

  async #isPrimary(client: pg.PoolClient): Promise<boolean> {
    try {
      const { rows } = await client.query({ text: "SELECT pg_is_in_recovery()", rowMode: "array" });
      return (rows as unknown as boolean[][])[0]![0] === false;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async #positionOf(host: number, as: "primary" | "replica"): Promise<bigint | undefined> {
    const text =
      as === "primary"
        ? "SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_flush_lsn()::text END"
        : "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END";
    try {
      const { rows } = await this.#pools[host]!.query({ text, rowMode: "array" });
      const position = (rows as unknown as (string | null)[][])[0]![0];
      return position == null ? undefined : logPosition(position);
    } catch {
      return undefined;
    }
  }

  #pool(host: string, port: number): pg.Pool {
    const { user, password, database, schema, pool, timeoutS, tls } = this.#place;
    const made = new this.#pg.Pool({
      host,
      port,
      database,
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password }),
      ...(tls && { ssl: true }),
      max: pool,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      allowExitOnIdle: true,
      // Statements sent without waiting are pipelined.
      pipeline: true,
      application_name: "loci",
      // Plans are made for the values at hand: scenes differ by orders of magnitude. Frequent statements are written so
      // that they have one plan (`often`). Work is spread over connections, not within one.
      options: `-c search_path=${schema},public -c plan_cache_mode=force_custom_plan -c max_parallel_workers_per_gather=0 -c statement_timeout=${timeoutS * 1000} -c lock_timeout=${LOCK_MS} -c jit=off`,
      types: {
        getTypeParser: ((oid: number, format?: "text" | "binary") => {
          if (oid === INT8 || oid === NUMERIC) return Number;
          if (oid === INT8_ARRAY)
            return (text: string) => text.slice(1, -1).split(",").filter(Boolean).map(Number);
          return this.#pg.types.getTypeParser(oid, format as "text");
        }) as typeof pg.types.getTypeParser,
      },
    });
    // If a connection breaks, its query fails and reports it; for an idle one there is nothing to report.
    made.on("error", () => undefined);
    made.on("connect", (client) => client.on("error", () => undefined));
    return made;
  }
}

/** The names of frequent statements; beyond a limit, statements are sent unnamed. */
const names = new Map<string, string>();
const MOST_NAMES = 256;

function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < MOST_NAMES) {
    name = `loci${names.size}`;
    names.set(text, name);
  }
  return name;
}

/** Connections that keep their plans now. */
const keepsPlans = new WeakSet<pg.PoolClient>();

function sessionOf(client: pg.PoolClient, driver: typeof pg): Session {
  const query = (text: string, values: readonly unknown[], name?: string) =>
    client.query<Value[]>({
      text,
      values: values.map((value) => (value instanceof Float32Array ? vectorParameter(value) : value)),
      rowMode: "array",
      ...(name && { name }),
    });
  const keepPlans = async (keep: boolean) => {
    if (keepsPlans.has(client) === keep) return;
    await client.query(`SET plan_cache_mode = force_${keep ? "generic" : "custom"}_plan`);
    if (keep) keepsPlans.add(client);
    else keepsPlans.delete(client);
  };
  return {
    rows: async (text, values = []) => {
      if (!isInTransaction(client)) await keepPlans(false);
      return (await query(text, values)).rows as unknown as Values[];
    },
    often: async (text, values) => {
      if (!isInTransaction(client)) await keepPlans(true);
      return (await query(text, values, nameOf(text))).rows as unknown as Values[];
    },
    run: async (text, values = []) => (await query(text, values)).rowCount ?? 0,
    exec: async (text) => {
      const result = (await client.query({ text, rowMode: "array" })) as unknown;
      const last = (Array.isArray(result) ? result.at(-1) : result) as { rows: Values[] };
      return last.rows;
    },
    copy: (into, data, format) =>
      new Promise((resolve, reject) => {
        const text = `COPY ${into} FROM STDIN (FORMAT ${format})`;
        const copy = new driver.Query(text, (error) => (error ? reject(error) : resolve()));
        // The driver has the messages of a COPY, but no call for it. It is sent at once with its data: if the server
        // refuses it, the protocol makes it skip the data.
        const submit = (connection: CopyConnection) => {
          connection.query(text);
          connection.sendCopyFromChunk(data);
          connection.endCopyFrom();
          return null;
        };
        client.query(Object.assign(copy, { submit, handleCopyInResponse: () => undefined }));
      }),
  };
}

/** A setting made within a transaction is undone with it. */
function isInTransaction(client: pg.PoolClient): boolean {
  return client.getTransactionStatus() !== "I";
}

/** The part of a connection that is used while data is copied in. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
}

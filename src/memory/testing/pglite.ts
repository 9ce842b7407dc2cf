import type { Database, Session, Values } from "../postgres/database.ts";
import { failureOf } from "../postgres/failure.ts";

/** The part of PGlite used here, so that the package is not needed. */
export interface Pglite {
  query(
    text: string,
    values?: unknown[],
    options?: { rowMode?: "array"; blob?: Blob },
  ): Promise<{ rows: unknown[]; affectedRows?: number }>;
  exec(text: string, options?: { rowMode?: "array" }): Promise<{ rows: unknown[] }[]>;
  close(): Promise<void>;
}

/** It takes vectors as text; a double represents every float32 exactly. */
const asText = (value: unknown) => (value instanceof Float32Array ? `[${value.join(",")}]` : value);

/** PostgreSQL in this process: one connection, so that sessions wait for each other. */
export class PgliteDatabase implements Database {
  readonly what = "PGlite";
  readonly #db: Pglite;
  #last: Promise<unknown> = Promise.resolve();
  #statement: Promise<unknown> = Promise.resolve();

  constructor(db: Pglite) {
    this.#db = db;
  }

  session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const turn = this.#last
      .then(() => work(this.#session))
      .catch((error) => Promise.reject(failureOf(error, this.what)));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  reading<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.session(work);
  }

  /** The database belongs to the process that made it, which closes it. */
  async close(): Promise<void> {
    await this.#last;
  }

  /** Statements run in the order in which they were issued, awaited or not. */
  #inTurn<T>(statement: () => Promise<T>): Promise<T> {
    const done = this.#statement.then(statement);
    this.#statement = done.catch(() => undefined);
    return done;
  }

  readonly #rows = (text: string, values: readonly unknown[] = []): Promise<Values[]> =>
    this.#inTurn(
      async () => (await this.#db.query(text, values.map(asText), { rowMode: "array" })).rows as Values[],
    );

  readonly #session: Session = {
    rows: this.#rows,
    often: this.#rows,
    run: (text, values = []) =>
      this.#inTurn(async () => (await this.#db.query(text, [...values])).affectedRows ?? 0),
    exec: (text) =>
      this.#inTurn(
        async () => ((await this.#db.exec(text, { rowMode: "array" })).at(-1)?.rows ?? []) as Values[],
      ),
    copy: (into, data, format) =>
      this.#inTurn(async () => {
        await this.#db.query(`COPY ${into} FROM '/dev/blob' (FORMAT ${format})`, [], {
          blob: new Blob([data as Uint8Array<ArrayBuffer>]),
        });
      }),
  };
}

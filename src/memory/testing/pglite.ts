import type { Database, Session, Values } from "../postgres/database.ts";
import { failureOf } from "../postgres/failure.ts";

/** What is used of PGlite, so that nothing here needs the package. */
export interface Pglite {
  query(
    text: string,
    values?: unknown[],
    options?: { rowMode?: "array"; blob?: Blob },
  ): Promise<{ rows: unknown[]; affectedRows?: number }>;
  exec(text: string, options?: { rowMode?: "array" }): Promise<{ rows: unknown[] }[]>;
  close(): Promise<void>;
}

/** PostgreSQL in this process: one connection, so that sessions wait for each other. */
export class PgliteDatabase implements Database {
  readonly what = "PGlite";
  readonly #db: Pglite;
  #last: Promise<unknown> = Promise.resolve();

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

  /** The process's own: whoever made it closes it. */
  async close(): Promise<void> {
    await this.#last;
  }

  readonly #session: Session = {
    rows: async (text, values = []) =>
      (await this.#db.query(text, [...values], { rowMode: "array" })).rows as Values[],
    run: async (text, values = []) => (await this.#db.query(text, [...values])).affectedRows ?? 0,
    exec: async (text) => ((await this.#db.exec(text, { rowMode: "array" })).at(-1)?.rows ?? []) as Values[],
    copy: async (into, data, format) => {
      await this.#db.query(`COPY ${into} FROM '/dev/blob' (FORMAT ${format})`, [], {
        blob: new Blob([data as Uint8Array<ArrayBuffer>]),
      });
    },
  };
}

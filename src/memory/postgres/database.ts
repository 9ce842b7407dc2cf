import type { BlobStore } from "../blobs/blob-store.ts";

/** A value of a row as the server returns it: numbers for every integer, bytes for bytea, lists for arrays. */
export type Value = null | number | boolean | string | Uint8Array | readonly Value[];
export type Values = readonly Value[];

/** One connection for as long as a piece of work lasts. A value of a statement may be a vector, as floats. */
export interface Session {
  rows(text: string, values?: readonly unknown[]): Promise<Values[]>;
  /** The same for a frequent statement: the server keeps it parsed, and in the end its plan. */
  often(text: string, values: readonly unknown[]): Promise<Values[]>;
  /** How many rows a statement touched. */
  run(text: string, values?: readonly unknown[]): Promise<number>;
  /** Several statements at once, without values; the rows of the last. */
  exec(text: string): Promise<Values[]>;
  /** `COPY … FROM STDIN` with its data. */
  copy(into: string, data: Uint8Array, format: "text" | "binary"): Promise<void>;
  /** The store of the scene's blobs, if they are not in its rows. */
  readonly blobs?: BlobStore | undefined;
}

/** The source of sessions: a pool of connections to a server, or PGlite in this process. */
export interface Database {
  /** For people, without a password. */
  readonly what: string;
  /** A connection that may write; the work has it for itself. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** A session for reading: a replica's where the URL allows one that is not too far behind. */
  reading<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The same database for a scene with another blob store. */
export function withBlobs(database: Database, blobs: BlobStore): Database {
  const having = (session: Session): Session => ({ ...session, blobs });
  return {
    what: database.what,
    session: (work) => database.session((session) => work(having(session))),
    reading: (work) => database.reading((session) => work(having(session))),
    close: () => database.close(),
  };
}

/** One transaction. An error inside, the server's or ours, undoes it. */
export async function transaction<T>(
  session: Session,
  begin: string,
  work: (began: Values[], sending: Session) => Promise<T>,
): Promise<T> {
  const began = await session.exec(begin);
  const sent: Promise<unknown>[] = [];
  let result: T;
  try {
    result = await work(began, sendingOn(session, sent));
  } catch (error) {
    // Statements after a failed one fail because of it: report the first.
    const failed = await firstFailure(sent);
    // If the connection itself is lost there is nothing left to undo.
    await session.exec("ROLLBACK").catch(() => undefined);
    throw failed ?? error;
  }
  sent.push(session.exec("COMMIT"));
  // One that failed has turned the commit into its opposite.
  const failed = await firstFailure(sent);
  if (failed !== undefined) throw failed;
  return result;
}

async function firstFailure(sent: readonly Promise<unknown>[]): Promise<unknown> {
  const outcomes = await Promise.allSettled(sent);
  return outcomes.find((outcome) => outcome.status === "rejected")?.reason;
}

/**
 * The same session for writes without answers: statements are sent one after the other without waiting, and the
 * transaction waits for all of them at its end. Reads work as usual, after everything sent before.
 */
function sendingOn(session: Session, sent: Promise<unknown>[]): Session {
  const send = async (statement: Promise<unknown>) => {
    // Checked when the transaction ends; until then a rejection must not count as unhandled.
    statement.catch(() => undefined);
    sent.push(statement);
  };
  return {
    rows: (text, values) => session.rows(text, values),
    often: (text, values) => session.often(text, values),
    exec: (text) => session.exec(text),
    run: async (text, values) => {
      await send(session.run(text, values));
      return Number.NaN;
    },
    copy: (into, data, format) => send(session.copy(into, data, format)),
    blobs: session.blobs,
  };
}

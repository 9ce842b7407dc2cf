import type { BlobStore } from "../blobs/blob-store.ts";

/** A value of a row as it comes from the server: numbers for every integer, bytes for bytea, lists for arrays. */
export type Value = null | number | boolean | string | Uint8Array | readonly Value[];
export type Values = readonly Value[];

/** One connection for as long as a piece of work lasts. A value of a statement may be a vector, as floats. */
export interface Session {
  rows(text: string, values?: readonly unknown[]): Promise<Values[]>;
  /** The same for a statement that is asked often: the server keeps it parsed, and in the end its plan. */
  often(text: string, values: readonly unknown[]): Promise<Values[]>;
  /** How many rows a statement touched. */
  run(text: string, values?: readonly unknown[]): Promise<number>;
  /** Several statements at once, without values; the rows of the last. */
  exec(text: string): Promise<Values[]>;
  /** `COPY … FROM STDIN` with its data. */
  copy(into: string, data: Uint8Array, format: "text" | "binary"): Promise<void>;
  /** Where the scene's blobs lie, if not in their rows. */
  readonly blobs?: BlobStore | undefined;
}

/** Where sessions come from: a pool of connections to a server, or PGlite in this process. */
export interface Database {
  /** For people, without a password. */
  readonly what: string;
  /** A connection that may write; the work has it for itself. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** One for reading: a replica's where the URL names one that is not too far behind. */
  reading<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The same database for a scene whose blobs lie elsewhere. */
export function withBlobs(database: Database, blobs: BlobStore): Database {
  const having = (session: Session): Session => ({ ...session, blobs });
  return {
    what: database.what,
    session: (work) => database.session((session) => work(having(session))),
    reading: (work) => database.reading((session) => work(having(session))),
    close: () => database.close(),
  };
}

/** Everything inside or nothing. An error inside, the server's or ours, undoes it. */
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
    // What was asked after a statement that failed fails because of it.
    const failed = await firstFailure(sent);
    // Where the connection itself is gone there is nothing left to undo.
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
 * The same session for whoever writes and asks for no answer: statements go out one behind the other without waiting,
 * and the transaction waits for all of them at its end. Reading works as ever, after what was sent before.
 */
function sendingOn(session: Session, sent: Promise<unknown>[]): Session {
  const send = async (statement: Promise<unknown>) => {
    // Looked at when the transaction ends; until then nobody does.
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

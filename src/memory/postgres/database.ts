/** A value of a row as it comes from the server: numbers for every integer, bytes for bytea, lists for arrays. */
export type Value = null | number | boolean | string | Uint8Array | readonly Value[];
export type Values = readonly Value[];

/** One connection for as long as a piece of work lasts. */
export interface Session {
  rows(text: string, values?: readonly unknown[]): Promise<Values[]>;
  /** How many rows a statement touched. */
  run(text: string, values?: readonly unknown[]): Promise<number>;
  /** Several statements at once, without values; the rows of the last. */
  exec(text: string): Promise<Values[]>;
  /** `COPY … FROM STDIN` with its data. */
  copy(into: string, data: Uint8Array, format: "text" | "binary"): Promise<void>;
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

/** Everything inside or nothing. An error inside, the server's or ours, undoes it. */
export async function transaction<T>(
  session: Session,
  begin: string,
  work: (began: Values[]) => Promise<T>,
): Promise<T> {
  const began = await session.exec(begin);
  let result: T;
  try {
    result = await work(began);
  } catch (error) {
    // Where the connection itself is gone there is nothing left to undo.
    await session.exec("ROLLBACK").catch(() => undefined);
    throw error;
  }
  await session.exec("COMMIT");
  return result;
}

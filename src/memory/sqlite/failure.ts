import { isLociError, LociError } from "../../schema/core.ts";

const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** The one place where SQLite's errors become ours; any other error is passed on unchanged. */
export function failureOf(error: unknown, path: string): unknown {
  if (isLociError(error)) return error;
  const because = { cause: error };
  // Nothing that we write is beyond 2^53: a number that JavaScript cannot hold was not written.
  if ((error as { code?: string }).code === "ERR_OUT_OF_RANGE")
    return new LociError(
      "memory-corrupt",
      `${path} is damaged: it holds a number that was never written; restore a backup`,
      because,
    );
  const code = (error as { errcode?: number }).errcode;
  if (code === undefined) return error;
  switch (code & 0xff) {
    case BUSY:
      return new LociError(
        "memory-busy",
        `${path} is being written by another process; wait for it or stop it`,
        because,
      );
    case READONLY:
      return new LociError("memory-read-only", `${path} cannot be written; check its permissions`, because);
    case FULL:
      return new LociError(
        "memory-full",
        `no space left for ${path}; nothing was written: free some space or forget something`,
        because,
      );
    case CORRUPT:
    case NOTADB:
      return new LociError(
        "memory-corrupt",
        `${path} is damaged or not a memory; restore a backup or run verify`,
        because,
      );
    case CANTOPEN:
      return new LociError(
        "memory-not-found",
        `${path} cannot be opened; check the folder and its permissions`,
        because,
      );
    case IOERR:
      return new LociError(
        "memory-corrupt",
        `reading or writing ${path} failed: ${(error as Error).message}`,
        because,
      );
    default:
      return error;
  }
}

/** Runs a piece of SQLite work with its failures translated. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failureOf(error, path);
  }
}

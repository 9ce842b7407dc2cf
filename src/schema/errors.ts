/**
 * Every failure that the world can cause, by a code that is stable between releases: scripts and clients branch on
 * the code, people read the message. A bug of our own is an assertion instead.
 */
export const ERROR_CODES = [
  "invalid-input", // a value breaks the schema or a limit
  "unknown-id", // a reference to something this reader cannot see or that never existed
  "version-conflict", // expectVersion did not match
  "embedder-mismatch", // a vector or a query from another embedder or of another length
  "memory-not-found",
  "memory-exists",
  "memory-busy", // another process holds the writer lock
  "memory-read-only",
  "memory-corrupt", // truncated, foreign or damaged file
  "memory-newer", // written by a newer Loci
  "memory-full", // no space left; nothing was written
  "memory-closed",
  "model-unavailable", // weights, package or endpoint missing
  "source-unavailable", // a robot, or a service that a recording needs, does not answer
  "model-failed", // the model returned an error or an unusable answer
  "limit-exceeded",
  "access-denied", // no token, a wrong one, or one without the required scope
  "overloaded", // too much work is queued; try again later
  "not-supported", // the engine lacks this capability
  "aborted",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The one error class: the message says what was expected, what was received, and what to do. */
export class LociError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "LociError";
    this.code = code;
  }
}

/** Narrows an unknown thrown value, optionally to one code. */
export function isLociError(error: unknown, code?: ErrorCode): error is LociError {
  return error instanceof LociError && (code === undefined || error.code === code);
}

/** For our own bugs only: a condition that no outside input can break. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Turns an abort into the error that callers expect. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new LociError("aborted", "the call was aborted", { cause: signal.reason });
}

import { isLociError, LociError } from "../../schema/core.ts";

/** The server was not reached, or went away: it may be back, or another be in its place, in a moment. */
const GONE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "57P01",
  "57P02",
  "57P03",
  "25006",
]);
/** Conflicts with another transaction; a retry will succeed. */
const AGAIN = new Set(["40001", "40P01", "55P03"]);

export function codeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === "string") return code;
  // The driver's error if a server requires a password and the URL has none.
  if (message?.startsWith("SASL")) return "28P01";
  return /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(message ?? "")
    ? "ECONNRESET"
    : "";
}

/** Whether the server, or the connection to it, is lost. */
export function isGone(error: unknown): boolean {
  const code = codeOf(isLociError(error) ? error.cause : error);
  return GONE.has(code) || code.startsWith("08");
}

/** Whether the very same transaction may simply be tried again. */
export function isInTheWay(error: unknown): boolean {
  return AGAIN.has(codeOf(isLociError(error) ? error.cause : error));
}

/** The server's error, in one line that says what to do. */
export function failureOf(error: unknown, what: string): unknown {
  if (isLociError(error)) return error;
  const cause = { cause: error };
  const message = String((error as Error)?.message ?? error).split("\n")[0];
  const code = codeOf(error);
  if (code === "28P01" || code === "28000")
    return new LociError(
      "access-denied",
      `${what}: ${message}; check the user and password of the URL`,
      cause,
    );
  if (code === "3D000")
    return new LociError("memory-not-found", `${what}: ${message}; create the database first`, cause);
  if (code === "42501")
    return new LociError("access-denied", `${what}: ${message}; grant it to the URL's user`, cause);
  if (code === "53300" || code === "53200")
    return new LociError(
      "overloaded",
      `${what}: ${message}; raise max_connections or lower ?pool=N of each server`,
      cause,
    );
  if (code === "53100")
    return new LociError(
      "memory-full",
      `${what}: the server's disk is full (${message}); nothing was written`,
      cause,
    );
  if (code === "25006")
    return new LociError(
      "memory-read-only",
      `${what} is a replica or read-only; name the primary too`,
      cause,
    );
  if (code === "57014")
    return new LociError(
      "overloaded",
      `${what}: a statement took longer than its time-out; try again or raise ?timeout=SECONDS`,
      cause,
    );
  if (AGAIN.has(code))
    return new LociError(
      "memory-busy",
      `${what}: other writers were in the way (${message}); try again`,
      cause,
    );
  if (GONE.has(code) || code.startsWith("08"))
    return new LociError(
      "source-unavailable",
      `${what} does not answer (${message || code}); is the server running?`,
      cause,
    );
  return error;
}

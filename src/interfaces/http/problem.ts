import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { type ErrorCode, isLociError } from "../../schema/core.ts";

/** The HTTP status of each of our codes. A code that is not here is a fault of the server. */
const STATUS: Partial<Record<ErrorCode, 400 | 403 | 404 | 409 | 413 | 422 | 501 | 502 | 503 | 507>> = {
  "invalid-input": 400,
  "unknown-id": 404,
  "version-conflict": 409,
  "embedder-mismatch": 409,
  "memory-not-found": 404,
  "memory-exists": 409,
  "memory-busy": 503,
  "memory-read-only": 403,
  "memory-full": 507,
  "memory-closed": 503,
  "model-unavailable": 502,
  "source-unavailable": 502,
  "model-failed": 502,
  "limit-exceeded": 413,
  "access-denied": 403,
  overloaded: 503,
  "not-supported": 501,
  aborted: 503,
};

const RETRY_S = 1;

/** The status that a code is answered with. A token that is missing or wrong is 401, too many requests of one caller 429. */
export function statusOf(code: ErrorCode): number {
  return STATUS[code] ?? 500;
}

/** An error as RFC 9457 says it: `code` is the stable name that programs branch on. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
}

/** A problem as a response; temporary ones say when to retry. */
export function problemResponse(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...(problem.status === 503 || problem.status === 429 ? { "retry-after": String(RETRY_S) } : {}),
      ...headers,
    },
  });
}

export function problem(status: number, code: string, detail: string): Problem {
  return { type: `urn:loci:${code}`, title: TITLES[status] ?? "Problem", status, detail, code };
}

/** An error in words that reveal nothing that the caller may not see; a bug of ours reveals nothing at all. */
export function problemOf(error: unknown): Problem {
  if (isLociError(error)) {
    const status = statusOf(error.code);
    return problem(status, error.code, status === 500 ? "the memory cannot be read" : error.message);
  }
  if (error instanceof HTTPException)
    return problem(error.status, error.status === 413 ? "limit-exceeded" : "invalid-input", error.message);
  return problem(500, "unexpected", "something went wrong that should not; the server's log has it");
}

/** Missing and hidden records look the same to a caller. */
export function notFound(_: Context): Response {
  return problemResponse(problem(404, "unknown-id", "there is nothing here by this name"));
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Invalid input",
  401: "Not authenticated",
  403: "Not allowed",
  404: "Not found",
  409: "Conflict",
  411: "Length required",
  413: "Too large",
  416: "Range not satisfiable",
  415: "Unsupported media type",
  429: "Too many requests",
  500: "Internal error",
  501: "Not supported",
  502: "A model or source failed",
  503: "Busy",
  507: "Full",
};

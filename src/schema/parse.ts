import type { z } from "zod";
import { LociError } from "./errors.ts";

const MESSAGE_CHARS = 300;

/** Parses at an outer edge; reports the first problem in one line, with its location. */
export function parseOrThrow<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusalOf(result.error, what);
}

/** The first problem that a check found, in one line, with its location. */
export function refusalOf(error: z.ZodError, what: string): LociError {
  const issue = error.issues[0];
  const where = issue?.path.length ? ` at ${issue.path.map(String).join(".")}` : "";
  const message = `${what}${where}: ${issue?.message ?? "invalid"}`.replace(/\s+/g, " ");
  return new LociError("invalid-input", message.slice(0, MESSAGE_CHARS), { cause: error });
}

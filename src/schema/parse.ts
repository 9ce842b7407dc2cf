import type { z } from "zod";
import { LociError } from "./errors.ts";

const MESSAGE_CHARS = 300;

/** Parses at an outer edge; reports the first problem in one line, with its location. */
export function parseOrThrow<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue?.path.length ? ` at ${issue.path.map(String).join(".")}` : "";
  const message = `${what}${where}: ${issue?.message ?? "invalid"}`.replace(/\s+/g, " ");
  throw new LociError("invalid-input", message.slice(0, MESSAGE_CHARS), { cause: result.error });
}

import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { seen, seenJson, WORLD_NOTE } from "../../operations/world-text.ts";
import { isLociError, LociError } from "../../schema/core.ts";

/** The result of a tool: its answer, or a question to the person before it continues. */
export type ToolAnswer = CallToolResult | InputRequiredResult;

/** An answer is at most this long, its text and its structure together; the rest follows by the cursor. */
export const ANSWER_TOKENS = 8_000;
/** A rough but steady measure: English and JSON have about four characters a token. */
export const CHARS_PER_TOKEN = 4;
/** Left free for the summary, the cursor and the note. */
const RESERVED_CHARS = 2_000;

/** One thing of a list: a line to read, and the same as data. */
export interface Row {
  readonly line: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Page {
  /** The findings, in a sentence: enough for a model that reads no further. */
  readonly summary: string;
  readonly rows: readonly Row[];
  /** How many rows stand before these. */
  readonly offset?: number;
  /** Whether there are rows after these even if all of these fit. */
  readonly hasMore?: boolean;
  /** Beside the rows. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** As many rows as an answer may hold; if more are left, the cursor to continue from. */
export function pageResult({ summary, rows, offset = 0, hasMore = false, data = {} }: Page): CallToolResult {
  const budget = ANSWER_TOKENS * CHARS_PER_TOKEN - RESERVED_CHARS - JSON.stringify(data).length;
  const lines: string[] = [];
  const items: unknown[] = [];
  let used = 0;
  for (const row of rows) {
    const item = seenJson(row.data);
    const line = `${offset + lines.length + 1}. ${row.line}`;
    used += line.length + JSON.stringify(item).length + 2;
    if (used > budget && lines.length > 0) break;
    lines.push(used > budget ? `${line.slice(0, 2_000).toWellFormed()}…` : line);
    items.push(used > budget ? { id: item["id"], cut: true } : item);
  }
  const nextCursor = hasMore || lines.length < rows.length ? cursorOf(offset + lines.length) : undefined;
  const text = [
    summary,
    ...lines,
    ...(nextCursor === undefined ? [] : [`More: call again with cursor "${nextCursor}".`]),
    ...(lines.length > 0 ? [WORLD_NOTE] : []),
  ].join("\n");
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      summary: seen(summary),
      ...seenJson(data),
      items,
      ...(nextCursor === undefined ? {} : { nextCursor }),
    },
  };
}

/** One answer without a list. */
export function plainResult(text: string, data: Readonly<Record<string, unknown>>): CallToolResult {
  return {
    content: [{ type: "text", text: `${text}\n${WORLD_NOTE}` }],
    structuredContent: seenJson({ ...data }),
  };
}

/** An error as a result that a model reads: the code, what was expected, and what to do next. */
export function errorResult(error: unknown): CallToolResult {
  if (!isLociError(error)) throw error;
  const advice = ADVICE[error.code];
  const text = `${seen(error.message)} [${error.code}]${advice === undefined ? "" : ` What to do: ${advice}.`}`;
  return { content: [{ type: "text", text }], isError: true };
}

/** The position at which a list continues. */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const found = /^from-(\d{1,6})$/.exec(cursor);
  if (found === null)
    throw new LociError(
      "invalid-input",
      `expected a cursor that an answer gave, got "${cursor.slice(0, 40)}"`,
    );
  return Number(found[1]);
}

function cursorOf(offset: number): string {
  return `from-${offset}`;
}

const ADVICE: Partial<Record<LociError["code"], string>> = {
  "invalid-input": "change the arguments as said and call again",
  "unknown-id": "find the right id with search or ask",
  "limit-exceeded": "ask for less at once: a smaller limit, a shorter text, a shorter span of time",
  "memory-busy": "wait a few seconds and call again; another process is writing",
  "memory-read-only": "nothing can be stored here; only reading tools work",
  "memory-full": "tell the user that the disk is full",
  "model-unavailable": "tell the user which model is missing",
  "source-unavailable": "call again in a few seconds; if it stays so, tell the user",
  "access-denied": "tell the user that the token does not allow it",
  overloaded: "wait a few seconds and call again",
  aborted: "call again, with less at once",
  "version-conflict": "read the record again, it has changed",
};

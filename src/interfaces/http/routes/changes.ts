import { createRoute, z } from "@hono/zod-openapi";
import {
  changesQuerySchema,
  type MemoryChange,
  memoryChangeSchema,
  parseOrThrow,
} from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { PROBLEMS } from "../spec.ts";
import { type SseEvent, sse } from "../sse.ts";

/** Larger commits are announced without their records, which can be requested by id. */
const MAX_CHARS = 4_194_304;

const query = z.object({
  after: z.coerce
    .number()
    .int()
    .optional()
    .openapi({ description: "Resume after this commit; Last-Event-ID comes first" }),
  kinds: z
    .string()
    .max(200)
    .optional()
    .openapi({ description: "Only these kinds of record, separated by commas" }),
  records: z.stringbool().optional().openapi({ description: "Whole records instead of their names" }),
});

/** The commits of the memory, as they are written. */
export function changesRoutes(app: App, context: ServerContext): void {
  const changes = createRoute({
    method: "get",
    path: "/v1/changes",
    summary: "Commits as they happen, each once and in order; Last-Event-ID resumes without gap or double",
    middleware: context.require("read"),
    request: { query },
    responses: {
      200: {
        description: "Server-sent events “commit”; the id of each is its memory time",
        content: { "text/event-stream": { schema: memoryChangeSchema } },
      },
      ...PROBLEMS,
    },
  });
  app.openapi(changes, (c) => {
    const { kinds, ...rest } = c.req.valid("query");
    const asked = parseOrThrow(
      changesQuerySchema,
      { ...rest, ...(kinds && { kinds: kinds.split(",") }) },
      "query",
    );
    const face = context.face(c);
    return sse(c, context, async function* (last, signal) {
      const after = last === undefined ? asked.after : afterOf(last);
      for await (const change of face.changes(
        { ...asked, ...(after !== undefined && { after }) },
        { signal },
      ))
        yield eventOf(change);
    });
  });
}

/** An id that is not ours starts a stream from now. */
function afterOf(lastEventId: string): number | undefined {
  return /^-?\d{1,16}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}

/** Many follow the same commits: each is written out once. */
const written = new WeakMap<MemoryChange, SseEvent>();

function eventOf(change: MemoryChange): SseEvent {
  let event = written.get(change);
  if (event === undefined) {
    event = { id: change.commitUs, event: "commit", data: dataOf(change) };
    written.set(change, event);
  }
  return event;
}

function dataOf(change: MemoryChange): string {
  const data = JSON.stringify(change);
  if (data.length <= MAX_CHARS) return data;
  return JSON.stringify({ ...change, put: change.put.map(({ record: _, ...named }) => named) });
}

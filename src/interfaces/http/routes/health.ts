import { createRoute, z } from "@hono/zod-openapi";
import { sourceStates } from "../../../compose.ts";
import type { App, ServerContext } from "../context.ts";

const health = createRoute({
  method: "get",
  path: "/health",
  summary: "Whether the process is alive and takes requests; tells nothing of the memory",
  security: [],
  responses: {
    200: {
      description: "It does",
      content: { "application/json": { schema: z.object({ status: z.literal("ok") }) } },
    },
    503: {
      description: "It is ending",
      content: { "application/json": { schema: z.object({ status: z.literal("ending") }) } },
    },
  },
});

const readySchema = z.object({
  status: z.enum(["ready", "not-ready"]),
  /** Why it is not ready; empty where it is. */
  reasons: z.array(z.string()),
  /** How many sources are in which state; a robot that is away for a while does not hinder answers. */
  sources: z.record(z.string(), z.int()),
});

const ready = createRoute({
  method: "get",
  path: "/ready",
  summary:
    "Whether it does what it is there for: the memory can be read, no source has failed, and it is not ending",
  security: [],
  responses: {
    200: { description: "It is", content: { "application/json": { schema: readySchema } } },
    503: {
      description: "It is not, and why",
      content: { "application/json": { schema: readySchema } },
    },
  },
});

/** A memory that answers nothing for this long is not ready. */
const READ_MS = 2_000;

/** Open to all: load balancers hold no tokens. */
export function healthRoutes(app: App, context: ServerContext): void {
  const { shutdown } = context;
  app.openapi(health, (c) =>
    shutdown.aborted ? c.json({ status: "ending" as const }, 503) : c.json({ status: "ok" as const }, 200),
  );
  app.openapi(ready, async (c) => {
    const reasons = await hindrances(context);
    const sources: Record<string, number> = {};
    for (const { state } of sourceStates(context.memory)) sources[state] = (sources[state] ?? 0) + 1;
    const isReady = reasons.length === 0;
    return c.json(
      { status: isReady ? ("ready" as const) : ("not-ready" as const), reasons, sources },
      isReady ? 200 : 503,
    );
  });
}

async function hindrances({ shutdown, memory, log }: ServerContext): Promise<string[]> {
  if (shutdown.aborted) return ["the server is ending"];
  const failed = sourceStates(memory).filter(({ state }) => state === "failed");
  return [
    ...((await canRead(memory, log)) ? [] : ["the memory cannot be read: see the log"]),
    ...failed.map(({ problem }) => `a source failed (${problem?.code ?? "unexpected"}): see /v1/sources`),
  ];
}

async function canRead(memory: ServerContext["memory"], log: ServerContext["log"]): Promise<boolean> {
  const read = memory.reader().then((reader) => reader.get(["ready"]));
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${READ_MS} ms`)), READ_MS).unref();
  });
  try {
    await Promise.race([read, late]);
    return true;
  } catch (error) {
    log.warn({ err: error }, "the memory cannot be read");
    return false;
  }
}

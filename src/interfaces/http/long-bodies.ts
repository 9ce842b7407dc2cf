import type { MiddlewareHandler } from "hono";
import type { z } from "zod";
import { inSlices, LociError } from "../../schema/core.ts";
import { parseJsonInTurns } from "../../schema/json-in-turns.ts";
import { callerIdOf } from "./access.ts";
import { type Checked, checkInTurns } from "./check-in-turns.ts";
import type { Env, RequestContext } from "./context.ts";
import type { ServerLimits } from "./limits.ts";
import { Queue } from "./queue.ts";

/** Shorter ones are read in one go: they take no longer than a small request. */
const SHORT_BYTES = 262_144;

type Bounds = Pick<
  ServerLimits,
  "jsonDepth" | "jsonContainers" | "readContainers" | "jsonKeys" | "longBodiesOfOne"
>;

/**
 * Reads long JSON in turns with other requests. A body that is too deep, or has more parts or a longer list than its
 * schema allows, is refused before the full check, which would list each of a million wrong members.
 */
export function longBody(schema: z.ZodType, limits: Bounds): MiddlewareHandler<Env> {
  const checked = new WeakMap<object, Checked>();
  // The route's own check is not interruptible; a body that was checked in turns is recognised by its value.
  const inOneGo = schema.safeParseAsync;
  schema.safeParseAsync = async (value, params) => {
    const known = typeof value === "object" && value !== null ? checked.get(value) : undefined;
    return (known as Awaited<ReturnType<typeof inOneGo>>) ?? inOneGo(value, params);
  };
  return async (c, next) => {
    if (isLong(c)) {
      const value = await longJson(c, limits);
      const result = await checkInTurns(schema, value, inSlices(callerIdOf(c.get("caller"))));
      if (typeof value === "object" && value !== null) checked.set(value, result);
      c.req.json = async () => value as never;
    }
    return next();
  };
}

export function isLong({ req }: RequestContext): boolean {
  const type = req.header("content-type") ?? "";
  return /^application\/([\w.+-]+\+)?json/i.test(type) && Number(req.header("content-length")) > SHORT_BYTES;
}

/** By the limits of a server: the queue of those reading long bodies. */
const READERS = new WeakMap<Bounds, Queue>();

/**
 * A long body of JSON, read in turns, with few of one caller at once: reading one costs as much as its size suggests.
 */
export function longJson(c: RequestContext, limits: Bounds): Promise<unknown> {
  const readers =
    READERS.get(limits) ??
    new Queue({
      questions: Number.POSITIVE_INFINITY,
      questionsOfOne: limits.longBodiesOfOne,
      waitingOfOne: Number.POSITIVE_INFINITY,
    });
  READERS.set(limits, readers);
  return readers.run(callerIdOf(c.get("caller")), undefined, () => readLong(c, limits));
}

async function readLong(c: RequestContext, limits: Bounds): Promise<unknown> {
  const { jsonContainers, readContainers, jsonDepth: depth, jsonKeys: keys } = limits;
  const containers = c.get("scope") === "read" ? readContainers : jsonContainers;
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  try {
    return await parseJsonInTurns(bytes, { depth, containers, keys, caller: callerIdOf(c.get("caller")) });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new LociError("invalid-input", "Malformed JSON in request body", { cause: error });
  }
}

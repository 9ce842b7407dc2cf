import type { MiddlewareHandler } from "hono";
import type { z } from "zod";
import { LociError } from "../../schema/core.ts";
import { parseJsonInTurns } from "../../schema/json-in-turns.ts";
import type { Env, RequestContext } from "./context.ts";
import type { ServerLimits } from "./limits.ts";

/** Shorter ones are read in one go: that takes no longer than a small request anyway. */
const SHORT_BYTES = 262_144;

type Bounds = Pick<ServerLimits, "jsonDepth" | "jsonContainers" | "jsonKeys">;

/**
 * Reads long JSON in turns with what others ask. What is too deep, or has more parts or a longer list than its schema allows, is
 * refused before it is looked at more closely: of a million wrong members every one would be written down.
 */
export function longBody(schema: z.ZodType, limits: Bounds): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (isLong(c)) {
      const value = await longJson(await c.req.arrayBuffer(), limits);
      const where = tooLong(schema, value);
      if (where !== undefined) throw new LociError("invalid-input", `json${where}`);
      c.req.json = async () => value as never;
    }
    return next();
  };
}

export function isLong({ req }: RequestContext): boolean {
  const type = req.header("content-type") ?? "";
  return /^application\/([\w.+-]+\+)?json/i.test(type) && Number(req.header("content-length")) > SHORT_BYTES;
}

/** A long body of JSON, read in turns. */
export async function longJson(body: ArrayBuffer, limits: Bounds): Promise<unknown> {
  const bounds = { depth: limits.jsonDepth, containers: limits.jsonContainers, keys: limits.jsonKeys };
  try {
    return await parseJsonInTurns(new Uint8Array(body), bounds);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new LociError("invalid-input", "Malformed JSON in request body", { cause: error });
  }
}

/** Where a list is longer than its schema says, and how long it may be. */
function tooLong(schema: z.ZodType, value: unknown): string | undefined {
  if (value === null || typeof value !== "object") return undefined;
  const { def } = schema as unknown as { readonly def: SchemaDef };
  if (def.type === "array" && Array.isArray(value)) {
    const most = Math.min(...(def.checks ?? []).map(({ _zod }) => _zod.def.maximum ?? Infinity), Infinity);
    if (value.length > most) return `: Too big: expected array to have <=${most} items`;
    for (const [n, one] of value.entries()) {
      const where = tooLong(def.element!, one);
      if (where !== undefined) return `.${n}${where}`;
    }
    return undefined;
  }
  if (def.type === "object" && !Array.isArray(value)) {
    for (const [name, one] of Object.entries(def.shape!)) {
      const where = tooLong(one, (value as Record<string, unknown>)[name]);
      if (where !== undefined) return `.${name}${where}`;
    }
    return undefined;
  }
  // Of what may be one thing or another it is too long only if it is for each of them.
  if (def.options) {
    const found = def.options.map((option) => tooLong(option, value));
    return found.every((where) => where !== undefined) ? found[0] : undefined;
  }
  const inner = def.innerType ?? def.in;
  return inner && tooLong(inner, value);
}

/** What is read of how zod keeps a schema. */
interface SchemaDef {
  readonly type: string;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly maximum?: number } } }[];
}

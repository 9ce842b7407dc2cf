import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import {
  ALL_OPERATIONS,
  changesMemory,
  type HttpAddress,
  type Operation,
  type OperationName,
} from "../../../operations/index.ts";
import { LociError, parseOrThrow } from "../../../schema/index.ts";
import { callerIdOf } from "../access.ts";
import { sendBytes, sendInSlices, sendTagged } from "../answers.ts";
import type { App, RequestContext, ServerContext } from "../context.ts";
import { fromQuery } from "../query-fields.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";
import { sse } from "../sse.ts";

type Values = Readonly<Record<string, unknown>>;
type AnyFace = Readonly<Record<OperationName, (...args: readonly unknown[]) => unknown>>;

/** A block of columns: see docs/feed.md. */
const BLOCK = { "application/vnd.loci.block": { schema: z.string().meta({ format: "binary" }) } };
const UNCHANGED = { 304: { description: "It is still what If-None-Match names" } };

/** Every operation that has an address, as a route: read from the request, carried out by the caller's face, sent. */
export function operationRoutes(app: App, context: ServerContext): void {
  for (const [name, made] of ALL_OPERATIONS)
    if (made.http !== undefined) addRoute(app, context, name, made, made.http);
}

function addRoute(
  app: App,
  context: ServerContext,
  name: OperationName,
  made: Operation,
  http: HttpAddress,
): void {
  const scope = context.require(made.scope);
  const { request, read } = requestOf(made, http);
  const route = createRoute({
    method: http.method,
    path: http.path,
    summary: made.summary,
    middleware:
      made.scope === "read" && changesMemory(made) && http.method === "post" ? [scope, context.once] : scope,
    request,
    responses: responsesOf(made, http),
  } as RouteConfig);
  app.openapi(route, (async (c: RequestContext) => {
    const input = read(c);
    const face = context.face(c) as unknown as AnyFace;
    if (made.answers === "stream") return stream(c, context, { name, made, http, face, input });
    // A write that has begun is finished though its sender has gone.
    const call = made.scope === "read" ? { signal: context.signalOf(c) } : {};
    const { lead } = made;
    const { [lead ?? ""]: led, ...rest } = input;
    const answer = await (lead === undefined ? face[name](input, call) : face[name](led, rest, call));
    return sent(c, context, made, http, answer);
  }) as never);
}

/** How the input is read from a request, for the description of the interface and for the route. */
function requestOf({ input }: Operation, { method, path, body, keyField }: HttpAddress) {
  const shape = input instanceof z.ZodObject ? (input.shape as Record<string, z.ZodType>) : {};
  const inPath = new Set(Array.from(path.matchAll(/\{(\w+)\}/g), ([, field]) => field!));
  const others = Object.fromEntries(Object.entries(shape).filter(([field]) => !inPath.has(field)));
  const params = z.object(Object.fromEntries([...inPath].map((field) => [field, required(shape[field]!)])));
  const hasOthers = !(input instanceof z.ZodObject) || Object.keys(others).length > 0;
  const asBody = method === "post" && hasOthers;
  const asQuery = method !== "post" && hasOthers;
  const bodySchema = body ?? (inPath.size === 0 ? input : z.strictObject(others));
  const request = {
    ...(inPath.size > 0 && { params }),
    ...(asBody && { body: jsonBody(bodySchema) }),
    ...(asQuery && { query: fromQuery(others) }),
  };
  const read = (c: RequestContext): Values => {
    const valid = (target: string) => c.req.valid(target as never) as Values;
    const key = keyField && c.req.header("idempotency-key");
    const found = {
      ...(asBody && valid("json")),
      ...(asQuery && valid("query")),
      ...(inPath.size > 0 && valid("param")),
    };
    // What holds between fields is checked once they are together; a body was checked by the whole schema.
    if (asQuery) return parseOrThrow(input, found, "query") as Values;
    return key && found[keyField] === undefined ? { ...found, [keyField]: key } : found;
  };
  return { request, read };
}

/** A field that the path always has. */
function required(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
}

function responsesOf({ answers = "value", output }: Operation, { says, field, mayMiss }: HttpAddress) {
  const missing = mayMiss || answers === "maybe" ? NOT_FOUND : {};
  const content = () => {
    switch (answers) {
      case "bytes":
        return { 200: { description: says, content: BLOCK } };
      case "block":
        return { 200: { description: says, content: BLOCK }, ...UNCHANGED };
      case "tagged":
        return { 200: jsonReply(output, says), ...UNCHANGED };
      case "stream":
        return { 200: { description: says, content: { "text/event-stream": { schema: output } } } };
      default:
        return { 200: jsonReply(field === undefined ? output : z.object({ [field]: output }), says) };
    }
  };
  return { ...content(), ...missing, ...PROBLEMS };
}

/** An answer in the way that its operation gives it. */
async function sent(
  c: RequestContext,
  context: ServerContext,
  made: Operation,
  http: HttpAddress,
  answer: unknown,
) {
  if (answer === undefined) throw new LociError("unknown-id", "there is nothing here by this name");
  switch (made.answers) {
    case "bytes":
      return sendBytes(answer as Uint8Array<ArrayBuffer>);
    case "block":
    case "tagged":
      return sendTagged(c, answer as object);
    default:
      if (typeof made.cost === "function")
        return sendInSlices(answer as object, callerIdOf(c.get("caller")), context);
      return send(c, (http.field === undefined ? answer : { [http.field]: answer }) as object);
  }
}

interface Streamed {
  readonly name: OperationName;
  readonly made: Operation;
  readonly http: HttpAddress;
  readonly face: AnyFace;
  readonly input: Values;
}

/** A stream as server-sent events; a client that comes back resumes after the last one that it has. */
async function stream(
  c: RequestContext,
  context: ServerContext,
  { name, made, http, face, input }: Streamed,
) {
  const event = http.event!;
  const begins = http.begins as ((face: AnyFace, input: Values) => Promise<void>) | undefined;
  await begins?.(face, input);
  const { lead } = made;
  return sse(c, context, async function* (last, signal) {
    const { [lead ?? ""]: led, ...rest } = input;
    const { after: _, ...others } = rest;
    // An id that is not ours starts a stream from now.
    const known =
      last === undefined ? rest : /^-?\d{1,16}$/.test(last) ? { ...others, after: Number(last) } : others;
    const items = lead === undefined ? face[name](known, { signal }) : face[name](led, known, { signal });
    for await (const item of items as AsyncIterable<object>)
      yield { id: event.number(item as never), event: event.name, data: written(item) };
  });
}

/** Many follow the same commits: each is written out once. */
const texts = new WeakMap<object, string>();
/** Longer items of a stream are announced without their records, which can be requested by id. */
const MAX_CHARS = 4_194_304;

function written(item: object): string {
  let text = texts.get(item);
  if (text === undefined) {
    text = JSON.stringify(item);
    if (text.length > MAX_CHARS)
      text = JSON.stringify(item, (key, value) => (key === "record" ? undefined : value));
    texts.set(item, text);
  }
  return text;
}

import { z } from "zod";
import {
  type CarryOut,
  changesMemory,
  type HttpAddress,
  methodsOver,
  type Operation,
  type OperationMethods,
} from "../operations/index.ts";
import { events } from "./event-stream.ts";
import type { Call, HttpClient } from "./http-client.ts";
import { shaped } from "./shape.ts";

type Values = Readonly<Record<string, unknown>>;

/** Every operation that has an address, over HTTP. */
export function remoteOperations(client: HttpClient): OperationMethods {
  const carryOut: CarryOut = (_, made, input, { signal }) => {
    if (made.http === undefined) throw new Error("an operation without an address has a method of its own");
    const call = { ...callOf(made, made.http, input), signal };
    return made.answers === "stream"
      ? stream(client, made.http, call)
      : answer(client, made, made.http, call);
  };
  return methodsOver(carryOut);
}

/** The request that carries an operation out. */
function callOf(made: Operation, http: HttpAddress, input: Values): Call {
  const { method, path: pattern, timeoutMs } = http;
  const rest = { ...input };
  const path = pattern.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = String(rest[field]);
    delete rest[field];
    return encodeURIComponent(value);
  });
  const asked = { path, ...(timeoutMs !== undefined && { timeoutMs }) };
  const isRepeatable = repeats(made, http, input);
  if (method !== "post")
    return { ...asked, method: method === "get" ? "GET" : "DELETE", query: queryOf(rest), isRepeatable };
  const body = Object.keys(rest).length === 0 && pattern.includes("{") ? {} : { body: rest };
  return { ...asked, method: "POST", ...body, isRepeatable };
}

function repeats(made: Operation, { repeats = !changesMemory(made) }: HttpAddress, input: Values): boolean {
  return typeof repeats === "function" ? repeats(input as never) : repeats;
}

/** Lists stand in a query with commas. */
function queryOf(values: Values): NonNullable<Call["query"]> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]),
  ) as NonNullable<Call["query"]>;
}

async function answer(client: HttpClient, made: Operation, http: HttpAddress, call: Call): Promise<unknown> {
  const { answers = "value" } = made;
  if (answers === "bytes") return client.bytes(call);
  if (answers === "block") return client.maybe(client.reply(call));
  const said = shaped<Values>(client.json(call), shapeOf(made, http));
  if (answers === "maybe") return client.maybe(said);
  return http.field === undefined ? said : (await said)[http.field];
}

/** The fields of an answer that the client relies on; more may be present. */
function shapeOf({ output }: Operation, { relies = [], field }: HttpAddress): z.ZodType {
  const inner =
    output instanceof z.ZodArray
      ? z.array(z.looseObject({}))
      : z.looseObject(Object.fromEntries(relies.map((name) => [name, PRESENT])));
  return field === undefined ? inner : z.looseObject({ [field]: inner });
}

const PRESENT = z.unknown().refine((value) => value !== undefined, "is missing");

async function* stream(client: HttpClient, http: HttpAddress, { signal, ...call }: Call) {
  const { relies = [] } = http;
  const shape = z.looseObject(Object.fromEntries(relies.map((name) => [name, PRESENT])));
  for await (const { data } of events(client, call, signal === undefined ? {} : { signal }))
    yield await shaped(Promise.resolve(JSON.parse(data)), shape);
}

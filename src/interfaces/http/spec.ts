import { z } from "@hono/zod-openapi";
import type { TypedResponse } from "hono";
import type { RequestContext } from "./context.ts";

/** Pieces that every route's description is made of. */

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
  })
  .openapi("Problem");

const refusal = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: problemSchema } },
});

/** What any route may answer instead. */
export const PROBLEMS = {
  400: refusal("The request breaks the schema or a limit"),
  401: refusal("No token, or a wrong one"),
  403: refusal("The token's scope does not reach"),
  503: refusal("Busy: Retry-After says when to come back"),
} as const;

export const NOT_FOUND = { 404: refusal("Nothing that the caller can see has this name") } as const;

/** A body of JSON; without it the request is refused. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true, content: { "application/json": { schema } } } as const;
}

export function jsonReply<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } } as const;
}

/** A record as it is stored: the fields of its kind, with its version and the times it was believed. */
export const storedSchema = z.looseObject({ kind: z.string(), id: z.string() }).openapi("Record");

/** A value of the face as the answer of a route: it is JSON by its own types, which say readonly and optional as well. */
export function send(c: RequestContext, value: object): Response & TypedResponse<never, 200, "json"> {
  return c.json(value, 200) as unknown as Response & TypedResponse<never, 200, "json">;
}

/** The same of JSON that is made already. */
export function sendText(c: RequestContext, json: string): Response & TypedResponse<never, 200, "json"> {
  const made: Response = c.body(json, 200, { "content-type": "application/json" });
  return made as Response & TypedResponse<never, 200, "json">;
}

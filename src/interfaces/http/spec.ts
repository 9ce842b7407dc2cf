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

/** The errors that any route may return. */
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

/** A value of the face as a route's answer: its types are JSON, with readonly and optional fields. */
export function send(c: RequestContext, value: object): Response & TypedResponse<never, 200, "json"> {
  return c.json(value, 200) as unknown as Response & TypedResponse<never, 200, "json">;
}

/** Headers of every response, unless its route sets others: no content sniffing, for our own pages only, not cached. */
export const GUARDS = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

const JSON_HEADERS = { "content-type": "application/json", ...GUARDS };
const guarded = new WeakSet<Response>();

/** Whether a response was made with `GUARDS`: adding them to a finished one costs as much as finding its hits. */
export function isGuarded(response: Response): boolean {
  return guarded.has(response);
}

/** The same of JSON that is made already. */
export function sendText(json: string): Response & TypedResponse<never, 200, "json"> {
  const made = new Response(json, { headers: JSON_HEADERS });
  guarded.add(made);
  return made as Response & TypedResponse<never, 200, "json">;
}

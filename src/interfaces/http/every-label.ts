import type { MiddlewareHandler } from "hono";
import type { Scope } from "../../operations/index.ts";
import { LociError } from "../../schema/index.ts";
import type { Env } from "./context.ts";

/** Admits only callers that hold every label and one of the scopes; all others get the same message whatever exists. */
export function everyLabel(what: string, ...wanted: readonly Scope[]): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { scopes, actor } = c.get("caller");
    if (actor.labels !== "*")
      throw new LociError("access-denied", `${what} needs a token that holds every label`);
    const scope =
      wanted.find((one) => scopes.includes(one)) ?? (scopes.includes("admin") ? wanted[0] : undefined);
    if (scope === undefined)
      throw new LociError("access-denied", `this needs a token with the scope "${wanted.join('" or "')}"`);
    c.set("scope", scope);
    await next();
  };
}

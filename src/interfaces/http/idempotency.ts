import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { type Gone, tells } from "../../compose.ts";
import { LociError } from "../../schema/core.ts";
import type { Env } from "./context.ts";
import type { ServerLimits } from "./limits.ts";

interface Answered {
  readonly digest: string;
  /** What was answered, once it was. */
  body?: string;
  readonly untilMs: number;
  /** Undefined where it failed: then the next one tries again. */
  readonly answer: Promise<{ readonly status: number; readonly body: string } | undefined>;
}

/**
 * Whoever did not hear the answer may ask again with the same Idempotency-Key: what was done is not done twice, and the
 * answer is the first one. This is for answers; across a crash it is the ids that make the same write the same.
 */
export function idempotency(
  { keys, keyMs }: ServerLimits,
  forgetting: Set<(gone: Gone) => void>,
): MiddlewareHandler<Env> {
  const known = new Map<string, Answered>();
  forgetting.add((gone) => {
    for (const [name, { body }] of known) if (body !== undefined && tells(body, gone)) known.delete(name);
  });
  const forgetOld = (nowMs: number) => {
    for (const [name, { untilMs }] of known) {
      if (untilMs > nowMs && known.size <= keys) return;
      known.delete(name);
    }
  };
  return async (c, next) => {
    const key = c.req.header("idempotency-key");
    // A frame is the same by what it is of; reading it twice would cost its size again.
    if (key === undefined || c.req.method !== "POST" || c.req.path === "/v1/frames") return next();
    if (!/^[\x21-\x7e]{1,128}$/.test(key))
      throw new LociError("invalid-input", "an Idempotency-Key has 1 to 128 visible characters");
    const name = JSON.stringify([c.get("caller").actor.id, c.req.path, key]);
    const digest = createHash("sha256")
      .update(new Uint8Array(await c.req.arrayBuffer()))
      .digest("hex");
    const earlier = known.get(name);
    if (earlier) {
      if (earlier.digest !== digest)
        throw new LociError("version-conflict", "this Idempotency-Key was used for another request");
      const first = await earlier.answer;
      if (first)
        return new Response(first.body, {
          status: first.status,
          headers: { "content-type": "application/json", "idempotency-replayed": "true" },
        });
    }
    const done = Promise.withResolvers<{ status: number; body: string } | undefined>();
    const nowMs = performance.now();
    const answered: Answered = { digest, untilMs: nowMs + keyMs, answer: done.promise };
    known.set(name, answered);
    forgetOld(nowMs);
    try {
      await next();
      const isKept = c.res.ok && c.res.headers.get("content-type")?.startsWith("application/json");
      const body = isKept ? await c.res.clone().text() : undefined;
      if (body !== undefined) answered.body = body;
      done.resolve(body === undefined ? undefined : { status: c.res.status, body });
    } finally {
      done.resolve(undefined);
      if ((await done.promise) === undefined) known.delete(name);
    }
  };
}

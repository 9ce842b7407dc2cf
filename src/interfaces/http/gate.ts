import type { MiddlewareHandler } from "hono";
import { LociError } from "../../schema/core.ts";
import type { Env, ServerContext } from "./context.ts";
import { problem, problemResponse } from "./problem.ts";

/**
 * How much is under way. A stream counts until its first byte; what it costs after that is bounded by its own rules. One
 * caller may take a part of the whole, so that a flood of his leaves room for the others.
 */
export class Gate {
  readonly #limits: ServerContext["limits"];
  readonly #callers = new Map<string, number>();
  #requests = 0;
  #bodyBytes = 0;

  constructor(limits: ServerContext["limits"]) {
    this.#limits = limits;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Before anybody is known: bodies have a length, are not too long, and are not too many. */
  readonly enter: MiddlewareHandler<Env> = async (c, next) => {
    const bytes = this.#bytesOf(c.req.method, c.req.path, (name) => c.req.header(name));
    if (this.#requests >= this.#limits.requests || this.#bodyBytes + bytes > this.#limits.bodyBytesAtOnce)
      throw new LociError("overloaded", "more is under way than this server takes on at once; try again");
    this.#requests++;
    this.#bodyBytes += bytes;
    try {
      await next();
    } finally {
      this.#requests--;
      this.#bodyBytes -= bytes;
    }
  };

  /** Once he is known. */
  readonly share: MiddlewareHandler<Env> = async (c, next) => {
    const { id } = c.get("caller").actor;
    const own = this.#callers.get(id) ?? 0;
    if (own >= this.#limits.requestsOfOne)
      return problemResponse(
        problem(429, "overloaded", `at most ${this.#limits.requestsOfOne} requests at once; try again`),
      );
    this.#callers.set(id, own + 1);
    try {
      await next();
    } finally {
      const left = this.#callers.get(id)! - 1;
      if (left === 0) this.#callers.delete(id);
      else this.#callers.set(id, left);
    }
  };

  #bytesOf(method: string, path: string, header: (name: string) => string | undefined): number {
    if (header("transfer-encoding") !== undefined)
      throw new LociError("limit-exceeded", "a body says its length beforehand (Content-Length)");
    const bytes = Number(header("content-length") ?? 0);
    const most = path.startsWith("/v1/frames") ? this.#limits.frameBytes : this.#limits.jsonBytes;
    if (!(bytes <= most))
      throw new LociError("limit-exceeded", `a body here has at most ${most} bytes, this one ${bytes}`);
    return method === "GET" || method === "HEAD" ? 0 : bytes;
  }
}

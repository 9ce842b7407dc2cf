import type { MiddlewareHandler } from "hono";
import { LociError } from "../../schema/core.ts";
import { callerIdOf } from "./access.ts";
import type { Env, RequestContext, ServerContext } from "./context.ts";
import { problem, problemResponse } from "./problem.ts";

/**
 * Limits the work in progress. A stream counts until its first byte; its later cost is limited by its own rules. One
 * caller may take a part of the whole, of requests and of the bytes that they announce, so that one caller's flood
 * leaves room for the others. Of an unidentified caller only the head is read.
 */
export class Gate {
  readonly #limits: ServerContext["limits"];
  readonly #callers = new Map<string, { requests: number; bytes: number }>();
  #requests = 0;
  #bodyBytes = 0;

  constructor(limits: ServerContext["limits"]) {
    this.#limits = limits;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Before the caller is identified: bodies have a length and are not too long. */
  readonly enter: MiddlewareHandler<Env> = async (c, next) => {
    this.#bytesOf(c);
    if (this.#requests >= this.#limits.requests) throw busy();
    this.#requests++;
    try {
      await next();
    } finally {
      this.#requests--;
    }
  };

  /** After the caller is identified. */
  readonly share: MiddlewareHandler<Env> = async (c, next) => {
    const { requestsOfOne, bodyBytesOfOne, bodyBytesAtOnce } = this.#limits;
    const id = callerIdOf(c.get("caller"));
    const own = this.#callers.get(id) ?? { requests: 0, bytes: 0 };
    const bytes = this.#bytesOf(c);
    if (own.requests >= requestsOfOne)
      return this.#refusal(c, `at most ${requestsOfOne} requests at once; try again`);
    if (own.bytes + bytes > bodyBytesOfOne)
      return this.#refusal(c, `at most ${bodyBytesOfOne} bytes of bodies at once; try again`);
    if (this.#bodyBytes + bytes > bodyBytesAtOnce) throw busy();
    this.#callers.set(id, own);
    own.requests++;
    own.bytes += bytes;
    this.#bodyBytes += bytes;
    try {
      await next();
    } finally {
      this.#bodyBytes -= bytes;
      own.bytes -= bytes;
      if (--own.requests === 0) this.#callers.delete(id);
    }
  };

  /**
   * A caller beyond its share is refused late: an immediate retry would cost the others as much as an answer. Delays
   * differ between callers refused together, so that they do not retry together.
   */
  async #refusal({ env: { outgoing } }: RequestContext, detail: string): Promise<Response> {
    // Waiting is no request in progress: it takes no caller's place.
    this.#requests--;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, this.#limits.refusalMs * (1 + Math.random()));
      outgoing.once("close", () => {
        clearTimeout(late);
        resolve();
      });
    });
    this.#requests++;
    return problemResponse(problem(429, "overloaded", detail));
  }

  #bytesOf({ req }: RequestContext): number {
    if (req.header("transfer-encoding") !== undefined)
      throw new LociError("limit-exceeded", "a body says its length beforehand (Content-Length)");
    const bytes = Number(req.header("content-length") ?? 0);
    const most = req.path.startsWith("/v1/frames") ? this.#limits.frameBytes : this.#limits.jsonBytes;
    if (!(bytes <= most))
      throw new LociError("limit-exceeded", `a body here has at most ${most} bytes, this one ${bytes}`);
    return req.method === "GET" || req.method === "HEAD" ? 0 : bytes;
  }
}

function busy(): LociError {
  return new LociError("overloaded", "more is under way than this server takes on at once; try again");
}

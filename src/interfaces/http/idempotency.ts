import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { type Gone, tells } from "../../compose.ts";
import { LociError } from "../../schema/core.ts";
import { callerIdOf } from "./access.ts";
import type { Env } from "./context.ts";
import type { ServerLimits } from "./limits.ts";

type Answer = { readonly status: number; readonly body: string };

interface Answered {
  readonly caller: string;
  readonly digest: string;
  readonly untilMs: number;
  bytes: number;
  /** Undefined where it failed or is too long to be kept: then the next one tries again. */
  readonly answer: Promise<Answer | undefined>;
}

/** Bytes of an entry besides its answer. */
const ENTRY_BYTES = 512;

/**
 * A caller that missed the answer to a write may repeat it with the same Idempotency-Key: the write is not repeated,
 * and the first answer is returned. This is for answers; across a crash the ids make the same write the same. Answers
 * are kept within a number of bytes, in all and of each caller; the oldest are dropped.
 */
export class Idempotency {
  readonly #limits: ServerLimits;
  readonly #known = new Map<string, Answered>();
  /** The entry of the request that is being carried out. */
  readonly #asking = new AsyncLocalStorage<Answered>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  readonly middleware: MiddlewareHandler<Env> = async (c, next) => {
    const key = c.req.header("idempotency-key");
    // A frame is identified by its content; reading it twice would cost its size again.
    if (key === undefined || c.req.method !== "POST" || c.req.path === "/v1/frames") return next();
    if (!/^[\x21-\x7e]{1,128}$/.test(key))
      throw new LociError("invalid-input", "an Idempotency-Key has 1 to 128 visible characters");
    const caller = callerIdOf(c.get("caller"));
    const name = digestOf(JSON.stringify([caller, c.req.path, key]));
    const digest = digestOf(new Uint8Array(await c.req.arrayBuffer()));
    const earlier = this.#known.get(name);
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
    const done = Promise.withResolvers<Answer | undefined>();
    const untilMs = performance.now() + this.#limits.keyMs;
    const entry: Answered = { caller, digest, untilMs, bytes: 0, answer: done.promise };
    this.#drop(name);
    this.#known.set(name, entry);
    this.#grow(name, entry, ENTRY_BYTES);
    let answer: Answer | undefined;
    try {
      await this.#asking.run(entry, next);
      answer = await this.#answerOf(c.res);
    } finally {
      if (answer === undefined) {
        if (this.#known.get(name) === entry) this.#drop(name);
      } else this.#grow(name, entry, answer.body.length * 2);
      done.resolve(answer);
    }
  };

  /**
   * Drops answers that contain forgotten content, those in progress too, but not the one to the forget request itself.
   */
  forget(gone: Gone): void {
    for (const [name, entry] of this.#known) {
      if (entry === this.#asking.getStore()) continue;
      void entry.answer.then((answer) => {
        if (answer && tells(answer.body, gone) && this.#known.get(name) === entry) this.#drop(name);
      });
    }
  }

  async #answerOf(response: Response): Promise<Answer | undefined> {
    if (!response.ok || !response.headers.get("content-type")?.startsWith("application/json"))
      return undefined;
    const body = await response.clone().text();
    return body.length > this.#limits.keptAnswerChars ? undefined : { status: response.status, body };
  }

  /** Makes room within the caller's share, then within the whole. */
  #grow(name: string, entry: Answered, bytes: number): void {
    if (this.#known.get(name) !== entry) return;
    entry.bytes += bytes;
    this.#bytes += bytes;
    this.#bytesOf.set(entry.caller, (this.#bytesOf.get(entry.caller) ?? 0) + bytes);
    const { keptBytes, keptBytesOfOne } = this.#limits;
    const nowMs = performance.now();
    for (const [oldest, { caller, untilMs }] of this.#known) {
      const isOwnOver = (this.#bytesOf.get(entry.caller) ?? 0) > keptBytesOfOne;
      if (untilMs > nowMs && this.#bytes <= keptBytes && !isOwnOver) return;
      if (untilMs <= nowMs || this.#bytes > keptBytes || caller === entry.caller) this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    const entry = this.#known.get(name);
    if (entry === undefined) return;
    this.#known.delete(name);
    this.#bytes -= entry.bytes;
    const left = this.#bytesOf.get(entry.caller)! - entry.bytes;
    if (left <= 0) this.#bytesOf.delete(entry.caller);
    else this.#bytesOf.set(entry.caller, left);
  }
}

function digestOf(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("base64url");
}

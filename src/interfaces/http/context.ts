import type { ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { type Expedition, type Eyes, localFace, type Memory, type MemoryFace } from "../../compose.ts";
import type { Scope } from "../../operations/index.ts";
import { LociError } from "../../schema/core.ts";
import type { NavGoal } from "../../schema/index.ts";
import type { Access, Caller } from "./access.ts";
import { fairFace, type Queues, queuesOf } from "./fair-face.ts";
import type { ServerLimits } from "./limits.ts";

export interface Env {
  readonly Bindings: HttpBindings;
  readonly Variables: { caller: Caller; scope: Scope };
}

/** The app that routes are added to: `xRoutes(app, context)`, one file a resource. */
export type App = OpenAPIHono<Env>;

export type RequestContext = Context<Env>;

/** A robot that can be sent somewhere. */
export interface Listener {
  readonly address: string;
  readonly topic: string;
  sendGoal(goal: NavGoal): Promise<void>;
}

/** The context of every route. */
export interface ServerContext {
  readonly memory: Memory;
  readonly limits: ServerLimits;
  readonly access: Access;
  readonly log: Logger;
  readonly nowUs: () => number;
  /** Aborted when the server is stopped: streams say goodbye, no new work begins. */
  readonly shutdown: AbortSignal;
  /** The memory's face for the sender of the request. */
  face(c: RequestContext): MemoryFace;
  /** The same for longer than the request, until released: for conversations. */
  hold(c: RequestContext): { readonly face: MemoryFace; release(): void };
  /**
   * Admits only callers with this scope; admin has all, write has no read. A repeated write with the same
   * Idempotency-Key gets the first answer.
   */
  require(scope: Scope): MiddlewareHandler<Env>;
  /** The same of what makes something with the scope to read. */
  readonly once: MiddlewareHandler<Env>;
  /** The robot that listens for goals, if there is one. */
  readonly robot?: Listener | undefined;
  /** Runs explorations, if agents may send a robot. */
  readonly explores?: Pick<Expedition, "explore"> | undefined;
  /** Figures of the server, in the text format of Prometheus. */
  metrics(): string;
  /** The request's own signal, with the time limit of an answer; aborted when the client disconnects. */
  signalOf(c: RequestContext): AbortSignal;
}

/** Faces that are kept open while unused. */
const MAX_IDLE = 64;

/** Gives each caller the face of a memory with its rights, and keeps it for the caller's next request. */
export class Faces {
  readonly #memory: Memory;
  readonly #eyes: Eyes | undefined;
  readonly #faces = new Map<string, { readonly face: MemoryFace; users: number }>();

  readonly #limits: ServerLimits;
  readonly #queues: Queues;

  constructor(memory: Memory, eyes: Eyes | undefined, limits: ServerLimits) {
    this.#memory = memory;
    this.#eyes = eyes;
    this.#limits = limits;
    this.#queues = queuesOf(limits);
  }

  /** The face of a caller until the response is over, even for a stream of hours. */
  of(caller: Caller, outgoing: ServerResponse): MemoryFace {
    const { face, release } = this.hold(caller);
    outgoing.once("close", release);
    return face;
  }

  hold(caller: Caller): { readonly face: MemoryFace; release(): void } {
    const { actor } = caller;
    const key = JSON.stringify(actor);
    const kept = this.#faces.get(key) ?? {
      face: fairFace(
        localFace(this.#memory, actor, { eyes: this.#eyes }),
        caller,
        this.#queues,
        this.#limits,
      ),
      users: 0,
    };
    // The most recently used face is dropped last.
    this.#faces.delete(key);
    this.#faces.set(key, kept);
    kept.users++;
    return {
      face: kept.face,
      release: () => {
        kept.users--;
        this.#trim();
      },
    };
  }

  #trim(): void {
    for (const [key, { face, users }] of this.#faces) {
      if (this.#faces.size <= MAX_IDLE) return;
      if (users > 0) continue;
      this.#faces.delete(key);
      void face.close();
    }
  }

  async close(): Promise<void> {
    for (const { face } of this.#faces.values()) await face.close();
    this.#faces.clear();
  }
}

/** Refuses a caller that lacks a scope; the message does not depend on what was asked for. */
export function requireScope(
  scope: Scope,
  once: MiddlewareHandler<Env>,
  { readBytes }: Pick<ServerLimits, "readBytes">,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { scopes } = c.get("caller");
    if (!scopes.includes(scope) && !scopes.includes("admin"))
      throw new LociError("access-denied", `this needs a token with the scope "${scope}"`);
    c.set("scope", scope);
    const bytes = Number(c.req.header("content-length") ?? 0);
    if (scope === "read" && bytes > readBytes)
      throw new LociError("limit-exceeded", `what reads has at most ${readBytes} bytes, this ${bytes}`);
    return scope === "read" ? next() : once(c, next);
  };
}

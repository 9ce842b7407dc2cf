import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Logger } from "pino";
import {
  type Eyes,
  finishFrames,
  type Gone,
  type Memory,
  resumeWatches,
  retireWatches,
  stopSources,
} from "../../compose.ts";
import { LociError } from "../../schema/core.ts";
import { Access, type Caller } from "./access.ts";
import { makeApp } from "./app.ts";
import { Connections } from "./connections.ts";
import { Faces, type Listener, requireScope, type ServerContext } from "./context.ts";
import { Gate } from "./gate.ts";
import { Idempotency } from "./idempotency.ts";
import { SERVER_LIMITS, type ServerLimits } from "./limits.ts";
import { Observer } from "./observe.ts";
import { warmUp } from "./warm-up.ts";

export interface ServeOptions {
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port?: number;
  readonly hosts?: readonly string[];
  readonly origins?: readonly string[];
  /** Every request needs a token, on loopback too. */
  readonly isPrivate?: boolean;
  readonly limits?: Partial<ServerLimits>;
  readonly log: Logger;
  readonly nowUs?: () => number;
  /** Detects things in frames that come without detections. */
  readonly eyes?: Eyes;
  /** Hosts of private networks, or of this machine, that webhooks may go to. */
  readonly webhooks?: readonly string[];
  /** A robot that listens for goals. */
  readonly robot?: Listener | undefined;
  /** A robot that agents may send to look, within its guard. */
  readonly explores?: ServerContext["explores"];
  /** The folder of the viewer's files (`viewerFolder`); without it there is no page. */
  readonly viewer?: string | undefined;
}

/** A server that listens. */
export interface Serving {
  /** Such as http://127.0.0.1:7077. */
  readonly url: string;
  readonly access: Access;
  /** How many clients are connected; idle ones are closed after a while. */
  connections(): number;
  /** Refuses new requests, finishes those in progress, and ends; the memory stays open. */
  close(): Promise<void>;
}

/** Serves a memory over HTTP until it is closed. */
export async function serve(memory: Memory, options: ServeOptions): Promise<Serving> {
  const { host = "127.0.0.1", port = 7077, log } = options;
  const limits: ServerLimits = { ...SERVER_LIMITS, ...options.limits };
  const access = requireTokens(memory.folder, host);
  const ending = new AbortController();
  const faces = new Faces(memory, options.eyes, limits);
  const gate = new Gate(limits);
  const observer = new Observer({ log });
  const idempotency = new Idempotency(limits);
  const hear = (gone: Gone) => idempotency.forget(gone);
  memory.forgetting.add(hear);
  const context: ServerContext = {
    memory,
    limits,
    access,
    log,
    nowUs: options.nowUs ?? (() => Date.now() * 1000),
    shutdown: ending.signal,
    face: (c) => faces.of(c.get("caller"), c.env.outgoing),
    hold: (c) => faces.hold(c.get("caller")),
    require: (scope) => requireScope(scope, idempotency.middleware, limits),
    once: idempotency.middleware,
    robot: options.robot,
    explores: options.explores,
    metrics: () => observer.metrics({ requests: gate.requests, connections: connections.count }),
    signalOf: (c) => signalOf(c.env.outgoing, c.get("caller"), limits.answerMs),
  };
  const { hosts = [], origins = [], isPrivate = false, viewer } = options;
  const app = makeApp(context, { access, hosts, origins, isPrivate, gate, observer, log, viewer });
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      requestTimeout: limits.requestMs,
      headersTimeout: limits.headersMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: limits.headerBytes,
    },
  }) as Server;
  const connections = new Connections(server, limits);
  // Standing queries resume where they were, whether or not a client listens.
  await resumeWatches(memory, {
    policy: { allow: options.webhooks ?? [] },
    holds: (grant) => access.holds(grant),
  });
  const rechecking = recheck(access, log, () => retireWatches(memory));
  const close = async () => {
    ending.abort(new LociError("aborted", "the server is ending"));
    rechecking();
    const stopped = stopSources(memory);
    await drained(server, limits.drainMs);
    await stopped;
    await finishFrames(memory);
    memory.forgetting.delete(hear);
    await faces.close();
    observer.close();
  };
  try {
    await listening(server, port, host);
    const url = urlOf(server.address() as AddressInfo);
    await warmUp(memory, url, access);
    return { url, access, connections: () => connections.count, close };
  } catch (error) {
    // A server that cannot start leaves nothing behind that would keep the process alive.
    await close();
    throw error;
  }
}

/** How often the token file is checked while no request comes in: connections of a removed token end within that. */
const RECHECK_MS = 1_000;

/** Ends what removed tokens opened, even without requests. Returns a function to stop. */
function recheck(access: Access, log: Logger, retire: () => Promise<void>): () => void {
  const stop = access.onEnded(() => {
    retire().catch((error: unknown) => log.error({ err: error }, "watches of a removed token go on"));
  });
  let isReadable = true;
  const timer = setInterval(() => {
    try {
      access.refresh();
      isReadable = true;
    } catch (error) {
      if (isReadable) log.error({ err: error }, "the file of tokens cannot be read: nobody is let in");
      isReadable = false;
    }
  }, RECHECK_MS);
  return () => {
    stop();
    clearInterval(timer);
  };
}

/** Access to a memory; beyond this machine every caller needs a token. */
export function requireTokens(folder: string, host: string): Access {
  const access = new Access(folder);
  if (access.isOpen && !/^(?:localhost|127\.|::1$)/.test(host)) {
    throw new LociError(
      "access-denied",
      `${host} is reached from other machines, and there are no tokens: make one with "loci token add NAME", or serve 127.0.0.1`,
    );
  }
  return access;
}

/** Aborted when the client disconnects, its grant is removed or time is up; the end of the response cleans up. */
function signalOf(outgoing: ServerResponse, { ended }: Caller, withinMs: number): AbortSignal {
  const ending = new AbortController();
  const abort = (why: string) => ending.abort(new LociError("aborted", why));
  const late = setTimeout(() => abort(`there was no answer within ${withinMs / 1000} s`), withinMs);
  const revoke = () => abort("the token was taken away");
  ended?.addEventListener("abort", revoke);
  outgoing.once("close", () => {
    clearTimeout(late);
    ended?.removeEventListener("abort", revoke);
    abort("the client went away");
  });
  return ending.signal;
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        new LociError("invalid-input", `cannot listen on ${host}:${port}: ${cause.code ?? cause.message}`, {
          cause,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
}

const SWEEP_MS = 20;

/** Ends when the last response is out, or when it has taken too long. */
async function drained(server: Server, waitMs: number): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that is kept alive becomes idle with its last response.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const late = setTimeout(() => server.closeAllConnections(), waitMs);
  await ended;
  clearInterval(sweep);
  clearTimeout(late);
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { liveSchemas, type Memory } from "../../compose.ts";
import type { ReaderOptions } from "../../index.ts";
import { LociError } from "../../schema/core.ts";
import { Connections } from "../http/connections.ts";
import { Feeds } from "./feed.ts";
import type { ORDERS } from "./foxglove-client.ts";
import { isLoopback, isLoopbackUrl } from "./loopback.ts";

export interface FoxgloveOptions {
  /** Default 8766, next to foxglove_bridge's own 8765; 0 takes any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. Any other address needs `admit`. */
  readonly host?: string;
  /**
   * The rights of a viewer, for example by a token in the address; undefined refuses it. Without this option only this
   * machine may view, with the rights of the memory given.
   */
  readonly admit?: (request: IncomingMessage) => Promise<ReaderOptions | undefined>;
  /** Pages that may connect, beside those of this machine and the viewers' own. */
  readonly origins?: readonly string[];
  /** How often a viewer's admission is checked again; default a second. */
  readonly recheckMs?: number;
  /** How much one viewer may ask for in a while. */
  readonly orders?: typeof ORDERS;
  /** Only this scene. */
  readonly sceneId?: string;
  readonly signal?: AbortSignal;
  /** Called when the memory cannot be followed any more. */
  readonly onError?: (error: unknown) => void;
}

export interface RunningFoxglove {
  readonly url: string;
  readonly port: number;
  /** How many look on. */
  readonly clients: number;
  close(): Promise<void>;
}

/**
 * The protocols of the newer SDK and of its predecessor; the messages of both are the same. The first one offered here
 * is chosen.
 */
const SUBPROTOCOLS = ["foxglove.sdk.v1", "foxglove.websocket.v1"];
const VIEWERS = ["https://app.foxglove.dev", "file://"];
/** A robot's foxglove_bridge has 8765; both run on one machine. */
const PORT = 8_766;
const MAX_CLIENTS = 32;
/** Of one token. */
const MAX_OF_ONE = 8;
/** Sockets, including those that never send a message. */
const MAX_SOCKETS = 64;
const HEAD_MS = 10_000;
const REQUEST_BYTES = 1024 * 1024;
const CHECK_MS = 15_000;
const RECHECK_MS = 1_000;
const SERVER_INFO = {
  op: "serverInfo",
  name: "loci",
  capabilities: [],
  supportedEncodings: ["json"],
  metadata: {},
};

/** Serves what the memory's view shows (`memory.as(…)`) to Foxglove and Lichtblick, as it grows, until closed. */
export async function startFoxglove(memory: Memory, options: FoxgloveOptions = {}): Promise<RunningFoxglove> {
  const { host = "127.0.0.1", port = PORT } = options;
  if (!isLoopback(host) && options.admit === undefined)
    throw new LociError(
      "invalid-input",
      `expected a loopback address without tokens, got ${host}: anybody could look on`,
    );
  const feeds = new Feeds(memory, {
    schemas: await liveSchemas(),
    hello: { ...SERVER_INFO, sessionId: randomUUID() },
    sceneId: options.sceneId,
    orders: options.orders,
    onError: (error) => options.onError?.(error),
  });
  const views = new WeakMap<IncomingMessage, ReaderOptions>();
  const taken = new Map<string, number>();
  const take = (who: string, more: 1 | -1) => taken.set(who, (taken.get(who) ?? 0) + more);
  const server = await listening(host, port, async (request, clients) => {
    const admitted = clients < MAX_CLIENTS ? await admission(request, options) : 503;
    if (typeof admitted === "number") return admitted;
    const who = JSON.stringify(admitted);
    if ((taken.get(who) ?? 0) >= MAX_OF_ONE) return 503;
    take(who, 1);
    request.socket.once("close", () => take(who, -1));
    views.set(request, admitted);
    return undefined;
  });
  server.on("error", (error) => options.onError?.(error));
  server.on("connection", (socket, request) => {
    feeds.join(socket, views.get(request)!);
    // A token that was taken away, or grants other labels now, ends what it opened.
    const recheck = setInterval(async () => {
      const now = JSON.stringify(await admission(request, options));
      if (now !== JSON.stringify(views.get(request))) socket.terminate();
    }, options.recheckMs ?? RECHECK_MS);
    socket.on("close", () => clearInterval(recheck));
  });
  const checking = setInterval(() => feeds.check(), CHECK_MS);
  const close = async () => {
    options.signal?.removeEventListener("abort", close);
    clearInterval(checking);
    for (const socket of server.clients) socket.terminate();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await feeds.close();
  };
  options.signal?.addEventListener("abort", close, { once: true });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `ws://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    get clients() {
      return server.clients.size;
    },
    close,
  };
}

/** A server for Foxglove's protocol; `refusal` gives the HTTP code for whom it does not admit. */
export async function listening(
  host: string,
  port: number,
  refusal: (request: IncomingMessage, clients: number) => Promise<number | undefined>,
): Promise<WebSocketServer> {
  const sockets = createServer(
    { headersTimeout: HEAD_MS, requestTimeout: HEAD_MS, connectionsCheckingInterval: 1_000 },
    (_, response) => response.writeHead(426, { connection: "close" }).end("this is for WebSockets\n"),
  );
  new Connections(sockets, { connections: MAX_SOCKETS, headersMs: HEAD_MS });
  const server = new WebSocketServer({
    server: sockets,
    maxPayload: REQUEST_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => SUBPROTOCOLS.find((protocol) => offered.has(protocol)) ?? false,
    verifyClient: ({ req }, answer) => {
      void refusal(req, server.clients.size).then((code) => answer(code === undefined, code));
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", (cause) =>
      reject(new LociError("invalid-input", `cannot listen on ${host}:${port}: ${cause.message}`, { cause })),
    );
    sockets.listen(port, host);
  });
  // A server passed in is closed by its owner.
  server.on("close", () => {
    sockets.close();
    sockets.closeAllConnections();
  });
  return server;
}

/** The rights of a viewer, or the HTTP code that refuses it. */
export async function admission(
  request: IncomingMessage,
  { admit, origins = [] }: Pick<FoxgloveOptions, "admit" | "origins">,
): Promise<ReaderOptions | number> {
  const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  if (!offered.some((each) => SUBPROTOCOLS.includes(each))) return 400;
  const { origin, host } = request.headers;
  if (origin !== undefined && ![...VIEWERS, ...origins].includes(origin) && !isLoopbackUrl(origin))
    return 403;
  // A name that was made to point here is another site's, whatever address it leads to.
  if (isLoopback(request.socket.localAddress ?? "") && !isLoopbackUrl(`http://${host}`)) return 403;
  return admit === undefined ? {} : ((await admit(request).catch(() => undefined)) ?? 401);
}

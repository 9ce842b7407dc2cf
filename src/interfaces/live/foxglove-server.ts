import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { followMemory, liveSchemas, type Memory } from "../../compose.ts";
import { LociError } from "../../schema/core.ts";
import { Channels } from "./channel.ts";
import { FoxgloveClient } from "./foxglove-client.ts";

export interface FoxgloveOptions {
  /** Default 8765, where viewers look first; 0 takes any that is free. */
  readonly port?: number;
  /** Default 127.0.0.1. Any other address needs `admit`. */
  readonly host?: string;
  /** Whether somebody may look: by a token in the address, for one. Without it only this machine may. */
  readonly admit?: (request: IncomingMessage) => boolean | Promise<boolean>;
  /** Pages that may connect, beside those of this machine and the viewers' own. */
  readonly origins?: readonly string[];
  /** Only this scene. */
  readonly sceneId?: string;
  readonly signal?: AbortSignal;
  /** Told when the memory cannot be followed any more. */
  readonly onError?: (error: unknown) => void;
}

export interface RunningFoxglove {
  readonly url: string;
  readonly port: number;
  /** How many look on. */
  readonly clients: number;
  close(): Promise<void>;
}

/** Of the newer SDK and of what came before; the messages of both are the same. The first that is offered here is taken. */
const SUBPROTOCOLS = ["foxglove.sdk.v1", "foxglove.websocket.v1"];
const VIEWERS = ["https://app.foxglove.dev", "file://"];
const PORT = 8_765;
const MOST_CLIENTS = 16;
const REQUEST_BYTES = 1024 * 1024;
const CHECK_MS = 15_000;
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
  const channels = new Channels(await liveSchemas());
  const clients = new Set<FoxgloveClient>();
  const server = await listening(host, port, (request) => refusalOf(request, options, clients.size));
  server.on("error", (error) => options.onError?.(error));
  const sessionId = randomUUID();
  server.on("connection", (socket) => {
    const client = new FoxgloveClient(socket, channels.byId, { ...SERVER_INFO, sessionId });
    clients.add(client);
    socket.on("close", () => clients.delete(client));
  });
  const checking = setInterval(() => {
    for (const client of clients) client.check();
  }, CHECK_MS);
  const stop = new AbortController();
  const following = followMemory(memory, {
    ...(options.sceneId !== undefined && { sceneId: options.sceneId }),
    signal: stop.signal,
    onTold: (told) => {
      const opened = channels.put(told);
      for (const client of clients) {
        if (opened) client.advertise([opened]);
        client.pump();
      }
    },
    onGone: (topic) => channels.clear(topic),
  }).catch((error: unknown) => {
    if (!stop.signal.aborted) options.onError?.(error);
  });
  const close = async () => {
    options.signal?.removeEventListener("abort", close);
    clearInterval(checking);
    stop.abort();
    for (const socket of server.clients) socket.terminate();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await following;
  };
  options.signal?.addEventListener("abort", close, { once: true });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `ws://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    get clients() {
      return clients.size;
    },
    close,
  };
}

async function listening(
  host: string,
  port: number,
  refusal: (request: IncomingMessage) => Promise<number | undefined>,
): Promise<WebSocketServer> {
  const server = new WebSocketServer({
    host,
    port,
    maxPayload: REQUEST_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => SUBPROTOCOLS.find((protocol) => offered.has(protocol)) ?? false,
    verifyClient: ({ req }, answer) => {
      void refusal(req).then((code) => answer(code === undefined, code));
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", (cause) =>
      reject(new LociError("invalid-input", `cannot listen on ${host}:${port}: ${cause.message}`, { cause })),
    );
  });
  return server;
}

/** The HTTP code to refuse a viewer with; undefined where it may come in. */
async function refusalOf(
  request: IncomingMessage,
  { admit, origins = [] }: FoxgloveOptions,
  clients: number,
): Promise<number | undefined> {
  const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  if (!offered.some((each) => SUBPROTOCOLS.includes(each))) return 400;
  if (clients >= MOST_CLIENTS) return 503;
  const { origin, host } = request.headers;
  if (origin !== undefined && ![...VIEWERS, ...origins].includes(origin) && !isLoopbackUrl(origin))
    return 403;
  if (admit !== undefined)
    return (await Promise.resolve(admit(request)).catch(() => false)) ? undefined : 401;
  // A name that was made to point here is another site's, whatever address it leads to.
  return isLoopbackUrl(`http://${host}`) ? undefined : 403;
}

function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

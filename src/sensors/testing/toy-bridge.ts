import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** How a scripted robot responds. */
export interface ToyRobot {
  /** Topic to type. */
  readonly topics: Readonly<Record<string, string>>;
  /** Publishes once all of the requested `topics` are subscribed; called once per connection. */
  readonly publish: (
    send: (topic: string, message: unknown) => void,
    connection: number,
  ) => void | Promise<void>;
  /** Closes the connection after publishing, like a robot that drives out of reach. */
  readonly dropsAfter?: (connection: number) => boolean;
  readonly hasCbor?: boolean;
  /** Its reply to any other message; `hangUp` closes the connection. */
  readonly hear?: (said: ToySaid, reply: (message: object) => void, hangUp: () => void) => void;
}

/** A received message, with the fields that tests check. */
export interface ToySaid {
  readonly op: string;
  readonly id?: string;
  readonly topic?: string;
  readonly type?: string;
  readonly throttle_rate?: number;
  readonly action?: string;
  readonly action_type?: string;
  readonly args?: unknown;
  readonly msg?: unknown;
}

export interface ToyBridge {
  readonly url: string;
  readonly asked: readonly ToySaid[];
  /** Publishes to every subscriber of the topic. */
  publish(topic: string, message: unknown): void;
  close(): Promise<void>;
}

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A loopback rosbridge server for tests: a hand-written WebSocket, with a script as robot. */
export async function startToyBridge(robot: ToyRobot, onPort = 0): Promise<ToyBridge> {
  const asked: ToySaid[] = [];
  const sockets = new Set<Duplex>();
  const audience = new Map<Duplex, (topic: string, message: unknown) => void>();
  let connections = 0;
  const server = createServer();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${GUID}`).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
    let isStarted = false;
    const wanted = new Set<string>();
    socket.on("close", () => audience.delete(socket));
    const send = (topic: string, msg: unknown) => {
      if (!wanted.has(topic) || socket.destroyed) return;
      const said = { op: "publish", topic, msg };
      socket.write(robot.hasCbor ? frameOf(2, encodeCbor(said)) : frameOf(1, jsonOf(said)));
    };
    let left: Buffer = Buffer.alloc(0);
    socket.on("data", (part: Buffer) => {
      left = Buffer.concat([left, part]);
      for (let read = readFrame(left); read; read = readFrame(left)) {
        left = left.subarray(read.bytes);
        if (read.opcode === 8) {
          socket.end();
          return;
        }
        const request = JSON.parse(read.payload.toString("utf8"));
        asked.push(request);
        robot.hear?.(
          request,
          (message) => socket.write(frameOf(1, jsonOf(message))),
          () => socket.destroy(),
        );
        if (request.op === "call_service") {
          const values = { topics: Object.keys(robot.topics), types: Object.values(robot.topics) };
          socket.write(frameOf(1, jsonOf({ op: "service_response", id: request.id, result: true, values })));
        }
        if (request.op === "subscribe") wanted.add(request.topic);
        if (request.op === "subscribe" && !isStarted) {
          isStarted = true;
          audience.set(socket, send);
          const connection = connections++;
          // After the other subscriptions, which arrive at the same moment.
          setTimeout(async () => {
            await robot.publish(send, connection);
            if (robot.dropsAfter?.(connection)) socket.end();
          }, 20);
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(onPort, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `rosbridge://127.0.0.1:${port}`,
    asked,
    publish: (topic, message) => {
      for (const send of audience.values()) send(topic, message);
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function jsonOf(value: unknown): Buffer {
  return Buffer.from(
    JSON.stringify(value, function (this: Record<string, unknown>, key, field) {
      // A Buffer has already been converted to plain JSON when the replacer sees it.
      const own = this[key];
      return own instanceof Uint8Array ? Buffer.from(own).toString("base64") : field;
    }),
  );
}

function frameOf(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (length >= 65_536) head.writeBigUInt64BE(BigInt(length), 2);
  else if (length >= 126) head.writeUInt16BE(length, 2);
  return Buffer.concat([head, payload]);
}

/** One complete client frame, unmasked; undefined until all of it has arrived. */
function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; bytes: number } | undefined {
  if (bytes.length < 6) return undefined;
  const short = bytes[1]! & 127;
  const at = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < at + 4) return undefined;
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < at + 4 + length) return undefined;
  const mask = bytes.subarray(at, at + 4);
  const payload = Buffer.from(bytes.subarray(at + 4, at + 4 + length));
  for (let i = 0; i < length; i++) payload[i]! ^= mask[i & 3]!;
  return { opcode: bytes[0]! & 15, payload, bytes: at + 4 + length };
}

/** Enough of CBOR for what rosbridge sends. */
export function encodeCbor(value: unknown): Uint8Array {
  const head = (major: number, count: number): Buffer => {
    const out = Buffer.alloc(count < 24 ? 1 : count < 65_536 ? 3 : 5);
    out[0] = (major << 5) | (count < 24 ? count : count < 65_536 ? 25 : 26);
    if (count >= 65_536) out.writeUInt32BE(count, 1);
    else if (count >= 24) out.writeUInt16BE(count, 1);
    return out;
  };
  if (value === null || value === undefined) return Uint8Array.of(0xf6);
  if (typeof value === "boolean") return Uint8Array.of(value ? 0xf5 : 0xf4);
  if (typeof value === "number") {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 31)
      return value < 0 ? head(1, -1 - value) : head(0, value);
    const out = Buffer.alloc(9);
    out[0] = 0xfb;
    out.writeDoubleBE(value, 1);
    return out;
  }
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([head(3, text.length), text]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Float64Array) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return Buffer.concat([Uint8Array.of(0xd8, 86), head(2, bytes.length), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]),
  ]);
}

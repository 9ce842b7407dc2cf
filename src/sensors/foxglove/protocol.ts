import { z } from "zod";

/**
 * Foxglove's WebSocket protocol (github.com/foxglove/ws-protocol, docs/spec.md), as far as a listener needs it: of the
 * newer SDK and of foxglove_bridge; the messages of both are the same.
 */
export const SUBPROTOCOLS = ["foxglove.sdk.v1", "foxglove.websocket.v1"];
export const DEFAULT_PORT = 8765;
/** With this reason and code 1000 a replayed recording says that it is over, so that nobody connects again. */
export const END_REASON = "the recording has ended";
export const END_CODE = 1000;

export const MESSAGE_DATA = 1;
export const TIME = 2;
/** Operation code, subscription, nanoseconds. */
const MESSAGE_HEAD = 13;
const TIME_BYTES = 9;
const CHANNELS = 4_096;
const SCHEMA_CHARS = 1 << 20;

const name = z.string().max(1_024);
const id = z.int().min(0).max(0xffff_ffff);

const channelSchema = z.object({
  id,
  topic: name,
  encoding: name,
  schemaName: name,
  schema: z.string().max(SCHEMA_CHARS),
  schemaEncoding: name.optional(),
});
export type Channel = z.infer<typeof channelSchema>;

const serverSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("serverInfo"),
    name: name.default(""),
    capabilities: z.array(name).max(256).default([]),
  }),
  z.object({ op: z.literal("status"), level: z.number(), message: z.string() }),
  z.object({ op: z.literal("advertise"), channels: z.array(channelSchema).max(CHANNELS) }),
  z.object({ op: z.literal("unadvertise"), channelIds: z.array(id).max(CHANNELS) }),
  z.object({
    op: z.literal("parameterValues"),
    parameters: z.array(z.object({ name, value: z.unknown() })).max(65_536),
  }),
]);
export type Said = z.infer<typeof serverSchema>;

/** A text message of the server; undefined for operations that a listener does not need and for damaged ones. */
export function parseSaid(text: string): Said | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return serverSchema.safeParse(value).data;
}

export type Binary =
  | {
      readonly op: typeof MESSAGE_DATA;
      readonly subscription: number;
      readonly timeNs: bigint;
      readonly data: Uint8Array;
    }
  | { readonly op: typeof TIME; readonly timeNs: bigint };

/** A binary message of the server; undefined for other operations and for truncated ones. */
export function parseBinary(bytes: Uint8Array): Binary | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const op = bytes[0];
  if (op === MESSAGE_DATA && bytes.length >= MESSAGE_HEAD)
    return {
      op,
      subscription: view.getUint32(1, true),
      timeNs: view.getBigUint64(5, true),
      data: bytes.subarray(MESSAGE_HEAD),
    };
  if (op === TIME && bytes.length >= TIME_BYTES) return { op, timeNs: view.getBigUint64(1, true) };
  return undefined;
}

import { z } from "zod";

/** Subscriptions of one viewer. */
export const MAX_SUBSCRIPTIONS = 1_024;
const MESSAGE_DATA = 1;
const TIME = 2;
const HEAD_BYTES = 13;
const TIME_BYTES = 9;

const number = z.int().min(0).max(0xffff_ffff);
const requestSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("subscribe"),
    subscriptions: z.array(z.object({ id: number, channelId: number })).max(MAX_SUBSCRIPTIONS),
  }),
  z.object({ op: z.literal("unsubscribe"), subscriptionIds: z.array(number).max(MAX_SUBSCRIPTIONS) }),
]);
export type ViewerRequest = z.infer<typeof requestSchema>;

/** What a viewer asks for; undefined if it is nothing that we carry out. */
export function parseRequest(text: string): ViewerRequest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return requestSchema.safeParse(value).data;
}

/** A message on a subscription: opcode, subscription, nanoseconds, payload. */
export function framed(subscription: number, timeUs: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  frame.writeUInt8(MESSAGE_DATA, 0);
  frame.writeUInt32LE(subscription, 1);
  frame.writeBigUInt64LE(nanoseconds(timeUs), 5);
  frame.set(payload, HEAD_BYTES);
  return frame;
}

/** The server's clock. */
export function framedTime(timeUs: number): Buffer {
  const frame = Buffer.allocUnsafe(TIME_BYTES);
  frame.writeUInt8(TIME, 0);
  frame.writeBigUInt64LE(nanoseconds(timeUs), 1);
  return frame;
}

function nanoseconds(timeUs: number): bigint {
  return BigInt(Math.max(0, timeUs)) * 1_000n;
}

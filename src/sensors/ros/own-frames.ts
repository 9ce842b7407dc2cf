import { LIMITS, LociError, parseOrThrow } from "../../schema/index.ts";
import { frameLineSchema, frameOf, type MaskImage } from "../frame.ts";
import { decodeColour } from "../images.ts";
import { type RecordingItem, timedEdgeSchema } from "../recording.ts";
import { EDGES_TOPIC } from "./frame-messages.ts";
import { type Decode, loadDecoder, type MessageSource, topicOf } from "./message-source.ts";
import type { RosCompressedImage, RosImage } from "./messages.ts";

/** Most frames with a last message still to come; more means a file that is not ours. */
const PENDING_FRAMES = 1_024;
const PARTS = ["color/compressed", "depth/image", "masks/image"] as const;
type Part = (typeof PARTS)[number];

const STRING = topicOf("", "std_msgs/msg/String", "cdr", null);
const IMAGE = topicOf("", "sensor_msgs/msg/Image", "cdr", null);
const COMPRESSED = topicOf("", "sensor_msgs/msg/CompressedImage", "cdr", null);

/**
 * Frames and edges of one of our recordings, exactly as they were: from the JSON of `…/frame` and the images before
 * it. `keyOf` says which messages belong together.
 */
export async function* ownItems(
  source: MessageSource,
  keyOf: (message: { sequence: number; base: string }) => string,
  signal?: AbortSignal,
): AsyncGenerator<RecordingItem> {
  const decode = await loadDecoder();
  const pending = new Map<string, Map<Part, Uint8Array>>();
  for await (const { topic, sequence, data } of source.messages({ signal })) {
    if (topic === EDGES_TOPIC) {
      const edge = parseOrThrow(timedEdgeSchema, jsonOf(decode, data), "an edge message");
      yield { kind: "edge", edge };
      continue;
    }
    const part = ownPartOf(topic);
    if (!part && !topic.endsWith("/frame")) continue;
    const key = keyOf({ sequence, base: topic.slice(0, -(part ?? "frame").length) });
    const parts = pending.get(key) ?? new Map<Part, Uint8Array>();
    if (part) {
      parts.set(part, data.slice());
      pending.set(key, parts);
      if (pending.size > PENDING_FRAMES)
        throw new LociError("limit-exceeded", "frames without an end in the recording");
      continue;
    }
    pending.delete(key);
    const line = parseOrThrow(frameLineSchema, jsonOf(decode, data), "a frame message");
    yield { kind: "frame", frame: frameOf(line, await imagesOf(decode, parts)) };
  }
}

/** Which part of a frame one of our topics carries; undefined for copies made for other tools, and for the line. */
export function ownPartOf(topic: string): Part | undefined {
  return PARTS.find((name) => topic.endsWith(`/${name}`));
}

function jsonOf(decode: Decode, bytes: Uint8Array): unknown {
  const { data } = decode<{ data: string }>(STRING, bytes);
  if (data.length > LIMITS.bodyBytes) throw new LociError("limit-exceeded", "a JSON message is too long");
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new LociError("invalid-input", "expected JSON in a message", { cause });
  }
}

async function imagesOf(decode: Decode, parts: ReadonlyMap<Part, Uint8Array>) {
  const colour = parts.get("color/compressed");
  const grey = (part: Part): MaskImage | undefined => {
    const bytes = parts.get(part);
    return bytes && grey16(decode<RosImage>(IMAGE, bytes));
  };
  const compressed = colour && decode<RosCompressedImage>(COMPRESSED, colour);
  return {
    rgb: compressed && (await decodeColour(compressed.data)),
    depth: grey("depth/image"),
    masks: grey("masks/image"),
  };
}

function grey16({ width, height, encoding, is_bigendian, data }: RosImage): MaskImage {
  if (!["16UC1", "mono16"].includes(encoding) || data.length !== width * height * 2) {
    throw new LociError(
      "invalid-input",
      `expected a 16-bit grey image, got ${encoding} ${width}×${height} in ${data.length} bytes`,
    );
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const out = new Uint16Array(width * height);
  for (let i = 0; i < out.length; i++) out[i] = view.getUint16(2 * i, is_bigendian === 0);
  return { width, height, data: out };
}

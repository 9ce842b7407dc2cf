import { open } from "node:fs/promises";
import { zstdDecompressSync } from "node:zlib";
import { LIMITS, LociError, parseOrThrow, throwIfAborted } from "../../schema/index.ts";
import { frameLineSchema, frameOf, type MaskImage } from "../frame.ts";
import { decodeColour } from "../images.ts";
import {
  type RecordingItem,
  type RecordingReader,
  recordingInfoSchema,
  timedEdgeSchema,
} from "../recording.ts";
import { loadMcap } from "./packages.ts";
import { definitionsOf, type RosType } from "./ros-types.ts";
import { EDGES_TOPIC, INFO_METADATA } from "./writer.ts";

/** Parts of frames whose last message has not come yet; more means a file that is not ours. */
const PENDING_FRAMES = 1_024;
const PARTS = ["color/compressed", "depth/image", "masks/image"] as const;
type Part = (typeof PARTS)[number];

interface RosImage {
  readonly width: number;
  readonly height: number;
  readonly encoding: string;
  readonly is_bigendian: number;
  readonly data: Uint8Array;
}

/**
 * Reads what `McapRecordingWriter` wrote, by its index, one frame in memory at a time. An MCAP file without our
 * `…/frame` messages is refused with the topics it has: mapping other people's topics is another reader's work.
 */
export async function openMcap(path: string): Promise<RecordingReader> {
  const { core, support, cdr } = await loadMcap();
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const readable = {
      size: async () => BigInt(size),
      read: async (offset: bigint, length: bigint) => {
        if (length > BigInt(LIMITS.blobBytes))
          throw new LociError("limit-exceeded", `a piece of ${length} bytes in ${path}`);
        const bytes = new Uint8Array(Number(length));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, Number(offset));
        if (bytesRead !== bytes.length) throw new LociError("invalid-input", `${path} ends too early`);
        return bytes;
      },
    };
    const handlers = {
      ...(await support.loadDecompressHandlers()),
      zstd: (data: Uint8Array, expected: bigint) => {
        if (expected > BigInt(LIMITS.blobBytes))
          throw new LociError("limit-exceeded", `a chunk of ${expected} bytes in ${path}`);
        return new Uint8Array(zstdDecompressSync(data, { maxOutputLength: Number(expected) }));
      },
    };
    const reader = await core.McapIndexedReader.Initialize({ readable, decompressHandlers: handlers });
    const topics = [...reader.channelsById.values()].map((channel) => channel.topic);
    const info = await readInfo(reader.readMetadata({ name: INFO_METADATA }));
    if (!info) {
      throw new LociError(
        "not-supported",
        `expected a recording written by Loci, ${path} has the topics ${topics.join(", ").slice(0, 160)}`,
      );
    }
    const decoders = new Map<RosType, (bytes: Uint8Array) => unknown>();
    const decode = (type: RosType, bytes: Uint8Array): unknown => {
      let read = decoders.get(type);
      if (!read) {
        const message = new cdr.MessageReader(definitionsOf(type));
        read = (data) => message.readMessage(data);
        decoders.set(type, read);
      }
      return read(bytes);
    };
    async function* items({
      signal,
    }: {
      signal?: AbortSignal | undefined;
    } = {}): AsyncGenerator<RecordingItem> {
      const pending = new Map<string, Map<Part, Uint8Array>>();
      for await (const message of reader.readMessages({ validateCrcs: true })) {
        throwIfAborted(signal);
        const topic = reader.channelsById.get(message.channelId)!.topic;
        if (topic === EDGES_TOPIC) {
          yield {
            kind: "edge",
            edge: parseOrThrow(timedEdgeSchema, jsonOf(decode, message.data), "an edge message"),
          };
          continue;
        }
        const part = PARTS.find((name) => topic.endsWith(`/${name}`));
        const isFrame = topic.endsWith("/frame");
        if (!part && !isFrame) continue;
        const key = `${message.sequence}${topic.slice(0, -(part ?? "frame").length)}`;
        const parts = pending.get(key) ?? new Map<Part, Uint8Array>();
        if (part) {
          parts.set(part, message.data.slice());
          pending.set(key, parts);
          if (pending.size > PENDING_FRAMES)
            throw new LociError("limit-exceeded", `frames without an end in ${path}`);
          continue;
        }
        pending.delete(key);
        const line = parseOrThrow(frameLineSchema, jsonOf(decode, message.data), "a frame message");
        yield { kind: "frame", frame: frameOf(line, await imagesOf(decode, parts)) };
      }
    }
    return { format: "mcap", info, items, close: () => file.close() };
  } catch (error) {
    await file.close();
    if (error instanceof LociError) throw error;
    throw new LociError("invalid-input", `expected an MCAP file, could not read ${path}`, { cause: error });
  }
}

type Decode = (type: RosType, bytes: Uint8Array) => unknown;

async function readInfo(records: AsyncIterable<{ metadata: Map<string, string> }>) {
  for await (const { metadata } of records) {
    return parseOrThrow(
      recordingInfoSchema,
      JSON.parse(metadata.get("json") ?? "null"),
      "the recording's metadata",
    );
  }
  return undefined;
}

function jsonOf(decode: Decode, bytes: Uint8Array): unknown {
  const { data } = decode("std_msgs/msg/String", bytes) as { data: string };
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
    return bytes && grey16(decode("sensor_msgs/msg/Image", bytes) as RosImage);
  };
  const compressed = colour && (decode("sensor_msgs/msg/CompressedImage", colour) as { data: Uint8Array });
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

import { type FileHandle, open } from "node:fs/promises";
import { zstdDecompressSync } from "node:zlib";
import { LIMITS, LociError, parseOrThrow, throwIfAborted } from "../../schema/index.ts";
import { loadMcap } from "../mcap/packages.ts";
import { recordingInfoSchema } from "../recording.ts";
import { type MessageSource, type RosMessage, type RosTopic, topicOf, type Wire } from "./message-source.ts";

/** The metadata record with our writer's recording info. */
export const INFO_METADATA = "loci-recording";
const READ_BYTES = 1 << 20;

type Packages = Awaited<ReturnType<typeof loadMcap>>;
type Handlers = Readonly<Record<string, (data: Uint8Array, expected: bigint) => Uint8Array>>;
type MessageOptions = { topics?: ReadonlySet<string> | undefined; signal?: AbortSignal | undefined };

/**
 * An MCAP file by its index, or front to back if the index is missing because the robot was switched off before the
 * file was closed.
 */
export async function openMcapSource(path: string): Promise<MessageSource> {
  const packages = await loadMcap();
  const file = await open(path);
  try {
    const handlers = await boundedHandlers(packages, path);
    const indexed = await openIndexed(packages, file, path, handlers).catch((error: unknown) => {
      if (error instanceof LociError && error.code !== "limit-exceeded") throw error;
      return undefined;
    });
    return indexed ?? (await openStreamed(packages, file, path, handlers));
  } catch (error) {
    await file.close();
    if (error instanceof LociError) throw error;
    throw new LociError("invalid-input", `expected an MCAP file, could not read ${path}`, { cause: error });
  }
}

async function openIndexed(
  { core }: Packages,
  file: FileHandle,
  path: string,
  decompressHandlers: Handlers,
): Promise<MessageSource | undefined> {
  const { size } = await file.stat();
  const readable = {
    size: async () => BigInt(size),
    read: async (offset: bigint, length: bigint) => {
      if (length > BigInt(LIMITS.blobBytes))
        throw new LociError("limit-exceeded", `a piece of ${length} bytes in ${path}`);
      const bytes = new Uint8Array(Number(length));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, Number(offset));
      if (bytesRead !== bytes.length) throw new Error(`${path} ends too early`);
      return bytes;
    },
  };
  const reader = await core.McapIndexedReader.Initialize({ readable, decompressHandlers });
  const { statistics } = reader;
  if (reader.chunkIndexes.length === 0 && statistics?.messageCount !== 0n) return undefined;
  const topics = [...reader.channelsById.values()].map(({ id, topic, messageEncoding, schemaId }) => {
    const count = statistics ? Number(statistics.channelMessageCounts.get(id) ?? 0n) : null;
    const schema = reader.schemasById.get(schemaId);
    return topicOf(topic, schema?.name ?? "", messageEncoding, count, wireOf(messageEncoding, schema));
  });
  const nothing = statistics === undefined || statistics.messageCount === 0n;
  async function* messages({ topics: wanted, signal }: MessageOptions): AsyncGenerator<RosMessage> {
    const named = wanted && { topics: [...wanted] };
    for await (const message of reader.readMessages({ validateCrcs: true, ...named })) {
      throwIfAborted(signal);
      const { sequence, data, logTime, channelId } = message;
      const { topic } = reader.channelsById.get(channelId)!;
      yield { topic, sequence, data, logTimeUs: Number(logTime / 1000n) };
    }
  }
  return {
    format: "mcap",
    topics: merged(topics),
    startUs: nothing ? null : Number(statistics.messageStartTime / 1000n),
    endUs: nothing ? null : Number(statistics.messageEndTime / 1000n),
    ownInfo: await readInfo(reader.readMetadata({ name: INFO_METADATA })),
    notes: [],
    messages: (options) => guarded(path, messages(options)),
    close: () => file.close(),
  };
}

/** Reads once to list the content; everything before a damaged place is used, everything behind it is lost. */
async function openStreamed(
  packages: Packages,
  file: FileHandle,
  path: string,
  handlers: Handlers,
): Promise<MessageSource> {
  const found = new Map<string, { topic: RosTopic; count: number }>();
  let startUs: number | null = null;
  let endUs: number | null = null;
  let counted = 0;
  let endsAt: number | undefined;
  const notes = [`${path.split("/").at(-1)} has no usable index: it was read once to count.`];
  try {
    for await (const { entry, logTimeUs } of walk(packages, file, path, handlers)) {
      counted++;
      const known = found.get(entry.name);
      if (known) known.count++;
      else found.set(entry.name, { topic: entry, count: 1 });
      startUs = Math.min(startUs ?? logTimeUs, logTimeUs);
      endUs = Math.max(endUs ?? logTimeUs, logTimeUs);
    }
  } catch (error) {
    if (found.size === 0) throw error;
    endsAt = counted;
    notes.push(`It breaks off: ${(error as Error).message.slice(0, 160)}`);
  }
  async function* messages({ topics, signal }: MessageOptions): AsyncGenerator<RosMessage> {
    let passed = 0;
    for await (const { entry, ...message } of walk(packages, file, path, handlers)) {
      throwIfAborted(signal);
      if (!topics || topics.has(entry.name)) yield { topic: entry.name, ...message };
      if (++passed === endsAt) return;
    }
  }
  return {
    format: "mcap",
    topics: [...found.values()].map(({ topic, count }) => ({ ...topic, count })),
    startUs,
    endUs,
    ownInfo: undefined,
    notes,
    messages: (options) => guarded(path, messages(options)),
    close: () => file.close(),
  };
}

async function* walk({ core }: Packages, file: FileHandle, path: string, decompressHandlers: Handlers) {
  const reader = new core.McapStreamReader({ decompressHandlers, validateCrcs: true });
  const schemas = new Map<number, Schema>();
  const topics = new Map<number, RosTopic>();
  let isDone = false;
  for (let at = 0; !isDone; ) {
    const bytes = new Uint8Array(READ_BYTES);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
    at += bytesRead;
    isDone = bytesRead === 0;
    reader.append(bytes.subarray(0, bytesRead));
    for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
      if (record.type === "Schema") schemas.set(record.id, record);
      if (record.type === "Channel") {
        const { topic, schemaId, messageEncoding } = record;
        const schema = schemas.get(schemaId);
        const wire = wireOf(messageEncoding, schema);
        topics.set(record.id, topicOf(topic, schema?.name ?? "", messageEncoding, null, wire));
      }
      if (record.type !== "Message") continue;
      const entry = topics.get(record.channelId);
      if (!entry) continue;
      yield {
        entry,
        logTimeUs: Number(record.logTime / 1000n),
        sequence: record.sequence,
        data: record.data,
      };
    }
    if (reader.bytesRemaining() > LIMITS.blobBytes)
      throw new LociError("limit-exceeded", `a record longer than ${LIMITS.blobBytes} bytes in ${path}`);
  }
}

interface Schema {
  readonly name: string;
  readonly encoding: string;
  readonly data: Uint8Array;
}

/** Kept beyond the chunk that it was read from. */
function wireOf(encoding: string, schema: Schema | undefined): Wire {
  return {
    encoding,
    schemaEncoding: schema?.encoding ?? "",
    schema: schema?.data.slice() ?? new Uint8Array(0),
  };
}

async function boundedHandlers({ support }: Packages, path: string): Promise<Handlers> {
  const bounded = (data: Uint8Array, expected: bigint, unpack: Handlers[string]) => {
    if (expected > BigInt(LIMITS.blobBytes))
      throw new LociError("limit-exceeded", `a chunk of ${expected} bytes in ${path}`);
    return unpack!(data, expected);
  };
  const loaded = await support.loadDecompressHandlers();
  const zstd = (data: Uint8Array, expected: bigint) =>
    new Uint8Array(zstdDecompressSync(data, { maxOutputLength: Math.max(1, Number(expected)) }));
  const all: Handlers = { ...(loaded as Handlers), zstd };
  return Object.fromEntries(
    Object.entries(all).map(([name, unpack]) => [
      name,
      (data: Uint8Array, expected: bigint) => bounded(data, expected, unpack),
    ]),
  );
}

/** Converts the library's errors into ours. */
async function* guarded(path: string, messages: AsyncIterable<RosMessage>): AsyncGenerator<RosMessage> {
  try {
    yield* messages;
  } catch (error) {
    if (error instanceof LociError) throw error;
    const why = (error as Error).message.slice(0, 160);
    throw new LociError("invalid-input", `${path} is damaged: ${why}`, { cause: error });
  }
}

/** One entry per topic, though several nodes may have published on it. */
function merged(topics: readonly RosTopic[]): RosTopic[] {
  const byName = new Map<string, RosTopic>();
  for (const topic of topics) {
    const before = byName.get(topic.name);
    const count =
      before && before.count !== null && topic.count !== null ? before.count + topic.count : topic.count;
    byName.set(topic.name, { ...(before ?? topic), count });
  }
  return [...byName.values()];
}

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

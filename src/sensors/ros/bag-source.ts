import { type FileHandle, open } from "node:fs/promises";
import { LIMITS, LociError, throwIfAborted } from "../../schema/index.ts";
import { loadMcap } from "../mcap/packages.ts";
import {
  BAG_MAGIC,
  damaged,
  type Fields,
  fieldsOf,
  OP,
  opOf,
  textOf,
  timeUsOf,
  uint32Of,
  uint64Of,
} from "./bag-records.ts";
import { type MessageSource, type RosMessage, type RosTopic, topicOf } from "./message-source.ts";

const HEADER_BYTES = 1 << 20;
const CONNECTIONS = 65_536;

interface Connection {
  readonly topic: string;
  readonly type: string;
}

/**
 * A ROS 1 bag, read front to back one chunk at a time, so that a bag without an index or a truncated one yields what
 * is left. Counts come from the index at the end if there is one, else from a first pass.
 */
export async function openBag(path: string): Promise<MessageSource> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const magic = new Uint8Array(BAG_MAGIC.length);
    await file.read(magic, 0, magic.length, 0);
    if (textOf(magic) !== BAG_MAGIC) throw damaged(`${path} does not begin with ${BAG_MAGIC.trim()}`);
    const first = await recordAt(file, BAG_MAGIC.length, size);
    const indexAt = first && opOf(first.fields) === OP.header ? uint64Of(first.fields, "index_pos") : 0;
    const summary =
      (indexAt > 0 && indexAt < size
        ? await fromIndex(file, indexAt, size).catch(() => undefined)
        : undefined) ?? (await fromFront(file, path, size));
    return {
      format: "bag",
      topics: summary.topics,
      startUs: summary.startUs,
      endUs: summary.endUs,
      ownInfo: undefined,
      notes: summary.notes,
      messages: (options) => messagesOf(file, size, summary.endsAt, options),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    if (error instanceof LociError) throw error;
    throw new LociError("invalid-input", `expected a ROS 1 bag, could not read ${path}`, { cause: error });
  }
}

interface Summary {
  readonly topics: RosTopic[];
  readonly startUs: number | null;
  readonly endUs: number | null;
  readonly notes: string[];
  /** Offset at which a truncated bag becomes unreadable: messages are counted up to there. */
  readonly endsAt: number | undefined;
}

/** Connections and chunk counts from the index at the end. */
async function fromIndex(file: FileHandle, indexAt: number, size: number): Promise<Summary> {
  const connections = new Map<number, Connection>();
  const counts = new Map<number, number>();
  let startUs = Infinity;
  let endUs = -Infinity;
  for (let at = indexAt; at < size; ) {
    const record = await recordAt(file, at, size);
    if (!record) throw damaged("the index is cut off");
    const op = opOf(record.fields);
    if (op === OP.connection) await addConnection(connections, file, record);
    if (op === OP.chunkInfo) {
      startUs = Math.min(startUs, timeUsOf(record.fields, "start_time"));
      endUs = Math.max(endUs, timeUsOf(record.fields, "end_time"));
      const body = await bodyOf(file, record);
      const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
      for (let i = 0; i + 8 <= body.length; i += 8) {
        const id = view.getUint32(i, true);
        counts.set(id, (counts.get(id) ?? 0) + view.getUint32(i + 4, true));
      }
    }
    at = record.end;
  }
  return summaryOf(connections, counts, startUs, endUs, []);
}

/** The same by reading everything: for bags that were never closed. */
async function fromFront(file: FileHandle, path: string, size: number): Promise<Summary> {
  const connections = new Map<number, Connection>();
  const counts = new Map<number, number>();
  let startUs = Infinity;
  let endUs = -Infinity;
  const notes = [`${path.split("/").at(-1)} has no usable index: it was read once to count.`];
  let endsAt: number | undefined;
  let messages = 0;
  try {
    for await (const { id, timeUs } of walk(file, size, connections)) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
      messages++;
      startUs = Math.min(startUs, timeUs);
      endUs = Math.max(endUs, timeUs);
    }
  } catch (error) {
    notes.push(`It breaks off: ${(error as Error).message}`);
    endsAt = messages;
  }
  return summaryOf(connections, counts, startUs, endUs, notes, endsAt);
}

function summaryOf(
  connections: ReadonlyMap<number, Connection>,
  counts: ReadonlyMap<number, number>,
  startUs: number,
  endUs: number,
  notes: string[],
  endsAt?: number,
): Summary {
  const byTopic = new Map<string, { type: string; count: number }>();
  for (const [id, { topic, type }] of connections) {
    const before = byTopic.get(topic);
    byTopic.set(topic, { type: before?.type ?? type, count: (before?.count ?? 0) + (counts.get(id) ?? 0) });
  }
  const topics = [...byTopic].map(([name, { type, count }]) => topicOf(name, type, "ros1", count));
  return {
    topics,
    startUs: Number.isFinite(startUs) ? startUs : null,
    endUs: Number.isFinite(endUs) ? endUs : null,
    notes,
    endsAt,
  };
}

async function* messagesOf(
  file: FileHandle,
  size: number,
  endsAt: number | undefined,
  { topics, signal }: { topics?: ReadonlySet<string> | undefined; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<RosMessage> {
  const connections = new Map<number, Connection>();
  let sequence = 0;
  if (endsAt === 0) return;
  for await (const { id, timeUs, data } of walk(file, size, connections)) {
    throwIfAborted(signal);
    const topic = connections.get(id)?.topic;
    if (topic !== undefined && (!topics || topics.has(topic)))
      yield { topic, logTimeUs: timeUs, sequence, data };
    if (++sequence === endsAt) return;
  }
}

/** Every message in file order; connections are recorded on the way. */
async function* walk(file: FileHandle, size: number, connections: Map<number, Connection>) {
  for (let at = BAG_MAGIC.length; at < size; ) {
    const record = await recordAt(file, at, size);
    if (!record) throw damaged("a record reaches past the end");
    const op = opOf(record.fields);
    if (op === OP.connection) await addConnection(connections, file, record);
    if (op === OP.message)
      yield {
        id: uint32Of(record.fields, "conn"),
        timeUs: timeUsOf(record.fields, "time"),
        data: await bodyOf(file, record),
      };
    if (op === OP.chunk) {
      const chunk = await unpack(record.fields, await bodyOf(file, record));
      for (let inner = 0; inner < chunk.length; ) {
        const { fields, body, end } = recordIn(chunk, inner);
        if (opOf(fields) === OP.connection) noteConnection(connections, fields, body);
        if (opOf(fields) === OP.message)
          yield { id: uint32Of(fields, "conn"), timeUs: timeUsOf(fields, "time"), data: body };
        inner = end;
      }
    }
    at = record.end;
  }
}

async function unpack(fields: Fields, body: Uint8Array): Promise<Uint8Array> {
  const compression = textOf(fields.get("compression"));
  if (compression === "none") return body;
  const size = uint32Of(fields, "size");
  if (size > LIMITS.blobBytes) throw new LociError("limit-exceeded", `a chunk of ${size} bytes`);
  const handler = (await (await loadMcap()).support.loadDecompressHandlers())[compression];
  if (!handler) throw new LociError("not-supported", `a bag compressed with ${compression.slice(0, 32)}`);
  try {
    return handler(body, BigInt(size));
  } catch (cause) {
    throw new LociError("invalid-input", "a chunk that does not decompress", { cause });
  }
}

async function addConnection(
  connections: Map<number, Connection>,
  file: FileHandle,
  record: FileRecord,
): Promise<void> {
  noteConnection(connections, record.fields, await bodyOf(file, record));
}

function noteConnection(connections: Map<number, Connection>, fields: Fields, body: Uint8Array): void {
  if (connections.size >= CONNECTIONS) throw new LociError("limit-exceeded", "too many connections in a bag");
  connections.set(uint32Of(fields, "conn"), {
    topic: textOf(fields.get("topic")),
    type: textOf(fieldsOf(body).get("type")),
  });
}

interface FileRecord {
  readonly fields: Fields;
  readonly bodyAt: number;
  readonly bodyLength: number;
  readonly end: number;
}

/** Reads the header of a record; its body stays in the file. Undefined if it extends past the end. */
async function recordAt(file: FileHandle, at: number, size: number): Promise<FileRecord | undefined> {
  const headerLength = await uint32At(file, at, size);
  if (headerLength === undefined) return undefined;
  if (headerLength > HEADER_BYTES) throw damaged(`a record header of ${headerLength} bytes`);
  const bodyLength = await uint32At(file, at + 4 + headerLength, size);
  if (bodyLength === undefined) return undefined;
  const bodyAt = at + 8 + headerLength;
  if (bodyAt + bodyLength > size) return undefined;
  const header = new Uint8Array(headerLength);
  await file.read(header, 0, headerLength, at + 4);
  return { fields: fieldsOf(header), bodyAt, bodyLength, end: bodyAt + bodyLength };
}

async function bodyOf(file: FileHandle, { bodyAt, bodyLength }: FileRecord): Promise<Uint8Array> {
  if (bodyLength > LIMITS.blobBytes) throw new LociError("limit-exceeded", `a record of ${bodyLength} bytes`);
  const body = new Uint8Array(bodyLength);
  await file.read(body, 0, bodyLength, bodyAt);
  return body;
}

async function uint32At(file: FileHandle, at: number, size: number): Promise<number | undefined> {
  if (at + 4 > size) return undefined;
  const bytes = new Uint8Array(4);
  await file.read(bytes, 0, 4, at);
  return new DataView(bytes.buffer).getUint32(0, true);
}

function recordIn(chunk: Uint8Array, at: number) {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (at + 4 > chunk.length) throw damaged("a record in a chunk is cut off");
  const headerLength = view.getUint32(at, true);
  const bodyAt = at + 8 + headerLength;
  if (bodyAt > chunk.length) throw damaged("a record in a chunk is cut off");
  const bodyLength = view.getUint32(bodyAt - 4, true);
  const end = bodyAt + bodyLength;
  if (end > chunk.length) throw damaged("a record in a chunk is cut off");
  return { fields: fieldsOf(chunk.subarray(at + 4, bodyAt - 4)), body: chunk.subarray(bodyAt, end), end };
}

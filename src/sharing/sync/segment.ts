import { createHash } from "node:crypto";
import { createGunzip, gzipSync } from "node:zlib";
import { z } from "zod";
import type { WriteBatch } from "../../memory/index.ts";
import { inSlices } from "../../schema/effort.ts";
import {
  blobRefOf,
  blobRefSchema,
  heardSchema,
  idSchema,
  isBoundedJson,
  isLociError,
  LIMITS,
  LociError,
  parseOrThrow,
  timeUsSchema,
  toldSchema,
} from "../../schema/index.ts";
import { parseJsonInTurns } from "../../schema/json-in-turns.ts";

/** Raised when an older Loci could not read a segment. */
export const SEGMENT_FORMAT = 1;
const MAGIC = Buffer.from("LOCI-SEG");
const SUM_BYTES = 32;
/** Before its blobs, a segment holds at most this much; its sender closes it long before. */
const MAX_JSON_BYTES = 128 * 1024 * 1024;
export const MAX_SEGMENT_BYTES = 512 * 1024 * 1024;
const MAX_BATCHES = 100_000;
/**
 * The limits of an unpacked segment, in bytes and as a multiple of its packed size: rows of one kind pack twenty to
 * forty times.
 */
const UNPACKED_BYTES = 33_554_432;
const UNPACKED_TIMES = 100;
/** More than any segment of ours has: rows, their places and labels; larger ones are refused before they are parsed. */
const JSON_BOUNDS = { depth: LIMITS.jsonDepth + 16, containers: 1_000_000, keys: 20_000 };
/** Unpacked at a time; then others have their turn. */
const CHUNK_BYTES = 1_048_576;

const headSchema = z.object({
  format: z.int(),
  /** The memory whose log the segment comes from. */
  sender: idSchema,
  /** What the receiver must have: batches of these memories up to these times are left out. */
  assumes: heardSchema,
  /** How far it has all of them afterwards. */
  reaches: heardSchema,
  /** Which forgettings of the receiver its sender knew. */
  told: toldSchema,
  jsonBytes: z.int().min(0).max(MAX_JSON_BYTES),
});
export type SegmentHead = z.infer<typeof headSchema>;

/** Records, sightings and frames are checked by the memory that takes them. */
const rows = z.array(z.looseObject({})).max(LIMITS.sightingsPerBatch);
const batchSchema = z.object({
  memory: idSchema,
  atUs: timeUsSchema,
  derived: z.boolean(),
  records: rows,
  sightings: rows,
  frames: rows,
  imageVectors: z.array(z.object({ blob: blobRefSchema, vector: z.string() })),
});
const bodySchema = z.object({
  batches: z.array(z.unknown()).max(MAX_BATCHES),
  blobs: z.array(z.object({ ref: blobRefSchema, bytes: z.int().min(0).max(LIMITS.blobBytes) })),
});

type SegmentBody = Omit<z.input<typeof bodySchema>, "batches"> & {
  readonly batches: readonly z.input<typeof batchSchema>[];
};

/** A batch on its way, as its memory wrote it. */
export interface SegmentBatch extends Required<Pick<WriteBatch, "from" | "derived">> {
  readonly records: NonNullable<WriteBatch["records"]>;
  readonly sightings: NonNullable<WriteBatch["sightings"]>;
  readonly frames: NonNullable<WriteBatch["frames"]>;
  readonly imageVectors: NonNullable<WriteBatch["imageVectors"]>;
}

export interface Segment extends Omit<SegmentHead, "format" | "jsonBytes"> {
  readonly batches: readonly SegmentBatch[];
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/** A segment as it travels; its name is the sum of its bytes. */
export interface Sealed {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Magic, a SHA-256 over the rest, the length of the head, the head, then batches as JSON (gzip) and blobs as they are.
 * The same batches make the same bytes, so that half of a segment can be gone on with after either end was restarted.
 */
export function seal(segment: Segment): Sealed {
  const { batches, blobs, ...head } = segment;
  const body: SegmentBody = {
    batches: batches.map(({ from, derived, records, sightings, frames, imageVectors }) => ({
      ...from,
      derived,
      records: [...records],
      sightings: [...sightings],
      frames: [...frames],
      imageVectors: imageVectors.map(({ blob, vector }) => ({ blob, vector: toBase64(vector) })),
    })),
    blobs: Array.from(blobs, ([ref, bytes]) => ({ ref, bytes: bytes.length })),
  };
  const json = gzipSync(JSON.stringify(body), { level: 6 });
  const begin = Buffer.from(JSON.stringify({ format: SEGMENT_FORMAT, ...head, jsonBytes: json.length }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(begin.length);
  const rest = Buffer.concat([length, begin, json, ...blobs.values()]);
  const bytes = Buffer.concat([MAGIC, sumOf(rest), rest]);
  if (bytes.length > MAX_SEGMENT_BYTES)
    throw new LociError(
      "limit-exceeded",
      `a segment has at most ${MAX_SEGMENT_BYTES} bytes; one batch is larger`,
    );
  return { name: nameOf(bytes), bytes };
}

export function nameOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The inverse. A torn one is `memory-corrupt`, one of a newer Loci `memory-newer`, anything else `invalid-input`. */
export async function unseal(bytes: Uint8Array): Promise<Segment> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!data.subarray(0, MAGIC.length).equals(MAGIC))
    throw new LociError("invalid-input", "this is no segment of a Loci memory");
  const at = MAGIC.length + SUM_BYTES;
  const rest = data.subarray(at);
  if (data.length < at + 4 || !sumOf(rest).equals(data.subarray(MAGIC.length, at)))
    throw new LociError("memory-corrupt", "this segment is torn: it is not what was sealed");
  const headBytes = rest.readUInt32BE(0);
  const { jsonBytes, format, ...head } = headFrom(rest.subarray(4, 4 + headBytes));
  const json = rest.subarray(4 + headBytes, 4 + headBytes + jsonBytes);
  const { batches: given, blobs } = parseOrThrow(bodySchema, await unpacked(json), "segment");
  const batches: z.output<typeof batchSchema>[] = [];
  const othersFirst = inSlices();
  for (const batch of given) {
    await othersFirst();
    batches.push(batchFrom(batch));
  }
  return {
    ...head,
    batches: batches.map(({ memory, atUs, imageVectors, ...batch }) => ({
      ...(batch as unknown as Pick<SegmentBatch, "derived" | "records" | "sightings" | "frames">),
      from: { memory, atUs },
      imageVectors: imageVectors.map(({ blob, vector }) => ({ blob, vector: fromBase64(vector) })),
    })),
    blobs: blobsFrom(rest.subarray(4 + headBytes + jsonBytes), blobs),
  };
}

function batchFrom(given: unknown): z.output<typeof batchSchema> {
  if (!isBoundedJson(given, LIMITS.jsonDepth + 16))
    throw new LociError("invalid-input", "segment: JSON too deep");
  // Before each row is looked at: of a million wrong ones every one would be written down.
  const lists = given === null || typeof given !== "object" ? [] : Object.values(given);
  if (lists.some((list) => Array.isArray(list) && list.length > LIMITS.sightingsPerBatch))
    throw new LociError("limit-exceeded", `segment: a batch has at most ${LIMITS.sightingsPerBatch} rows`);
  return parseOrThrow(batchSchema, given, "segment");
}

function headFrom(bytes: Uint8Array): SegmentHead {
  const said = jsonFrom(bytes);
  const { format } = (said ?? {}) as { format?: unknown };
  if (typeof format === "number" && format > SEGMENT_FORMAT)
    throw new LociError("memory-newer", `this segment is of a newer Loci (format ${format}); upgrade Loci`);
  return parseOrThrow(headSchema, said, "segment");
}

/** Unpacks and parses in turns with the other work of the process, and no further than a sender would have packed. */
async function unpacked(json: Uint8Array): Promise<unknown> {
  const most = Math.min(MAX_JSON_BYTES, UNPACKED_BYTES + UNPACKED_TIMES * json.length);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
    gunzip.end(json);
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > most)
        throw new LociError("limit-exceeded", `a segment's batches unpack to more than ${most} bytes`);
      chunks.push(chunk);
    }
    return await parseJsonInTurns(Buffer.concat(chunks, length), JSON_BOUNDS);
  } catch (cause) {
    if (isLociError(cause)) throw cause;
    throw new LociError("invalid-input", "a segment's batches are packed JSON; this one's cannot be read", {
      cause,
    });
  }
}

function jsonFrom(bytes: Uint8Array): unknown {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  if (!isBoundedJson(value, LIMITS.jsonDepth + 16))
    throw new LociError("invalid-input", "segment: JSON too deep");
  return value;
}

function blobsFrom(
  bytes: Buffer,
  list: readonly { readonly ref: string; readonly bytes: number }[],
): Map<string, Uint8Array> {
  let at = 0;
  return new Map(
    list.map(({ ref, bytes: length }) => {
      const blob = new Uint8Array(bytes.subarray(at, at + length));
      at += length;
      if (blobRefOf(blob) !== ref)
        throw new LociError("invalid-input", `segment: blob ${ref.slice(0, 12)}… is not what its name says`);
      return [ref, blob];
    }),
  );
}

function sumOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function toBase64(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return new Float32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / 4));
}

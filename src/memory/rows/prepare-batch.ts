import type { FrameEdge, FrameGraph } from "../../geometry/index.ts";
import {
  blobRefOf,
  blobsOf,
  type EmbedderInfo,
  frameEdgeSchema,
  LIMITS,
  LociError,
  type LociRecord,
  parseOrThrow,
  recordSchema,
  referencesOf,
  type Sighting,
  sightingSchema,
} from "../../schema/index.ts";
import type { VectorSpace, WriteBatch } from "../port.ts";
import { unitVector } from "../vectors.ts";
import { quickParser } from "./quick-parse.ts";

const quickRecord = quickParser(recordSchema);
const quickSighting = quickParser(sightingSchema);

/** What the checks need to know of the current memory. */
export interface Known {
  /** The kinds of the present ones of these records. */
  kindsOf(ids: readonly string[]): ReadonlyMap<string, string>;
  hasBlob(ref: string): boolean;
  embedder(space: VectorSpace): EmbedderInfo | null;
  frameGraph(): FrameGraph;
}

/** A batch in which everything is known to be right. */
export interface PreparedBatch {
  /** Ids of the batch that exist already. */
  readonly known: ReadonlySet<string>;
  readonly records: { readonly record: LociRecord; readonly expectVersion: number | undefined }[];
  readonly sightings: Sighting[];
  readonly frames: FrameEdge[];
  readonly vectors: { readonly text: string; readonly vector: Float32Array }[];
  readonly imageVectors: { readonly blob: string; readonly vector: Float32Array }[];
  readonly blobs: Map<string, Uint8Array>;
}

/** A batch in which every part is well formed. */
export type ParsedBatch = Pick<PreparedBatch, "records" | "sightings" | "blobs"> & {
  readonly given: WriteBatch;
};

/** Checks a whole batch before anything is written; the first problem refuses all of it. */
export function prepareBatch(batch: WriteBatch, known: Known): PreparedBatch {
  return checkBatch(parseBatch(batch), known);
}

/** The part of the checks that does not need the memory. */
export function parseBatch(batch: WriteBatch): ParsedBatch {
  limit("records", batch.records?.length, LIMITS.recordsPerBatch);
  limit("sightings", batch.sightings?.length, LIMITS.sightingsPerBatch);
  limit("frames", batch.frames?.length, LIMITS.recordsPerBatch);
  limit("vectors", batch.vectors?.length, LIMITS.recordsPerBatch * 16);
  const blobs = prepareBlobs(batch.blobs ?? []);
  // Fields that a record does not have, `expectVersion` among them, are no part of what parsing returns.
  const records = (batch.records ?? []).map((input, i) => ({
    record: prepareRecord(input, i),
    expectVersion: input.expectVersion,
  }));
  const sightings = (batch.sightings ?? []).map(
    (s, i) => quickSighting(s) ?? parseOrThrow(sightingSchema, s, `sightings[${i}]`),
  );
  return { records, sightings, blobs, given: batch };
}

/** Everything a batch names that has to be there, or in the batch itself. */
export function namedIn({ records, sightings, blobs, given }: ParsedBatch): {
  ids: Set<string>;
  blobs: Set<string>;
} {
  const ids = new Set<string>();
  const refs = new Set<string>();
  for (const { record } of records) {
    ids.add(record.id);
    for (const { id } of referencesOf(record)) ids.add(id);
    for (const ref of blobsOf(record)) if (!blobs.has(ref)) refs.add(ref);
  }
  for (const { stateId } of sightings) ids.add(stateId);
  for (const { blob } of given.imageVectors ?? []) if (!blobs.has(blob)) refs.add(blob);
  return { ids, blobs: refs };
}

/** The rest: whether the batch fits the memory. */
export function checkBatch({ records, sightings, blobs, given }: ParsedBatch, known: Known): PreparedBatch {
  return {
    known: checkReferences(records, sightings, blobs, known),
    records,
    sightings,
    blobs,
    frames: prepareFrames(given.frames ?? [], known),
    vectors: prepareVectors(given.vectors ?? [], "text", known, ({ text }) => {
      if (text.length === 0 || text.length > LIMITS.lineChars) {
        throw new LociError(
          "invalid-input",
          `vectors: a line has 1 to ${LIMITS.lineChars} characters, got ${text.length}`,
        );
      }
    }),
    imageVectors: prepareVectors(given.imageVectors ?? [], "image", known, ({ blob }) => {
      if (!blobs.has(blob) && !known.hasBlob(blob)) {
        throw new LociError("unknown-id", `imageVectors: blob ${blob.slice(0, 12)} is not there`);
      }
    }),
  };
}

const RECORD_OVERHEAD_BYTES = 1_024;

/** About how much a batch will take on disk; rather too much than too little. */
export function batchBytes(batch: PreparedBatch): number {
  let bytes = (batch.records.length + batch.sightings.length + batch.frames.length) * RECORD_OVERHEAD_BYTES;
  for (const { record } of batch.records) bytes += 3 * sizeOf(record);
  for (const { vector } of batch.vectors) bytes += vector.byteLength;
  for (const { vector } of batch.imageVectors) bytes += vector.byteLength;
  for (const blob of batch.blobs.values()) bytes += blob.byteLength;
  return bytes;
}

function prepareRecord(input: unknown, index: number): LociRecord {
  const record = quickRecord(input) ?? parseOrThrow(recordSchema, input, `records[${index}]`);
  if (sizeOf(record) > LIMITS.bodyBytes) {
    throw new LociError(
      "limit-exceeded",
      `records[${index}] (${record.id}): at most ${LIMITS.bodyBytes} characters a record`,
    );
  }
  return record;
}

/** Parts with limits of their own that together exceed what a record may hold. */
export function sizeOf(record: LociRecord): number {
  let size = record.text.reduce((sum, line) => sum + line.length, 0);
  if (record.kind === "event") size += JSON.stringify(record.detail).length;
  if (record.kind === "region") size += record.relationships.reduce((sum, line) => sum + line.length, 0);
  return size;
}

function prepareBlobs(list: readonly Uint8Array[]): Map<string, Uint8Array> {
  const blobs = new Map<string, Uint8Array>();
  list.forEach((bytes, i) => {
    if (bytes.byteLength > LIMITS.blobBytes) {
      throw new LociError(
        "limit-exceeded",
        `blobs[${i}]: at most ${LIMITS.blobBytes} bytes, got ${bytes.byteLength}`,
      );
    }
    blobs.set(blobRefOf(bytes), bytes);
  });
  return blobs;
}

/** Returns the ids of the batch that exist already; everything named must exist, or be in the batch. */
function checkReferences(
  records: PreparedBatch["records"],
  sightings: readonly Sighting[],
  blobs: ReadonlyMap<string, Uint8Array>,
  known: Known,
): ReadonlySet<string> {
  const inBatch = new Map<string, string>();
  for (const { record } of records) {
    if (inBatch.has(record.id)) {
      throw new LociError("invalid-input", `records: "${record.id}" comes twice in one batch`);
    }
    inBatch.set(record.id, record.kind);
  }
  const references = records.map(({ record }) => referencesOf(record));
  const asked = new Set(inBatch.keys());
  for (const list of references) for (const { id } of list) asked.add(id);
  for (const { stateId } of sightings) asked.add(stateId);
  const there = known.kindsOf([...asked]);
  records.forEach(({ record }, i) => {
    const before = there.get(record.id);
    if (before !== undefined && before !== record.kind) {
      throw new LociError(
        "invalid-input",
        `records: "${record.id}" is a ${before}, it cannot become a ${record.kind}`,
      );
    }
    for (const { field, id } of references[i]!) {
      if (!inBatch.has(id) && !there.has(id)) {
        throw new LociError("unknown-id", `records: ${record.id}.${field} names "${id}", which is not there`);
      }
    }
    for (const ref of blobsOf(record)) {
      if (!blobs.has(ref) && !known.hasBlob(ref)) {
        throw new LociError(
          "unknown-id",
          `records: ${record.id} names blob ${ref.slice(0, 12)}…, which is not there`,
        );
      }
    }
  });
  for (const { stateId } of sightings) {
    if ((inBatch.get(stateId) ?? there.get(stateId)) !== "state") {
      throw new LociError("unknown-id", `sightings: "${stateId}" is not a known state`);
    }
  }
  return new Set([...inBatch.keys()].filter((id) => there.has(id)));
}

function prepareFrames(inputs: NonNullable<WriteBatch["frames"]>, known: Known): FrameEdge[] {
  if (inputs.length === 0) return [];
  const edges = inputs.map((edge, i) => parseOrThrow(frameEdgeSchema, edge, `frames[${i}]`));
  try {
    known.frameGraph().withEdges(edges);
  } catch (error) {
    if (error instanceof RangeError)
      throw new LociError("invalid-input", `frames: ${error.message}`, { cause: error });
    throw error;
  }
  return edges;
}

function prepareVectors<V extends { readonly vector: Float32Array }>(
  list: readonly V[],
  space: VectorSpace,
  known: Known,
  check: (item: V) => void,
): V[] {
  if (list.length === 0) return [];
  const embedder = known.embedder(space);
  if (embedder === null) {
    throw new LociError(
      "embedder-mismatch",
      `this memory has no ${space} embedder yet; declare it before writing vectors`,
    );
  }
  return list.map((item, i) => {
    check(item);
    return { ...item, vector: unitVector(item.vector, embedder.dim, `${space} vectors[${i}]`) };
  });
}

function limit(what: string, length: number | undefined, most: number): void {
  if (length !== undefined && length > most) {
    throw new LociError(
      "limit-exceeded",
      `${what}: at most ${most} a batch, got ${length}; write several batches`,
    );
  }
}

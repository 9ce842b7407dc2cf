import type { FrameEdge, TimeUs } from "../../geometry/index.ts";
import { FrameGraph } from "../../geometry/index.ts";
import type { LociRecord, Sighting, Stored } from "../../schema/index.ts";
import {
  blobRefOf,
  blobsOf,
  frameEdgeSchema,
  LIMITS,
  LociError,
  lineSchema,
  parseOrThrow,
  recordSchema,
  referencesOf,
  sightingSchema,
  WORLD_FRAME,
} from "../../schema/index.ts";
import type { Commit, VectorSpace, WriteBatch } from "../port.ts";
import { unitVector } from "../vectors.ts";
import type { ArrayState } from "./state.ts";
import { canonical, headOf, kindOf } from "./state.ts";

/** A batch that has been found sound: what `applyWrite` puts down without any further question. */
export interface SoundBatch {
  readonly records: readonly LociRecord[];
  readonly sightings: readonly Sighting[];
  readonly edges: readonly FrameEdge[];
  readonly vectors: readonly { readonly text: string; readonly vector: Float32Array }[];
  readonly imageVectors: readonly { readonly blob: string; readonly vector: Float32Array }[];
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/**
 * Refuses a batch before anything of it is written. Which code wins when several things are wrong is not part
 * of the contract.
 */
export function checkBatch(state: ArrayState, batch: WriteBatch): SoundBatch {
  if ((batch.records?.length ?? 0) > LIMITS.recordsPerBatch) tooMany("records", LIMITS.recordsPerBatch);
  if ((batch.sightings?.length ?? 0) > LIMITS.sightingsPerBatch)
    tooMany("sightings", LIMITS.sightingsPerBatch);
  const records = (batch.records ?? []).map((input) => plain(parseOrThrow(recordSchema, input, "record")));
  const sightings = (batch.sightings ?? []).map((s) => plain(parseOrThrow(sightingSchema, s, "sighting")));
  const edges = (batch.frames ?? []).map((e): FrameEdge => plain(parseOrThrow(frameEdgeSchema, e, "frame")));
  const blobs = checkBlobs(batch.blobs ?? []);
  checkFrames(state, edges);
  checkIds(state, records);
  checkReferences(state, records, sightings, blobs);
  batch.records?.forEach((input, i) => {
    const current = headOf(state, records[i]!.id)?.version ?? 0; // 0: expected not to exist yet
    if (input.expectVersion !== undefined && input.expectVersion !== current) {
      throw new LociError(
        "version-conflict",
        `${input.id}: expected version ${input.expectVersion}, found ${current}`,
      );
    }
  });
  const vectors = (batch.vectors ?? []).map(({ text, vector }) => ({
    text: parseOrThrow(lineSchema, text, "vectors.text"),
    vector: checkVector(state, "text", vector),
  }));
  const imageVectors = (batch.imageVectors ?? []).map(({ blob, vector }) => {
    if (!state.blobs.has(blob) && !blobs.has(blob)) throw new LociError("unknown-id", `unknown blob ${blob}`);
    return { blob, vector: checkVector(state, "image", vector) };
  });
  return { records, sightings, edges, vectors, imageVectors, blobs };
}

/** Puts down a sound batch at one memory time. */
export function applyWrite(state: ArrayState, batch: SoundBatch, commitUs: TimeUs): Commit {
  let written = 0;
  const versions = batch.records.map((record) => {
    const head = headOf(state, record.id);
    if (head !== undefined && canonical(contentOf(head)) === canonical(record)) return head.version;
    if (head !== undefined) {
      state.rows = state.rows.map((row) => (row === head ? { ...row, supersededAtUs: commitUs } : row));
    }
    const version = (head?.version ?? 0) + 1;
    state.rows.push({ ...record, version, recordedAtUs: commitUs, supersededAtUs: null });
    written++;
    return version;
  });
  for (const record of batch.records) {
    for (const line of record.text) if (!state.texts.has(line)) state.texts.set(line, null);
  }
  // One vector a line: an embedder gives a line one vector, so the first one stays.
  for (const { text, vector } of batch.vectors) {
    if (!state.texts.get(text)) state.texts.set(text, vector.slice());
  }
  for (const [ref, bytes] of batch.blobs) state.blobs.set(ref, bytes.slice());
  for (const { blob, vector } of batch.imageVectors) {
    if (!state.imageVectors.has(blob)) state.imageVectors.set(blob, vector.slice());
  }
  for (const sighting of batch.sightings) state.sightings.push({ recordedAtUs: commitUs, sighting });
  for (const edge of batch.edges) state.edges.push({ recordedAtUs: commitUs, edge });
  state.lastCommitUs = commitUs;
  return { commitUs, written, unchanged: batch.records.length - written, versions };
}

/** A stored version without what the memory added to it. */
export function contentOf(row: Stored): LociRecord {
  const { version: _v, recordedAtUs: _r, supersededAtUs: _s, ...record } = row;
  return record as LociRecord;
}

/** A copy as storage would return it: no undefined fields, no −0, nothing shared with the caller. */
function plain<T>(value: T): T {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > LIMITS.bodyBytes) {
    throw new LociError("limit-exceeded", `a record has at most ${LIMITS.bodyBytes} bytes`);
  }
  return JSON.parse(text) as T;
}

function checkIds(state: ArrayState, records: readonly LociRecord[]): void {
  const seen = new Set<string>();
  for (const { id, kind } of records) {
    if (seen.has(id)) throw new LociError("invalid-input", `${id}: twice in one batch`);
    seen.add(id);
    const known = kindOf(state, id);
    if (known !== undefined && known !== kind) {
      throw new LociError("invalid-input", `${id}: is a ${known} and cannot become a ${kind}`);
    }
  }
}

/** Every id named must be known or in the batch. Of a sighting only the state is: the rest is provenance. */
function checkReferences(
  state: ArrayState,
  records: readonly LociRecord[],
  sightings: readonly Sighting[],
  blobs: ReadonlyMap<string, Uint8Array>,
): void {
  const kinds = new Map(records.map((record) => [record.id, record.kind]));
  const find = (id: string) => kinds.get(id) ?? kindOf(state, id);
  for (const record of records) {
    for (const { field, id } of referencesOf(record)) {
      if (find(id) === undefined)
        throw new LociError("unknown-id", `${record.id}.${field}: unknown id ${id}`);
    }
    for (const ref of blobsOf(record)) {
      if (!state.blobs.has(ref) && !blobs.has(ref)) {
        throw new LociError("unknown-id", `${record.id}: unknown blob ${ref}`);
      }
    }
  }
  for (const { stateId } of sightings) {
    if (find(stateId) !== "state") throw new LociError("unknown-id", `sighting: unknown state ${stateId}`);
  }
}

function checkFrames(state: ArrayState, edges: readonly FrameEdge[]): void {
  if (edges.length === 0) return;
  try {
    new FrameGraph([...state.edges.map((row) => row.edge), ...edges], WORLD_FRAME);
  } catch (cause) {
    throw new LociError("invalid-input", `frames: ${(cause as Error).message}`, { cause });
  }
}

function checkBlobs(blobs: readonly Uint8Array[]): Map<string, Uint8Array> {
  const byRef = new Map<string, Uint8Array>();
  for (const bytes of blobs) {
    if (!(bytes instanceof Uint8Array)) throw new LociError("invalid-input", "blobs: bytes expected");
    if (bytes.length > LIMITS.blobBytes) tooMany("blob bytes", LIMITS.blobBytes);
    byRef.set(blobRefOf(bytes), bytes);
  }
  return byRef;
}

function checkVector(state: ArrayState, space: VectorSpace, vector: Float32Array): Float32Array {
  const embedder = state.embedders[space];
  if (embedder === null) {
    throw new LociError("embedder-mismatch", `declare the ${space} embedder before writing its vectors`);
  }
  return unitVector(vector, embedder.dim, `${space} vector`);
}

function tooMany(what: string, most: number): never {
  throw new LociError("limit-exceeded", `${what}: at most ${most}`);
}

import { type FrameEdge, FrameGraph } from "../../geometry/index.ts";
import {
  blobRefOf,
  blobRefSchema,
  blobsOf,
  type EmbedderInfo,
  frameEdgeSchema,
  idSchema,
  isLociError,
  LIMITS,
  LociError,
  type LociRecord,
  lineSchema,
  parseOrThrow,
  type RecordKind,
  recordSchema,
  referencesOf,
  type Sighting,
  sightingSchema,
} from "../../schema/index.ts";
import type { DumpRow, VectorSpace } from "../port.ts";
import { unitVector } from "../vectors.ts";
import { sizeOf } from "./prepare-batch.ts";

/**
 * The latest clock accepted: a memory at the end of time could never be written to again; the year 2112 is early
 * enough.
 */
const LATEST_US = LIMITS.timeUs / 2;

/** A row of a dump in which everything is known to be right, ready to be written. */
export type RestoredRow =
  | Extract<DumpRow, { type: "memory" }>
  | { readonly type: "frame"; readonly recordedAtUs: number; readonly edge: FrameEdge }
  | { readonly type: "blob"; readonly ref: string; readonly bytes: Uint8Array }
  | { readonly type: "text"; readonly text: string; readonly vector: Float32Array | null }
  | { readonly type: "image-vector"; readonly blob: string; readonly vector: Float32Array }
  | {
      readonly type: "record";
      readonly record: LociRecord;
      readonly version: number;
      readonly recordedAtUs: number;
      readonly supersededAtUs: number | null;
    }
  | { readonly type: "sighting"; readonly recordedAtUs: number; readonly sighting: Sighting }
  | { readonly type: "forgotten"; readonly id: string; readonly atUs: number; readonly reason: string }
  | Extract<DumpRow, { type: "heard" }>;

type Of<T extends DumpRow["type"]> = Extract<DumpRow, { type: T }>;
type Timed = "record" | "frame" | "sighting" | "forgotten" | "heard";

interface Version {
  readonly version: number;
  readonly kind: RecordKind;
  readonly recordedAtUs: number;
  readonly endedUs: number | null;
  readonly line: number;
}

/**
 * Checks a dump on its way into an empty memory, row by row and then as a whole: later rows must fulfil the references
 * of earlier ones. Writing is the engine's.
 */
export class RestoreCheck {
  rows = 0;
  readonly #versions = new Map<string, Version[]>();
  readonly #blobs = new Set<string>();
  /** Ids that were named and have not arrived yet, with the line that names them. */
  readonly #awaited = new Map<string, { line: number; by: string }>();
  readonly #edges: { edge: FrameEdge; line: number }[] = [];
  readonly #lastUs = new Map<Timed, number>();
  readonly #embedders = new Map<VectorSpace, EmbedderInfo>();
  #endedUs = 0;

  take(row: DumpRow): RestoredRow {
    const line = row.line ?? this.rows + 1;
    const taken = at(line, () => {
      if (this.rows === 0 && row.type !== "memory")
        throw new LociError("invalid-input", "a dump begins with its memory row; this is none, or cut short");
      return this.#check(row, line);
    });
    this.rows++;
    return taken;
  }

  /** Checks that need all rows. Returns the memory time of the restored memory. */
  finish(): number {
    if (this.rows === 0)
      throw new LociError("invalid-input", "the dump has no memory row; it is empty or not a dump");
    this.#checkFrames();
    this.#checkVersions();
    for (const [id, { line, by }] of this.#awaited) {
      if (this.#versions.has(id)) continue;
      at(line, () => {
        throw new LociError("unknown-id", `${by} names "${id}", which is not in the dump`);
      });
    }
    const last = Math.max(0, ...this.#lastUs.values());
    return last === 0 ? 0 : Math.max(last, this.#endedUs);
  }

  #check(row: DumpRow, line: number): RestoredRow {
    switch (row.type) {
      case "memory":
        return this.#checkHeader(row);
      case "frame": {
        const edge = parseOrThrow(frameEdgeSchema, row.edge, "frame");
        this.#edges.push({ edge, line });
        return { type: "frame", edge, recordedAtUs: this.#time("frame", row.recordedAtUs) };
      }
      case "blob": {
        if (row.bytes.byteLength > LIMITS.blobBytes)
          throw new LociError("limit-exceeded", `a blob has at most ${LIMITS.blobBytes} bytes`);
        const ref = blobRefOf(row.bytes);
        this.#blobs.add(ref);
        return { type: "blob", ref, bytes: row.bytes };
      }
      case "text": {
        const text = parseOrThrow(lineSchema, row.text, "text");
        return { type: "text", text, vector: row.vector && this.#vector(row.vector, "text") };
      }
      case "image-vector": {
        const blob = parseOrThrow(blobRefSchema, row.blob, "image-vector");
        if (!this.#blobs.has(blob))
          throw new LociError("unknown-id", `image-vector: blob ${blob.slice(0, 12)}… is not there`);
        return { type: "image-vector", blob, vector: this.#vector(row.vector, "image") };
      }
      case "record":
        return this.#checkRecord(row, line);
      case "sighting": {
        const sighting = parseOrThrow(sightingSchema, row.sighting, "sighting");
        if (this.#versions.get(sighting.stateId)?.[0]?.kind !== "state")
          throw new LociError("unknown-id", `sighting: "${sighting.stateId}" is not a state of the dump`);
        return { type: "sighting", sighting, recordedAtUs: this.#time("sighting", row.recordedAtUs) };
      }
      case "forgotten": {
        const reason = parseOrThrow(lineSchema, row.reason, "forgotten: reason");
        const id = parseOrThrow(idSchema, row.id, "forgotten: id");
        return { type: "forgotten", id, reason, atUs: this.#time("forgotten", row.atUs) };
      }
      case "heard":
        return { ...checkHeard(row), commitUs: this.#time("heard", row.commitUs) };
    }
  }

  #checkHeader(row: Of<"memory">): RestoredRow {
    const { format, embedder, imageEmbedder, calibrations } = row;
    if (this.rows > 0) throw new LociError("invalid-input", "a dump has one memory row, its first");
    if (format !== 1) throw new LociError("memory-newer", `dump format ${format} is newer than this Loci`);
    for (const info of [embedder, imageEmbedder]) {
      if (info && (!Number.isSafeInteger(info.dim) || info.dim < 1 || info.dim > LIMITS.vectorDim))
        throw new LociError(
          "invalid-input",
          `an embedder's dim is from 1 to ${LIMITS.vectorDim}, got ${info.dim}`,
        );
    }
    if (embedder) this.#embedders.set("text", embedder);
    if (imageEmbedder) this.#embedders.set("image", imageEmbedder);
    for (const { sd } of calibrations)
      if (!(sd > 0))
        throw new LociError("invalid-input", `the spread of a calibration is above 0, got ${sd}`);
    return row;
  }

  #checkRecord({ record: stored }: Of<"record">, line: number): RestoredRow {
    const { version, recordedAtUs, supersededAtUs, ...input } = stored;
    const record = parseOrThrow(recordSchema, input, `record ${String(input.id).slice(0, LIMITS.idChars)}`);
    const { id, kind } = record;
    if (sizeOf(record) > LIMITS.bodyBytes)
      throw new LociError("limit-exceeded", `${id}: at most ${LIMITS.bodyBytes} characters a record`);
    this.#time("record", recordedAtUs);
    if (supersededAtUs !== null && (supersededAtUs <= recordedAtUs || supersededAtUs > LATEST_US))
      throw new LociError("invalid-input", `${id}: a version ends after it was recorded`);
    this.#endedUs = Math.max(this.#endedUs, supersededAtUs ?? 0);
    for (const ref of blobsOf(record)) {
      if (!this.#blobs.has(ref))
        throw new LociError("unknown-id", `${id} names blob ${ref.slice(0, 12)}…, which is not there`);
    }
    const versions = this.#versions.get(id) ?? [];
    if (versions.some((known) => known.version === version))
      throw new LociError("invalid-input", "this version of the record came before");
    versions.push({ version, kind, recordedAtUs, endedUs: supersededAtUs, line });
    this.#versions.set(id, versions);
    for (const { field, id: other } of referencesOf(record))
      if (!this.#versions.has(other) && !this.#awaited.has(other))
        this.#awaited.set(other, { line, by: `${id}.${field}` });
    return { type: "record", record, version, recordedAtUs, supersededAtUs };
  }

  #checkFrames(): void {
    const fits = (count: number): string | undefined => {
      try {
        new FrameGraph(this.#edges.slice(0, count).map(({ edge }) => edge));
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    if (fits(this.#edges.length) === undefined) return;
    // Finds the first edge that makes the graph invalid: later edges cannot repair it.
    let [low, high] = [0, this.#edges.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (fits(middle) === undefined) low = middle;
      else high = middle;
    }
    at(this.#edges[high - 1]!.line, () => {
      throw new LociError("invalid-input", `frame: ${fits(high)}`);
    });
  }

  /** Each record's versions follow each other without a gap in memory time, and the last one is believed. */
  #checkVersions(): void {
    for (const [id, versions] of this.#versions) {
      versions.sort((a, b) => a.version - b.version);
      versions.forEach((version, i) => {
        const before = versions[i - 1];
        const wrong = before && wrongAfter(id, before, version);
        if (wrong)
          at(version.line, () => {
            throw new LociError("invalid-input", wrong);
          });
      });
      const last = versions.at(-1)!;
      if (last.endedUs !== null)
        at(last.line, () => {
          throw new LociError("invalid-input", `${id} has no current version`);
        });
    }
  }

  /** Row numbers grow with memory time, and the clock must be able to go on. */
  #time(what: Timed, timeUs: number): number {
    if (!Number.isSafeInteger(timeUs) || timeUs < 0 || timeUs > LATEST_US)
      throw new LociError("invalid-input", `${what}: memory times are from 0 to ${LATEST_US}, got ${timeUs}`);
    if (timeUs < (this.#lastUs.get(what) ?? 0))
      throw new LociError("invalid-input", `${what}: recorded before the one above it`);
    this.#lastUs.set(what, timeUs);
    return timeUs;
  }

  #vector(vector: Float32Array, space: VectorSpace): Float32Array {
    const embedder = this.#embedders.get(space);
    if (embedder === undefined)
      throw new LociError(
        "embedder-mismatch",
        `the dump has ${space} vectors but names no ${space} embedder`,
      );
    return unitVector(vector, embedder.dim, `${space} vector`);
  }
}

/** The origin of a commit, as a dump records it. */
function checkHeard({ memory, atUs, ...row }: Of<"heard">): Of<"heard"> {
  if (!Number.isSafeInteger(atUs) || atUs < 0 || atUs > LATEST_US)
    throw new LociError("invalid-input", `heard: times are from 0 to ${LATEST_US}, got ${atUs}`);
  return { ...row, atUs, memory: parseOrThrow(idSchema, memory, "heard: memory") };
}

function wrongAfter(id: string, before: Version, next: Version): string | undefined {
  if (before.kind !== next.kind) return `${id} is a ${before.kind}, it cannot become a ${next.kind}`;
  if (before.endedUs === next.recordedAtUs) return undefined;
  return before.endedUs === null
    ? `${id} has two current versions`
    : `${id}: its versions do not follow each other`;
}

/** Says of any failure in which line it is. */
function at<T>(line: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isLociError(error))
      throw new LociError(error.code, `line ${line}: ${error.message}`, { cause: error });
    throw error;
  }
}

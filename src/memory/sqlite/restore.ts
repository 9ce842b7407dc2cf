import { FrameGraph } from "../../geometry/index.ts";
import {
  blobRefOf,
  blobRefSchema,
  blobsOf,
  frameEdgeSchema,
  idSchema,
  isLociError,
  LIMITS,
  LociError,
  lineSchema,
  parseOrThrow,
  RECORD_KINDS,
  recordSchema,
  referencesOf,
  sightingSchema,
} from "../../schema/index.ts";
import type { DumpRow } from "../port.ts";
import { sizeOf } from "../rows/prepare-batch.ts";
import { checkHeard } from "../rows/restore-check.ts";
import { unitVector } from "../vectors.ts";
import { Contents, insertForgotten, insertFrame, insertRecords, insertSightings, kindsOf } from "./commit.ts";
import type { Connection } from "./connection.ts";
import { insertHeard } from "./heard.ts";

const ROWS_PER_STEP = 2_000;
/** A memory whose clock stood at the end of time could never be written to again; the year 2112 is early enough. */
const LATEST_US = LIMITS.timeUs / 2;

/**
 * Takes a dump into an empty memory, versions and memory times as they were. It is checked like any write, row by row
 * and then as a whole, and becomes visible in one step: refused or cut off, it leaves nothing.
 */
export async function restoreRows(
  connection: Connection,
  rows: AsyncIterable<DumpRow>,
): Promise<{ rows: number }> {
  const used = Number(connection.row("SELECT count(*) FROM record")?.[0]) > 0;
  if (used) throw new LociError("memory-exists", "restore needs an empty memory; give a new folder");
  return connection.writingMeanwhile(async () => {
    const restoring = new Restoring(connection);
    let pending: DumpRow[] = [];
    for await (const row of rows) {
      pending.push(row);
      if (pending.length < ROWS_PER_STEP) continue;
      restoring.take(pending);
      pending = [];
    }
    restoring.take(pending);
    restoring.finish();
    return { rows: restoring.rows };
  });
}

type Of<T extends DumpRow["type"]> = Extract<DumpRow, { type: T }>;
type Timed = "record" | "frame" | "sighting" | "forgotten" | "heard";

/** One restore under way: what the rows so far promise, and those to come have to keep. */
class Restoring {
  readonly #connection: Connection;
  #store: Contents;
  rows = 0;
  /** Ids that were named and did not come yet, with the line that names them. */
  readonly #awaited = new Map<string, { line: number; by: string }>();
  /** Lines of records and frames, in the order of their rows. */
  readonly #recordLines: number[] = [];
  readonly #edges: { edge: Of<"frame">["edge"]; line: number }[] = [];
  readonly #lastUs = new Map<Timed, number>();
  #firstRecord: number | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#store = new Contents(connection);
  }

  take(rows: readonly DumpRow[]): void {
    this.#store = new Contents(this.#connection);
    for (const row of rows) {
      const line = row.line ?? this.rows + 1;
      at(line, () => {
        if (this.rows === 0 && row.type !== "memory")
          throw new LociError(
            "invalid-input",
            "a dump begins with its memory row; this is none, or cut short",
          );
        this.#takeRow(row, line);
      });
      this.rows++;
    }
    this.#dropArrived();
    this.#connection.texts.fileIfDue();
  }

  /** What can only be told when everything is there. */
  finish(): void {
    if (this.rows === 0)
      throw new LociError("invalid-input", "the dump has no memory row; it is empty or not a dump");
    this.#checkFrames();
    this.#checkVersions();
    for (const [id, { line, by }] of this.#awaited)
      at(line, () => {
        throw new LociError("unknown-id", `${by} names "${id}", which is not in the dump`);
      });
    const connection = this.#connection;
    const last = Math.max(0, ...this.#lastUs.values());
    const [ended] = connection.row("SELECT coalesce(max(superseded_at), 0) FROM record")!;
    if (last > 0) connection.setMeta("lastCommitUs", Math.max(last, Number(ended)));
    connection.raiseVectorEpoch();
  }

  #takeRow(row: DumpRow, line: number): void {
    switch (row.type) {
      case "memory":
        this.#takeHeader(row);
        return;
      case "frame": {
        const edge = parseOrThrow(frameEdgeSchema, row.edge, "frame");
        this.#edges.push({ edge, line });
        insertFrame(this.#connection, edge, this.#time("frame", row.recordedAtUs));
        return;
      }
      case "blob":
        if (row.bytes.byteLength > LIMITS.blobBytes)
          throw new LociError("limit-exceeded", `a blob has at most ${LIMITS.blobBytes} bytes`);
        this.#store.putBlob(blobRefOf(row.bytes), row.bytes);
        return;
      case "text": {
        const text = parseOrThrow(lineSchema, row.text, "text");
        if (row.vector) this.#store.putTextVectors([{ text, vector: this.#vector(row.vector, "text") }]);
        return;
      }
      case "image-vector": {
        const blob = parseOrThrow(blobRefSchema, row.blob, "image-vector");
        if (!this.#hasBlob(blob))
          throw new LociError("unknown-id", `image-vector: blob ${blob.slice(0, 12)}… is not there`);
        this.#store.putImageVector(blob, this.#vector(row.vector, "image"));
        return;
      }
      case "record":
        this.#takeRecord(row, line);
        return;
      case "sighting": {
        const sighting = parseOrThrow(sightingSchema, row.sighting, "sighting");
        if (this.#kindOf(sighting.stateId) !== "state")
          throw new LociError("unknown-id", `sighting: "${sighting.stateId}" is not a state of the dump`);
        insertSightings(this.#connection, [sighting], this.#time("sighting", row.recordedAtUs));
        return;
      }
      case "heard":
        insertHeard(this.#connection, { ...checkHeard(row), commitUs: this.#time("heard", row.commitUs) });
        return;
      case "forgotten": {
        const reason = parseOrThrow(lineSchema, row.reason, "forgotten: reason");
        const id = parseOrThrow(idSchema, row.id, "forgotten: id");
        const atUs = this.#time("forgotten", row.atUs);
        insertForgotten(this.#connection, { atUs, id, reason, head: null });
      }
    }
  }

  #takeHeader({ format, embedder, imageEmbedder, calibrations }: Of<"memory">): void {
    if (this.rows > 0) throw new LociError("invalid-input", "a dump has one memory row, its first");
    if (format !== 1) throw new LociError("memory-newer", `dump format ${format} is newer than this Loci`);
    for (const info of [embedder, imageEmbedder]) {
      if (info && (!Number.isSafeInteger(info.dim) || info.dim < 1 || info.dim > LIMITS.vectorDim))
        throw new LociError(
          "invalid-input",
          `an embedder's dim is from 1 to ${LIMITS.vectorDim}, got ${info.dim}`,
        );
    }
    if (embedder) this.#connection.setMeta("embedder:text", embedder);
    if (imageEmbedder) this.#connection.setMeta("embedder:image", imageEmbedder);
    for (const { space, ...calibration } of calibrations) {
      if (!(calibration.sd > 0))
        throw new LociError("invalid-input", `the spread of a calibration is above 0, got ${calibration.sd}`);
      this.#connection.setMeta(`calibration:${space}`, calibration);
    }
  }

  #takeRecord({ record: stored }: Of<"record">, line: number): void {
    const { version, recordedAtUs, supersededAtUs, ...input } = stored;
    const record = parseOrThrow(recordSchema, input, `record ${String(input.id).slice(0, LIMITS.idChars)}`);
    if (sizeOf(record) > LIMITS.bodyBytes)
      throw new LociError("limit-exceeded", `${record.id}: at most ${LIMITS.bodyBytes} characters a record`);
    this.#time("record", recordedAtUs);
    if (supersededAtUs !== null && (supersededAtUs <= recordedAtUs || supersededAtUs > LATEST_US))
      throw new LociError("invalid-input", `${record.id}: a version ends after it was recorded`);
    for (const ref of blobsOf(record)) {
      if (!this.#hasBlob(ref))
        throw new LociError("unknown-id", `${record.id} names blob ${ref.slice(0, 12)}…, which is not there`);
    }
    const [row] = insertRecords(this.#connection, this.#store, [
      { record, version, recordedAtUs, supersededAtUs },
    ]);
    this.#firstRecord ??= Number(row![0]);
    this.#recordLines[Number(row![0]) - this.#firstRecord] = line;
    for (const { field, id } of referencesOf(record))
      if (!this.#awaited.has(id)) this.#awaited.set(id, { line, by: `${record.id}.${field}` });
  }

  /** Takes what has come off the list of what is awaited. */
  #dropArrived(): void {
    for (const id of kindsOf(this.#connection, [...this.#awaited.keys()]).keys()) this.#awaited.delete(id);
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
    // The first edge with which the graph is none: whatever comes after cannot mend it.
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
    let before: { id: string; kind: number; ended: number | null; line: number } | undefined;
    const wrong = (line: number, message: string) =>
      at(line, () => {
        throw new LociError("invalid-input", message);
      });
    const isWhole = () => before === undefined || before.ended === null;
    for (const [row, id, kind, recorded, superseded] of this.#connection.each(
      "SELECT row, id, kind, recorded_at, superseded_at FROM record ORDER BY id, version",
    )) {
      const line = this.#recordLines[Number(row) - this.#firstRecord!]!;
      const follows = before?.id === id;
      if (!follows && !isWhole()) wrong(before!.line, `${before!.id} has no current version`);
      if (follows && before!.kind !== Number(kind))
        wrong(
          line,
          `${id} is a ${RECORD_KINDS[before!.kind]}, it cannot become a ${RECORD_KINDS[Number(kind)]}`,
        );
      if (follows && before!.ended !== Number(recorded))
        wrong(
          line,
          before!.ended === null
            ? `${id} has two current versions`
            : `${id}: its versions do not follow each other`,
        );
      before = {
        id: String(id),
        kind: Number(kind),
        ended: superseded === null ? null : Number(superseded),
        line,
      };
    }
    if (!isWhole()) wrong(before!.line, `${before!.id} has no current version`);
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

  #vector(vector: Float32Array, space: "text" | "image"): Float32Array {
    const embedder = this.#connection.embedder(space);
    if (embedder === null)
      throw new LociError(
        "embedder-mismatch",
        `the dump has ${space} vectors but names no ${space} embedder`,
      );
    return unitVector(vector, embedder.dim, `${space} vector`);
  }

  #hasBlob(ref: string): boolean {
    return this.#connection.row("SELECT 1 FROM blob WHERE hash = ?", Buffer.from(ref, "hex")) !== undefined;
  }

  #kindOf(id: string): string | undefined {
    const kind = this.#connection.row("SELECT kind FROM record WHERE id = ? LIMIT 1", id)?.[0];
    return kind === undefined ? undefined : RECORD_KINDS[Number(kind)];
  }
}

/** Says of any failure in which line it is. */
function at(line: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (isLociError(error))
      throw new LociError(error.code, `line ${line}: ${error.message}`, { cause: error });
    // The one rule that SQLite itself holds: an id has a version once.
    if ((error as { errcode?: number }).errcode === 2067)
      throw new LociError("invalid-input", `line ${line}: this version of the record came before`, {
        cause: error,
      });
    throw error;
  }
}

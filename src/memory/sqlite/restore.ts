import {
  blobRefOf,
  frameEdgeSchema,
  LociError,
  parseOrThrow,
  recordSchema,
  sightingSchema,
} from "../../schema/index.ts";
import type { DumpRow } from "../port.ts";
import { unitVector } from "../vectors.ts";
import { Contents, insertFrame, insertRecords, insertSightings } from "./commit.ts";
import type { Connection } from "./connection.ts";

const ROWS_PER_COMMIT = 2_000;
const MARK = "restoring";

/**
 * Takes a dump into an empty memory, versions and memory times as they were. Until the last row is in, the
 * memory carries a mark, so that an import which was cut off is known as such and not taken for a memory.
 */
export async function restoreRows(
  connection: Connection,
  rows: AsyncIterable<DumpRow>,
): Promise<{ rows: number }> {
  const used = Number(connection.row("SELECT count(*) FROM record")?.[0]) > 0;
  if (used) throw new LociError("memory-exists", "restore needs an empty memory; give a new folder");
  let total = 0;
  let pending: DumpRow[] = [];
  const flush = () => {
    connection.writing(() => {
      if (total === 0) connection.setMeta(MARK, true);
      const store = new Contents(connection);
      store.addTexts(pending.flatMap((row) => (row.type === "text" ? [row.text] : [])));
      for (const row of pending) take(connection, store, row);
      connection.texts.fileIfDue();
    });
    total += pending.length;
    pending = [];
  };
  for await (const row of rows) {
    pending.push(row);
    if (pending.length >= ROWS_PER_COMMIT) flush();
  }
  flush();
  if (connection.meta("format") !== 1)
    throw new LociError("invalid-input", "the dump has no memory row; it is cut short or not a dump");
  connection.writing(() => {
    const last = connection.row(
      "SELECT max(m) FROM (SELECT max(recorded_at) m FROM record UNION ALL SELECT max(superseded_at) FROM record UNION ALL SELECT max(recorded_at) FROM sighting UNION ALL SELECT max(recorded_at) FROM frame_edge UNION ALL SELECT max(at) FROM forgotten)",
    )?.[0];
    if (last !== null && last !== undefined) connection.setMeta("lastCommitUs", Number(last));
    connection.raiseVectorEpoch();
    connection.run("DELETE FROM meta WHERE key IN (?, 'format')", MARK);
  });
  return { rows: total };
}

/** Whether an import was cut off before its end. */
export function isHalfRestored(connection: Connection): boolean {
  return connection.meta(MARK) === true;
}

function take(connection: Connection, store: Contents, row: DumpRow): void {
  switch (row.type) {
    case "memory":
      if (row.format !== 1)
        throw new LociError("memory-newer", `dump format ${row.format} is newer than this Loci`);
      connection.setMeta("format", 1);
      if (row.embedder) connection.setMeta("embedder:text", row.embedder);
      if (row.imageEmbedder) connection.setMeta("embedder:image", row.imageEmbedder);
      for (const { space, ...calibration } of row.calibrations)
        connection.setMeta(`calibration:${space}`, calibration);
      return;
    case "frame":
      insertFrame(connection, parseOrThrow(frameEdgeSchema, row.edge, "frame"), row.recordedAtUs);
      return;
    case "blob":
      store.putBlob(blobRefOf(row.bytes), row.bytes);
      return;
    case "text":
      if (row.vector) {
        const vector = unitVector(row.vector, dimOf(connection, "text"), "text");
        store.putTextVectors([{ text: row.text, vector }]);
      }
      return;
    case "image-vector":
      store.putImageVector(row.blob, unitVector(row.vector, dimOf(connection, "image"), "image-vector"));
      return;
    case "record": {
      const { version, recordedAtUs, supersededAtUs, ...input } = row.record;
      const record = parseOrThrow(recordSchema, input, `record ${input.id}`);
      insertRecords(connection, store, [{ record, version, recordedAtUs, supersededAtUs }]);
      return;
    }
    case "sighting":
      insertSightings(connection, [parseOrThrow(sightingSchema, row.sighting, "sighting")], row.recordedAtUs);
      return;
    case "forgotten":
      connection.run("INSERT INTO forgotten (at, id, reason) VALUES (?, ?, ?)", row.atUs, row.id, row.reason);
  }
}

function dimOf(connection: Connection, space: "text" | "image"): number {
  const embedder = connection.embedder(space);
  if (embedder === null)
    throw new LociError("embedder-mismatch", `the dump has ${space} vectors but names no ${space} embedder`);
  return embedder.dim;
}

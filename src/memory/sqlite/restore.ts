import { LociError } from "../../schema/core.ts";
import type { DumpRow } from "../port.ts";
import { RestoreCheck, type RestoredRow } from "../rows/restore-check.ts";
import { Contents, insertForgotten, insertFrame, insertRecords, insertSightings } from "./commit.ts";
import type { Connection } from "./connection.ts";
import { insertHeard } from "./heard.ts";

const ROWS_PER_STEP = 2_000;

/**
 * Takes a dump into an empty memory, versions and memory times as they were. It is checked like any write, row by row
 * and then as a whole, and becomes visible in one step: refused or interrupted, it leaves nothing.
 */
export async function restoreRows(
  connection: Connection,
  rows: AsyncIterable<DumpRow>,
): Promise<{ rows: number }> {
  const used = Number(connection.row("SELECT count(*) FROM record")?.[0]) > 0;
  if (used) throw new LociError("memory-exists", "restore needs an empty memory; give a new folder");
  return connection.writingMeanwhile(async () => {
    const check = new RestoreCheck();
    let store = new Contents(connection);
    for await (const row of rows) {
      insert(connection, store, check.take(row));
      if (check.rows % ROWS_PER_STEP > 0) continue;
      store = new Contents(connection);
      connection.texts.fileIfDue();
    }
    const lastUs = check.finish();
    if (lastUs > 0) connection.setMeta("lastCommitUs", lastUs);
    connection.texts.fileIfDue();
    connection.raiseVectorEpoch();
    return { rows: check.rows };
  });
}

function insert(connection: Connection, store: Contents, row: RestoredRow): void {
  switch (row.type) {
    case "memory":
      if (row.embedder) connection.setMeta("embedder:text", row.embedder);
      if (row.imageEmbedder) connection.setMeta("embedder:image", row.imageEmbedder);
      for (const { space, ...calibration } of row.calibrations)
        connection.setMeta(`calibration:${space}`, calibration);
      return;
    case "frame":
      insertFrame(connection, row.edge, row.recordedAtUs);
      return;
    case "blob":
      store.putBlob(row.ref, row.bytes);
      return;
    case "text":
      if (row.vector) store.putTextVectors([{ text: row.text, vector: row.vector }]);
      return;
    case "image-vector":
      store.putImageVector(row.blob, row.vector);
      return;
    case "record":
      insertRecords(connection, store, [row]);
      return;
    case "sighting":
      insertSightings(connection, [row.sighting], row.recordedAtUs);
      return;
    case "heard":
      insertHeard(connection, row);
      return;
    case "forgotten":
      insertForgotten(connection, { atUs: row.atUs, id: row.id, reason: row.reason, head: null });
  }
}

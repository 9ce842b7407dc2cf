import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { isLociError } from "../../schema/core.ts";
import { dropGraphs } from "../hnsw/index.ts";
import { ColumnIndex } from "../resident/column-index.ts";
import type { Connection } from "../sqlite/connection.ts";
import { filesOf, OWNER_ONLY } from "../sqlite/files.ts";
import { Cursor, type CursorValues } from "./cursor.ts";
import { Follower } from "./follower.ts";

const PREFIX_BYTES = 64;

/**
 * Keeps the index as a file, so that a fresh process reads it instead of building it. The file begins with the cursor;
 * the image's identity names its source: this database, this very last row, these vectors. It appears under its name
 * only when whole and is never trusted: torn, stale or foreign files are built anew.
 */
export function writeSnapshot(connection: Connection, follower: Follower, folder: string): void {
  const path = filesOf(folder).snapshot;
  const partial = `${path}.partial`;
  const cursor = follower.position;
  const databaseId = identityOf(connection, cursor);
  if (databaseId === undefined) return;
  try {
    const file = openSync(partial, "w", OWNER_ONLY);
    try {
      const prefix = new Float64Array(PREFIX_BYTES / 8);
      prefix.set([cursor.record, cursor.forgotten, cursor.frame, cursor.epoch]);
      writeSync(file, new Uint8Array(prefix.buffer));
      follower.index.writeImage({ databaseId, commit: cursor.record }, (piece) => writeAll(file, piece));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } catch (error) {
    // A snapshot is a convenience: no room or no permission is no reason to fail.
    rmSync(partial, { force: true });
    if (isLociError(error) || (error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

/** Forgetting must reach the snapshot too, and the graphs beside it. */
export function dropSnapshot(folder: string): void {
  rmSync(filesOf(folder).snapshot, { force: true });
  dropGraphs(folder);
}

/** The index of a snapshot, if there is one and it is this memory's. */
export function readSnapshot(connection: Connection, folder: string): Follower | undefined {
  let file: number;
  try {
    file = openSync(filesOf(folder).snapshot, "r");
  } catch {
    return undefined;
  }
  try {
    const prefix = new Uint8Array(PREFIX_BYTES);
    if (readSync(file, prefix) !== PREFIX_BYTES) return undefined;
    const [record, forgotten, frame, epoch] = new Float64Array(prefix.buffer);
    const cursor = { record: record!, forgotten: forgotten!, frame: frame!, epoch: epoch! };
    if (cursor.epoch !== connection.vectorEpoch()) return undefined;
    const databaseId = identityOf(connection, cursor);
    if (databaseId === undefined) return undefined;
    const { index } = ColumnIndex.load((into) => readSync(file, into), databaseId);
    const shared = new Cursor();
    shared.set(cursor);
    return Follower.attach(connection, { memory: index.memory, cursor: shared.buffer }, index);
  } catch (error) {
    if (isLociError(error, "memory-corrupt")) return undefined;
    throw error;
  } finally {
    closeSync(file);
  }
}

/** 16 bytes that differ for another database, another history, or a cursor that was tampered with. */
function identityOf(connection: Connection, cursor: CursorValues): Uint8Array | undefined {
  const last = connection.row("SELECT id, version, recorded_at FROM record WHERE row = ?", cursor.record);
  // Forgetting may have removed the last row; then this history cannot be identified.
  if (last === undefined) return undefined;
  const facts = [
    connection.meta("databaseId"),
    cursor,
    last,
    connection.embedder("text"),
    connection.embedder("image"),
  ];
  return createHash("sha256").update(JSON.stringify(facts)).digest().subarray(0, 16);
}

function writeAll(file: number, piece: Uint8Array): void {
  for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done);
}

import { LociError, RECORD_KINDS, type RecordKind, referencesOf } from "../../schema/core.ts";
import type { ForgetReport, ForgetSelection } from "../port.ts";
import { COLUMN, RECORD_COLUMNS, unpackIds } from "./codec.ts";
import type { Connection } from "./connection.ts";

/** Fields without which a record means nothing: it goes with what it names. */
const REQUIRED: Partial<Record<RecordKind, readonly string[]>> = {
  state: ["trackId"],
  detection: ["observationId"],
  view: ["observationId"],
  relation: ["subject", "object"],
};

/**
 * Removes records with all their versions, sightings, and whatever texts, vectors and blobs nothing else uses;
 * records that merely pointed there are rewritten without the pointer. One transaction; SQLite overwrites the
 * freed space (secure_delete). The act itself stays on record: ids, time and reason.
 */
export function forgetRecords(
  connection: Connection,
  selection: ForgetSelection,
  atUs: number,
): ForgetReport {
  const wanted = cascade(connection, selection.ids);
  const kinds = new Map<string, { kind: RecordKind; versions: number; head: number | null }>();
  for (const id of wanted) {
    const rows = connection.rows("SELECT row, kind, superseded_at FROM record WHERE id = ?", id);
    if (rows.length === 0) throw new LociError("unknown-id", `forget: "${id}" is not there`);
    const head = rows.find((row) => row[2] === null);
    kinds.set(id, {
      kind: RECORD_KINDS[Number(rows[0]![1])]!,
      versions: rows.length,
      head: head ? Number(head[0]) : null,
    });
  }
  if (selection.strikeLog) strikeLog(connection, selection.reason);
  forgetPast(connection, selection.past ?? []);
  const rewritten = wanted.size === 0 ? [] : rewriteOthers(connection, wanted);
  for (const column of wanted.size === 0 ? [] : ["observation", "detection"]) {
    connection.run(
      `UPDATE sighting SET ${column} = NULL WHERE ${column} IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...wanted]),
    );
  }
  let sightings = forgetSightings(connection, selection.sightings ?? []);
  for (const [id, { head }] of kinds) {
    const name = connection.names.find(id);
    if (name !== undefined) sightings += changesBy(connection, "DELETE FROM sighting WHERE state = ?", name);
    connection.run("DELETE FROM record_blob WHERE row IN (SELECT row FROM record WHERE id = ?)", id);
    connection.run("DELETE FROM record WHERE id = ?", id);
    connection.run(
      "INSERT INTO forgotten (at, id, reason, head) VALUES (?, ?, ?, ?)",
      atUs,
      id,
      selection.reason,
      head,
    );
  }
  return {
    forgotten: [...kinds].map(([id, { kind, versions }]) => ({ id, kind, versions })),
    rewritten,
    sightings,
    ...dropOrphans(connection),
  };
}

/** The chain of memory times stays without a gap: the version before reaches up to the next one that is left. */
function forgetPast(connection: Connection, past: NonNullable<ForgetSelection["past"]>): void {
  for (const [id, gone] of Map.groupBy(past, (one) => one.id)) {
    const versions = new Set(gone.map(({ version }) => version));
    let before: number | undefined;
    for (const [row, version, superseded] of connection.rows(
      "SELECT row, version, superseded_at FROM record WHERE id = ? ORDER BY version",
      id,
    )) {
      if (superseded === null || !versions.has(Number(version))) {
        before = Number(row);
        continue;
      }
      connection.run("DELETE FROM record_blob WHERE row = ?", Number(row));
      connection.run("DELETE FROM record WHERE row = ?", Number(row));
      if (before !== undefined)
        connection.run("UPDATE record SET superseded_at = ? WHERE row = ?", Number(superseded), before);
    }
  }
}

function forgetSightings(
  connection: Connection,
  sightings: NonNullable<ForgetSelection["sightings"]>,
): number {
  let count = 0;
  for (const { stateId, timeUs } of sightings) {
    const state = connection.names.find(stateId);
    if (state === undefined) continue;
    count += changesBy(connection, "DELETE FROM sighting WHERE state = ? AND time = ?", state, timeUs);
  }
  return count;
}

/**
 * Drops the ids that went for a reason before and keeps their number. Indexes that have not followed them yet cannot
 * do so any more: they are told to be built anew.
 */
function strikeLog(connection: Connection, reason: string): void {
  const struck = changesBy(connection, "DELETE FROM forgotten WHERE reason = ?", reason);
  if (struck === 0) return;
  const key = `struck:${reason}`;
  connection.setMeta(key, Number(connection.meta(key) ?? 0) + struck);
  connection.raiseVectorEpoch();
}

/** The ids asked for and those that cannot stand without them. */
function cascade(connection: Connection, ids: readonly string[]): Set<string> {
  const all = new Set(ids);
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    for (const [kind, fields] of Object.entries(REQUIRED)) {
      const number = RECORD_KINDS.indexOf(kind as RecordKind);
      for (const field of fields) {
        const found = connection.rows(
          "SELECT DISTINCT id FROM record WHERE kind = ? AND body ->> ? IN (SELECT value FROM json_each(?))",
          number,
          `$.${field}`,
          JSON.stringify([...all]),
        );
        for (const [id] of found) all.add(String(id));
      }
    }
  }
  return all;
}

function rewriteOthers(connection: Connection, gone: ReadonlySet<string>): ForgetReport["rewritten"] {
  const rewritten = new Map<string, { id: string; kind: RecordKind; fields: string[] }>();
  const referring = RECORD_KINDS.map((kind, i) =>
    kind === "observation" || kind === "agent" ? -1 : i,
  ).filter((i) => i >= 0);
  for (const row of connection.each(
    `SELECT ${RECORD_COLUMNS} FROM record WHERE kind IN (${referring.join(", ")})`,
  )) {
    if (gone.has(String(row[COLUMN.id]))) continue;
    const record = connection.decode(row);
    const fields = new Set(
      referencesOf(record)
        .filter(({ id }) => gone.has(id))
        .map(({ field }) => field),
    );
    if (fields.size === 0) continue;
    const body = JSON.parse(String(row[COLUMN.body])) as Record<string, unknown>;
    for (const field of fields) body[field] = without(body[field], gone);
    const owner = ownerWithout(row[COLUMN.owner], gone);
    connection.run(
      "UPDATE record SET body = ?, owner = ? WHERE row = ?",
      JSON.stringify(body),
      owner,
      row[COLUMN.row]!,
    );
    const known = rewritten.get(record.id);
    rewritten.set(record.id, {
      id: record.id,
      kind: record.kind,
      fields: [...new Set([...(known?.fields ?? []), ...fields])].sort(),
    });
  }
  return [...rewritten.values()];
}

function without(value: unknown, gone: ReadonlySet<string>): unknown {
  const names = (item: unknown): boolean => {
    if (typeof item === "string") return gone.has(item);
    const entry = item as { id?: string; stateId?: string; to?: string };
    return [entry.id, entry.stateId, entry.to].some((id) => id !== undefined && gone.has(id));
  };
  return Array.isArray(value) ? value.filter((item) => !names(item)) : undefined;
}

function ownerWithout(owner: unknown, gone: ReadonlySet<string>): string | null {
  return typeof owner === "string" && !gone.has(owner) ? owner : null;
}

/** Texts, vectors and blobs that no version of any record uses. */
export function dropOrphans(connection: Connection): { texts: number; vectors: number; blobs: number } {
  const used = new Set<number>();
  for (const [lines, image] of connection.each("SELECT lines, image FROM record")) {
    for (const id of unpackIds(lines)) used.add(id);
    if (image !== null) used.add(Number(image));
  }
  const blobs = changesBy(connection, "DELETE FROM blob WHERE id NOT IN (SELECT blob FROM record_blob)");
  for (const image of imageMeanings(connection, "SELECT hash FROM blob")) used.add(image);
  let texts = 0;
  let vectors = 0;
  for (const [id, isText] of connection.rows("SELECT id, text IS NOT NULL FROM meaning")) {
    if (used.has(Number(id))) continue;
    vectors += changesBy(connection, "DELETE FROM vector WHERE meaning = ?", Number(id));
    if (isText) connection.texts.remove(Number(id));
    changesBy(connection, "DELETE FROM meaning WHERE id = ?", Number(id));
    texts += Number(isText);
  }
  return { texts, vectors, blobs };
}

/** The meanings of the images among these blobs, where they have one. */
export function imageMeanings(connection: Connection, hashes: string): number[] {
  return connection
    .rows(hashes)
    .map(([hash]) => connection.meaningOfImage(Buffer.from(hash as Uint8Array).toString("hex")))
    .filter((meaning) => meaning !== undefined);
}

function changesBy(connection: Connection, sql: string, ...values: (number | string)[]): number {
  return Number(connection.sql(sql).run(...values).changes);
}

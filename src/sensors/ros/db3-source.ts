import { stat } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { LIMITS, LociError, parseOrThrow, throwIfAborted } from "../../schema/index.ts";
import { recordingInfoSchema } from "../recording.ts";
import { type MessageSource, type RosMessage, topicOf } from "./message-source.ts";

/** An extra table beside rosbag2's, with our writer's recording info. */
export const OWN_TABLE = "loci_recording";
const TOPICS = 65_536;

/** A ROS 2 bag in rosbag2's sqlite3 storage; rows are read one at a time. */
export async function openDb3(path: string): Promise<MessageSource> {
  if ((await stat(path)).size === 0) throw new LociError("invalid-input", `${path} is empty`);
  let db: DatabaseSync | undefined;
  try {
    db = await openDatabase(path);
    return sourceOf(path, db);
  } catch (error) {
    db?.close();
    if (error instanceof LociError) throw error;
    throw new LociError("invalid-input", `expected a ROS 2 bag in SQLite, could not read ${path}`, {
      cause: error,
    });
  }
}

/** Read-only; an unfinished bag has a write-ahead log, which we may not be allowed to touch. */
async function openDatabase(path: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await import("node:sqlite");
  const attempt = (where: string | URL) => {
    const db = new DatabaseSync(where, { readOnly: true });
    try {
      db.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
      db.prepare("SELECT count(*) FROM sqlite_master").get();
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  };
  try {
    return attempt(path);
  } catch {
    return attempt(new URL(`${pathToFileURL(path)}?mode=ro&immutable=1`));
  }
}

function sourceOf(path: string, db: DatabaseSync): MessageSource {
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const has = (name: string) => tables.some((table) => table["name"] === name);
  // Views are not accepted as tables: a view can compute forever.
  if (!has("topics") || !has("messages")) {
    throw new LociError("invalid-input", `expected a rosbag2 database with topics and messages in ${path}`);
  }
  const rows = db
    .prepare(
      `SELECT t.id AS id, t.name AS name, t.type AS type, t.serialization_format AS encoding,
           (SELECT count(*) FROM messages m WHERE m.topic_id = t.id) AS count FROM topics t LIMIT ${TOPICS}`,
    )
    .all();
  const span = db.prepare("SELECT min(timestamp) AS first, max(timestamp) AS last FROM messages");
  span.setReadBigInts(true);
  const { first, last } = span.get() ?? {};
  const own = has(OWN_TABLE) ? db.prepare(`SELECT json FROM ${OWN_TABLE}`).get()?.["json"] : undefined;
  const topicNames = new Map(rows.map((row) => [Number(row["id"]), String(row["name"])]));
  async function* messages({
    topics,
    signal,
  }: {
    topics?: ReadonlySet<string> | undefined;
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<RosMessage> {
    const ids = [...topicNames].filter(([, name]) => !topics || topics.has(name)).map(([id]) => id);
    try {
      const select = db.prepare(
        `SELECT id, topic_id, timestamp, data FROM messages
           WHERE topic_id IN (${ids.join(",")}) AND length(data) <= ${LIMITS.blobBytes} ORDER BY timestamp, id`,
      );
      select.setReadBigInts(true);
      for (const row of select.iterate()) {
        throwIfAborted(signal);
        const { id, topic_id, timestamp, data } = row;
        if (!(data instanceof Uint8Array) || typeof timestamp !== "bigint") continue;
        const topic = topicNames.get(Number(topic_id));
        if (topic === undefined) continue;
        yield { topic, logTimeUs: Number(timestamp / 1000n), sequence: Number(id), data };
      }
    } catch (error) {
      if (error instanceof LociError) throw error;
      throw new LociError("invalid-input", `${path} is damaged: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  return {
    format: "db3",
    topics: rows.map((row) =>
      topicOf(String(row["name"]), String(row["type"]), String(row["encoding"]), Number(row["count"])),
    ),
    startUs: typeof first === "bigint" ? Number(first / 1000n) : null,
    endUs: typeof last === "bigint" ? Number(last / 1000n) : null,
    ownInfo:
      typeof own === "string"
        ? parseOrThrow(recordingInfoSchema, JSON.parse(own), "the recording's info")
        : undefined,
    notes: [],
    messages,
    close: async () => db.close(),
  };
}

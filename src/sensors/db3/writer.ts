import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Frame } from "../frame.ts";
import type { ColourCodec } from "../images.ts";
import { loadMcap } from "../mcap/packages.ts";
import { InfoCounter, type RecordingWriter, type TimedEdge } from "../recording.ts";
import { OWN_TABLE } from "../ros/db3-source.ts";
import { edgeMessage, frameMessages, type OutgoingMessage, timesOf } from "../ros/frame-messages.ts";
import { definitionsOf, type RosType, schemaText } from "../ros/ros-types.ts";
import { metadataFile, metadataYaml } from "./metadata.ts";

/** The tables of rosbag2's sqlite3 storage, schema 4 (Iron and later; Humble reads it too), and one of our own. */
const TABLES = `
CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);
CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL, metadata TEXT NOT NULL);
CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,
  serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL, type_description_hash TEXT NOT NULL);
CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT NOT NULL, encoding TEXT NOT NULL,
  encoded_message_definition TEXT NOT NULL, type_description_hash TEXT NOT NULL);
CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL,
  data BLOB NOT NULL);
CREATE INDEX timestamp_idx ON messages (timestamp ASC);
CREATE TABLE ${OWN_TABLE}(json TEXT NOT NULL);
INSERT INTO schema VALUES (4, '');
`;

/**
 * Writes the same messages as the MCAP writer into a ROS 2 bag with sqlite3 storage, with the metadata.yaml that
 * `ros2 bag` needs. One transaction in a staged file, so that an incomplete bag is never visible.
 */
export class Db3RecordingWriter implements RecordingWriter {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #cdr: Awaited<ReturnType<typeof loadMcap>>["cdr"];
  readonly #colour: ColourCodec;
  readonly #counter: InfoCounter;
  readonly #encoders = new Map<RosType, (message: unknown) => Uint8Array>();
  readonly #topics = new Map<string, { id: number; type: RosType; count: number }>();
  #firstNs: bigint | undefined;
  #lastNs = 0n;

  private constructor(
    path: string,
    db: DatabaseSync,
    cdr: Awaited<ReturnType<typeof loadMcap>>["cdr"],
    colour: ColourCodec,
    source: string,
  ) {
    this.#path = path;
    this.#db = db;
    this.#cdr = cdr;
    this.#colour = colour;
    this.#counter = new InfoCounter(source);
    db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${TABLES} BEGIN`);
    this.#insert = db.prepare("INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)");
  }

  static async create(
    path: string,
    options: { colour?: ColourCodec | undefined; source?: string | undefined } = {},
  ): Promise<Db3RecordingWriter> {
    const { DatabaseSync } = await import("node:sqlite");
    const { cdr } = await loadMcap();
    const db = new DatabaseSync(path);
    return new Db3RecordingWriter(path, db, cdr, options.colour ?? "png", options.source ?? "");
  }

  async writeFrame(frame: Frame): Promise<void> {
    const { logTime } = timesOf(frame.timeUs, frame.receivedAtUs ?? frame.timeUs);
    for (const message of await frameMessages(frame, this.#colour)) this.#put(message, logTime);
    this.#counter.frame(frame);
  }

  async writeEdge(edge: TimedEdge): Promise<void> {
    this.#put(edgeMessage(edge), timesOf(edge.receivedAtUs, edge.receivedAtUs).logTime);
    this.#counter.edge();
  }

  async finish(): Promise<void> {
    const yaml = metadataYaml({
      file: this.#path.split("/").at(-1)!,
      startNs: this.#firstNs ?? 0n,
      durationNs: this.#lastNs - (this.#firstNs ?? 0n),
      topics: [...this.#topics].map(([name, { type, count }]) => ({ name, type, count })),
    });
    this.#db.prepare("INSERT INTO metadata(metadata_version, metadata) VALUES (5, ?)").run(yaml);
    this.#db.prepare(`INSERT INTO ${OWN_TABLE} VALUES (?)`).run(JSON.stringify(this.#counter.info()));
    this.#db.exec("COMMIT");
    this.#db.close();
    await writeFile(join(dirname(this.#path), "metadata.yaml"), metadataFile(yaml));
  }

  async abort(): Promise<void> {
    this.#db.close();
  }

  #put({ topic, type, message }: OutgoingMessage, logTime: bigint): void {
    let entry = this.#topics.get(topic);
    let encode = this.#encoders.get(type);
    if (!encode) {
      const writer = new this.#cdr.MessageWriter(definitionsOf(type));
      encode = (value) => writer.writeMessage(value);
      this.#encoders.set(type, encode);
      this.#db
        .prepare(
          `INSERT INTO message_definitions(topic_type, encoding, encoded_message_definition, type_description_hash)
           VALUES (?, 'ros2msg', ?, '')`,
        )
        .run(type, schemaText(type));
    }
    if (!entry) {
      const { lastInsertRowid } = this.#db
        .prepare(
          `INSERT INTO topics(name, type, serialization_format, offered_qos_profiles, type_description_hash)
           VALUES (?, ?, 'cdr', '', '')`,
        )
        .run(topic, type);
      entry = { id: Number(lastInsertRowid), type, count: 0 };
      this.#topics.set(topic, entry);
    }
    this.#insert.run(entry.id, logTime, encode(message));
    entry.count++;
    if (this.#firstNs === undefined || logTime < this.#firstNs) this.#firstNs = logTime;
    if (logTime > this.#lastNs) this.#lastNs = logTime;
  }
}

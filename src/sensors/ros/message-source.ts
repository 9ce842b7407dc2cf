import { LociError } from "../../schema/index.ts";
import type { RecordingInfo } from "../recording.ts";
import { definitionsOf, knownType, type RosType } from "./ros-types.ts";
import { ros1Reader } from "./ros1-codec.ts";

/** A topic of a bag, of any type. */
export interface RosTopic {
  readonly name: string;
  /** As the file names it. */
  readonly type: string;
  /** Undefined for types that we do not read. */
  readonly known: RosType | undefined;
  readonly encoding: "cdr" | "ros1" | "other";
  /** Null if only reading everything would tell. */
  readonly count: number | null;
}

/** One message, undecoded; the source may reuse `data` after the next message. */
export interface RosMessage {
  readonly topic: string;
  readonly logTimeUs: number;
  readonly sequence: number;
  readonly data: Uint8Array;
}

/** Messages in order of log time, or nearly; one chunk in memory at a time. */
export interface MessageSource {
  readonly format: "mcap" | "db3" | "bag" | "rosbridge";
  readonly topics: readonly RosTopic[];
  readonly startUs: number | null;
  readonly endUs: number | null;
  /** Our writer's recording info; undefined in files of other tools. */
  readonly ownInfo: RecordingInfo | undefined;
  /** Problems of the whole file, for people: truncated, no index. */
  readonly notes: readonly string[];
  messages(options: {
    topics?: ReadonlySet<string> | undefined;
    signal?: AbortSignal | undefined;
  }): AsyncIterable<RosMessage>;
  close(): Promise<void>;
}

export type Decode = <T>(topic: RosTopic, data: Uint8Array) => T;

/** Decodes messages by our own definitions; throws invalid-input on invalid bytes. */
export async function loadDecoder(): Promise<Decode> {
  const ros2 = await import("@foxglove/rosmsg2-serialization");
  const readers = new Map<string, (data: Uint8Array) => unknown>();
  return <T>(topic: RosTopic, data: Uint8Array): T => {
    const { known, encoding, name } = topic;
    if (!known || encoding === "other")
      throw new LociError("not-supported", `cannot decode ${topic.type} of ${name}`);
    const key = `${encoding} ${known}`;
    let read = readers.get(key);
    if (!read) {
      if (encoding === "cdr") {
        const reader = new ros2.MessageReader(definitionsOf(known));
        read = (bytes) => reader.readMessage(bytes);
      } else {
        read = ros1Reader(known);
      }
      readers.set(key, read);
    }
    try {
      return read(data) as T;
    } catch (cause) {
      throw new LociError("invalid-input", `a damaged message on ${name}`, { cause });
    }
  };
}

/** The topic entry for a name and type found in a file. */
export function topicOf(name: string, type: string, encoding: string, count: number | null): RosTopic {
  return {
    name,
    type,
    known: knownType(type),
    encoding: encoding === "cdr" ? "cdr" : encoding === "ros1" ? "ros1" : "other",
    count,
  };
}

/** One recording split over several files, concatenated. */
export function chained(sources: readonly MessageSource[]): MessageSource {
  const [first] = sources;
  if (sources.length === 1 && first) return first;
  const topics = new Map<string, RosTopic>();
  for (const topic of sources.flatMap((source) => source.topics)) {
    const before = topics.get(topic.name);
    const count =
      before && (before.count === null || topic.count === null ? null : before.count + topic.count);
    topics.set(topic.name, before ? { ...before, count: count ?? null } : topic);
  }
  const starts = sources.flatMap(({ startUs }) => startUs ?? []);
  const ends = sources.flatMap(({ endUs }) => endUs ?? []);
  return {
    format: first!.format,
    topics: [...topics.values()],
    startUs: starts.length ? Math.min(...starts) : null,
    endUs: ends.length ? Math.max(...ends) : null,
    ownInfo: undefined,
    notes: [...new Set(sources.flatMap(({ notes }) => notes))],
    async *messages(options) {
      for (const source of sources) yield* source.messages(options);
    },
    close: async () => {
      for (const source of sources) await source.close();
    },
  };
}

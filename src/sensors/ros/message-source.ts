import { LociError } from "../../schema/index.ts";
import type { RecordingInfo } from "../recording.ts";
import { foxgloveType, translated } from "./foxglove-messages.ts";
import { protobufSchema, readProtobuf } from "./protobuf.ts";
import { isLiveType } from "./ros-json.ts";
import { definitionsOf, knownType, type RosType } from "./ros-types.ts";
import { ros1Reader } from "./ros1-codec.ts";

/** A topic of a bag, of any type. */
export interface RosTopic {
  readonly name: string;
  /** As the file names it. */
  readonly type: string;
  /** Undefined for types that we do not read. */
  readonly known: RosType | undefined;
  readonly encoding: Encoding;
  /** Null if only reading everything would tell. */
  readonly count: number | null;
  /** What the source says about the bytes; absent for sources that say no more than the type. */
  readonly wire?: Wire | undefined;
}

const ENCODINGS = ["cdr", "ros1", "protobuf", "json"] as const;
type Encoding = (typeof ENCODINGS)[number] | "other";

/** The encoding of a channel's messages and its schema, in the words of MCAP and of Foxglove's protocol. */
export interface Wire {
  readonly encoding: string;
  readonly schemaEncoding: string;
  readonly schema: Uint8Array;
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
  readonly format: "mcap" | "db3" | "bag" | "rosbridge" | "foxglove";
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

/** JSON longer than this is refused, in bytes: a raw picture of some megapixels in base64 fits. */
const JSON_BYTES = 64 << 20;

/**
 * Decodes messages by our own definitions, and Protocol Buffers by their schema; throws invalid-input on invalid
 * bytes.
 */
export async function loadDecoder(): Promise<Decode> {
  const ros2 = await import("@foxglove/rosmsg2-serialization");
  const readers = new Map<string | RosTopic, (data: Uint8Array) => unknown>();
  return <T>(topic: RosTopic, data: Uint8Array): T => {
    const { known, encoding, name, type } = topic;
    if (!known || encoding === "other")
      throw new LociError("not-supported", `cannot decode ${topic.type} of ${name}`);
    // A schema may change when a robot starts again, so that its readers are those of one topic.
    const key = encoding === "protobuf" ? topic : `${encoding} ${type} ${known}`;
    let read = readers.get(key);
    try {
      if (!read) {
        read = readerFor(topic, known, ros2);
        readers.set(key, read);
      }
      return read(data) as T;
    } catch (cause) {
      throw new LociError("invalid-input", `a damaged message on ${name}`, { cause });
    }
  };
}

type Ros2 = typeof import("@foxglove/rosmsg2-serialization");

function readerFor(
  { encoding, type, wire }: RosTopic,
  known: RosType,
  ros2: Ros2,
): (data: Uint8Array) => unknown {
  switch (encoding) {
    case "cdr": {
      const reader = new ros2.MessageReader(definitionsOf(known));
      return (bytes) => reader.readMessage(bytes);
    }
    case "protobuf": {
      const schema = protobufSchema(wire?.schema ?? new Uint8Array(0));
      return (bytes) => translated(type, known, readProtobuf(schema, type, bytes));
    }
    case "json":
      return (bytes) => {
        if (bytes.length > JSON_BYTES) throw new LociError("limit-exceeded", "a JSON message is too long");
        return translated(type, known, JSON.parse(new TextDecoder().decode(bytes)));
      };
    default:
      return ros1Reader(known);
  }
}

/** The topic entry for a name and type found in a file or on a robot. */
export function topicOf(
  name: string,
  type: string,
  encoding: string,
  count: number | null,
  wire?: Wire,
): RosTopic {
  return {
    name,
    type,
    known:
      encoding === "protobuf" || encoding === "json"
        ? (foxgloveType(type) ?? jsonType(type, encoding))
        : knownType(type),
    encoding: ENCODINGS.find((known) => known === encoding) ?? "other",
    count,
    ...(wire && { wire }),
  };
}

/** ROS messages as JSON keep their fields; as Protocol Buffers there are none. */
function jsonType(type: string, encoding: string): RosType | undefined {
  const known = encoding === "json" ? knownType(type) : undefined;
  return isLiveType(known) ? known : undefined;
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

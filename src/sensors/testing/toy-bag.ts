import type { RosType } from "../ros/ros-types.ts";
import { writeRos1 } from "../ros/ros1-codec.ts";

/** One message of a toy bag, with ROS 1's fields. */
export interface ToyMessage {
  readonly topic: string;
  readonly type: RosType;
  readonly timeUs: number;
  readonly message: unknown;
}

/** Writes a ROS 1 bag of one uncompressed chunk with its index: for tests and fuzzing, not for robots. */
export function writeToyBag(messages: readonly ToyMessage[]): Uint8Array {
  const ids = new Map([...new Set(messages.map(({ topic }) => topic))].map((topic, id) => [topic, id]));
  const typeOf = new Map(messages.map(({ topic, type }) => [topic, type]));
  const connection = (topic: string) => {
    const type = typeOf.get(topic)!.replace("/msg/", "/");
    const body = fields({
      topic: text(topic),
      type: text(type),
      md5sum: text("*"),
      message_definition: text(""),
    });
    return record({ op: byte(7), conn: uint32(ids.get(topic)!), topic: text(topic) }, body);
  };
  const connections = Buffer.concat([...ids.keys()].map(connection));
  const bodies = messages.map(({ topic, type, timeUs, message }) => {
    return record(
      { op: byte(2), conn: uint32(ids.get(topic)!), time: time(timeUs) },
      writeRos1(type, message),
    );
  });
  const inner = Buffer.concat([connections, ...bodies]);
  const chunk = record({ op: byte(5), compression: text("none"), size: uint32(inner.length) }, inner);
  const magic = text("#ROSBAG V2.0\n");
  const headerOf = (indexAt: bigint) =>
    record(
      { op: byte(3), index_pos: uint64(indexAt), conn_count: uint32(ids.size), chunk_count: uint32(1) },
      text(" "),
    );
  const indexAt = magic.length + headerOf(0n).length + chunk.length;
  const counts = Buffer.concat(
    [...ids].map(([topic, id]) =>
      Buffer.concat([uint32(id), uint32(messages.filter((m) => m.topic === topic).length)]),
    ),
  );
  const times = messages.map(({ timeUs }) => timeUs);
  const info = record(
    {
      op: byte(6),
      ver: uint32(1),
      chunk_pos: uint64(0n),
      start_time: time(Math.min(...times)),
      end_time: time(Math.max(...times)),
      count: uint32(ids.size),
    },
    counts,
  );
  return Buffer.concat([magic, headerOf(BigInt(indexAt)), chunk, connections, info]);
}

function record(header: Record<string, Uint8Array>, body: Uint8Array): Uint8Array {
  const packed = fields(header);
  return Buffer.concat([uint32(packed.length), packed, uint32(body.length), body]);
}

function fields(all: Record<string, Uint8Array>): Uint8Array {
  return Buffer.concat(
    Object.entries(all).map(([name, value]) => {
      const field = Buffer.concat([text(`${name}=`), value]);
      return Buffer.concat([uint32(field.length), field]);
    }),
  );
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function byte(value: number): Uint8Array {
  return Uint8Array.of(value);
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

function time(timeUs: number): Uint8Array {
  return Buffer.concat([uint32(Math.floor(timeUs / 1e6)), uint32((timeUs % 1e6) * 1000)]);
}

import { LociError } from "../../schema/index.ts";

export const BAG_MAGIC = "#ROSBAG V2.0\n";

/** The record types of a bag (wiki.ros.org/Bags/Format/2.0). */
export const OP = { message: 2, header: 3, index: 4, chunk: 5, chunkInfo: 6, connection: 7 } as const;

/** The name=value fields of a record. */
export type Fields = ReadonlyMap<string, Uint8Array>;

/** Splits the fields of a header; throws invalid-input on lengths that exceed it. */
export function fieldsOf(bytes: Uint8Array): Fields {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = new Map<string, Uint8Array>();
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) throw damaged("a field without a length");
    const length = view.getUint32(at, true);
    const field = bytes.subarray(at + 4, at + 4 + length);
    const equals = field.indexOf(61);
    if (field.length !== length || equals < 1) throw damaged("a field that is none");
    fields.set(textOf(field.subarray(0, equals)), field.subarray(equals + 1));
    at += 4 + length;
  }
  return fields;
}

export function textOf(bytes: Uint8Array | undefined): string {
  return bytes ? new TextDecoder().decode(bytes) : "";
}

export function uint32Of(fields: Fields, name: string): number {
  const bytes = fields.get(name);
  if (bytes?.length !== 4) throw damaged(`expected four bytes of ${name}`);
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
}

export function uint64Of(fields: Fields, name: string): number {
  const bytes = fields.get(name);
  if (bytes?.length !== 8) throw damaged(`expected eight bytes of ${name}`);
  return Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true));
}

/** Seconds and nanoseconds, four bytes each. */
export function timeUsOf(fields: Fields, name: string): number {
  const bytes = fields.get(name);
  if (bytes?.length !== 8) throw damaged(`expected eight bytes of ${name}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  return view.getUint32(0, true) * 1e6 + Math.floor(view.getUint32(4, true) / 1000);
}

export function opOf(fields: Fields): number {
  return fields.get("op")?.[0] ?? -1;
}

export function damaged(why: string): LociError {
  return new LociError("invalid-input", `expected a whole ROS 1 bag: ${why}`);
}

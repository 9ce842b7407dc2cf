import { LociError } from "../../schema/index.ts";
import { definitionsOf, type RosType } from "./ros-types.ts";

type Definitions = ReturnType<typeof definitionsOf>;
type Field = Definitions[number]["definitions"][number];

/** Sizes of the primitive types in our messages; ROS 1 writes them little-endian, unaligned. */
const SIZES: Readonly<Record<string, number>> = {
  bool: 1,
  int8: 1,
  uint8: 1,
  uint16: 2,
  uint32: 4,
  float32: 4,
  float64: 8,
  time: 8,
};

const TEXT = new TextDecoder();

/** Reads messages of one type in ROS 1 serialisation. Throws invalid-input if the bytes end too early. */
export function ros1Reader(type: RosType): (data: Uint8Array) => unknown {
  const definitions = definitionsOf(type, "ros1");
  return (data) => {
    const cursor = { view: new DataView(data.buffer, data.byteOffset, data.byteLength), data, at: 0 };
    return readFields(definitions[0]!.definitions, definitions, cursor);
  };
}

interface Cursor {
  readonly view: DataView;
  readonly data: Uint8Array;
  at: number;
}

function readFields(
  fields: readonly Field[],
  definitions: Definitions,
  cursor: Cursor,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of fields) {
    const count = field.isArray ? (field.arrayLength ?? take(cursor, 4).getUint32(0, true)) : undefined;
    if (count === undefined) out[field.name] = readOne(field, definitions, cursor);
    else if (field.type === "uint8") out[field.name] = bytesOf(cursor, count);
    else {
      // Each element takes at least a byte: a larger count than bytes left is damage, and no memory is reserved for
      // it.
      if (count > cursor.data.length - cursor.at) throw tooShort();
      out[field.name] = Array.from({ length: count }, () => readOne(field, definitions, cursor));
    }
  }
  return out;
}

function readOne({ type, isComplex }: Field, definitions: Definitions, cursor: Cursor): unknown {
  if (isComplex) {
    const inner = definitions.find(({ name }) => name === type)!;
    return readFields(inner.definitions, definitions, cursor);
  }
  if (type === "string") return TEXT.decode(bytesOf(cursor, take(cursor, 4).getUint32(0, true)));
  const view = take(cursor, SIZES[type]!);
  switch (type) {
    case "bool":
      return view.getUint8(0) !== 0;
    case "int8":
      return view.getInt8(0);
    case "uint8":
      return view.getUint8(0);
    case "uint16":
      return view.getUint16(0, true);
    case "uint32":
      return view.getUint32(0, true);
    case "float32":
      return view.getFloat32(0, true);
    case "float64":
      return view.getFloat64(0, true);
    default:
      return { sec: view.getUint32(0, true), nsec: view.getUint32(4, true) };
  }
}

function take(cursor: Cursor, length: number): DataView {
  const { data, at } = cursor;
  if (at + length > data.length) throw tooShort();
  cursor.at += length;
  return new DataView(data.buffer, data.byteOffset + at, length);
}

function bytesOf(cursor: Cursor, length: number): Uint8Array {
  const { data, at } = cursor;
  if (at + length > data.length) throw tooShort();
  cursor.at += length;
  return data.subarray(at, at + length);
}

function tooShort(): LociError {
  return new LociError("invalid-input", "a message ends too early");
}

/** Writes a message of one type in ROS 1 serialisation, for the toy bags of tests. */
export function writeRos1(type: RosType, message: unknown): Uint8Array {
  const definitions = definitionsOf(type, "ros1");
  const parts: Uint8Array[] = [];
  writeFields(definitions[0]!.definitions, definitions, message as Record<string, unknown>, parts);
  return Buffer.concat(parts);
}

function writeFields(
  fields: readonly Field[],
  definitions: Definitions,
  message: Record<string, unknown>,
  parts: Uint8Array[],
): void {
  for (const field of fields) {
    const value = message[field.name];
    const list = field.isArray ? Array.from(value as ArrayLike<unknown>) : [value];
    if (field.isArray && field.arrayLength === undefined) parts.push(number("uint32", list.length));
    for (const one of list) {
      if (field.isComplex) {
        const inner = definitions.find(({ name }) => name === field.type)!;
        writeFields(inner.definitions, definitions, one as Record<string, unknown>, parts);
      } else if (field.type === "string") {
        const text = new TextEncoder().encode(one as string);
        parts.push(number("uint32", text.length), text);
      } else if (field.type === "time") {
        const { sec, nsec } = one as { sec: number; nsec: number };
        parts.push(number("uint32", sec), number("uint32", nsec));
      } else parts.push(number(field.type, Number(one)));
    }
  }
}

function number(type: string, value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(SIZES[type]!));
  if (type === "float64") view.setFloat64(0, value, true);
  else if (type === "float32") view.setFloat32(0, value, true);
  else if (type === "uint32") view.setUint32(0, value, true);
  else if (type === "uint16") view.setUint16(0, value, true);
  else view.setUint8(0, value);
  return new Uint8Array(view.buffer);
}

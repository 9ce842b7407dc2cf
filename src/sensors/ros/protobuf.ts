import { LociError } from "../../schema/index.ts";

/** Messages nested deeper, or schemas with more types, are damage. */
const DEPTH = 16;
const TYPES = 4_096;
const FIELDS = 65_536;

/** Wire types of the encoding (protobuf.dev/programming-guides/encoding). */
const [VARINT, FIXED64, LENGTH, FIXED32] = [0, 1, 2, 5];
/** Field types of a descriptor (google/protobuf/descriptor.proto). */
const [DOUBLE, FLOAT, INT64, INT32, FIXED64_T, FIXED32_T] = [1, 2, 3, 5, 6, 7];
const [BOOL, STRING, MESSAGE, BYTES, ENUM] = [8, 9, 11, 12, 14];
const [SFIXED32, SFIXED64, SINT32, SINT64] = [15, 16, 17, 18];
const REPEATED = 3;

interface Field {
  readonly name: string;
  readonly type: number;
  readonly isRepeated: boolean;
  /** Of a message field: its type, without the leading dot. */
  readonly of: string;
}

/** Message types by full name, each with its fields by number. */
export type ProtobufSchema = ReadonlyMap<string, ReadonlyMap<number, Field>>;

/**
 * The message types of a FileDescriptorSet, as MCAP files and Foxglove servers carry it. Read by hand: libraries
 * compile a program from the names in it, and a schema comes from outside.
 */
export function protobufSchema(descriptorSet: Uint8Array): ProtobufSchema {
  const schema = new Map<string, ReadonlyMap<number, Field>>();
  for (const file of messagesOf(descriptorSet, 1)) {
    const space = textOf(file, 2);
    for (const message of messagesOf(file, 4)) addType(schema, space === "" ? "" : `${space}.`, message, 0);
  }
  return schema;
}

/** A message as an object with the schema's field names; absent scalars have their defaults. */
export function readProtobuf(schema: ProtobufSchema, type: string, bytes: Uint8Array, depth = 0): object {
  const fields = schema.get(type);
  if (!fields || depth > DEPTH) throw damaged(`no type ${type.slice(0, 80)} in the schema`);
  const out: Record<string, unknown> = Object.create(null);
  for (const { name, type: kind, isRepeated } of fields.values())
    out[name] = isRepeated ? [] : kind === MESSAGE ? undefined : defaultOf(kind);
  for (const part of partsOf(bytes)) {
    const field = fields.get(part.number);
    if (!field) continue;
    const { name, type: kind, isRepeated, of } = field;
    if (!isRepeated) out[name] = fieldValue(schema, kind, of, part, depth);
    else if (part.wire === LENGTH && ![STRING, BYTES, MESSAGE].includes(kind))
      for (const value of packed(kind, part.bytes)) (out[name] as unknown[]).push(value);
    else (out[name] as unknown[]).push(fieldValue(schema, kind, of, part, depth));
  }
  return out;
}

function addType(
  schema: Map<string, ReadonlyMap<number, Field>>,
  prefix: string,
  message: Uint8Array,
  depth: number,
): void {
  if (schema.size >= TYPES || depth > DEPTH) throw damaged("too many types in a schema");
  const name = `${prefix}${textOf(message, 1)}`;
  const fields = new Map<number, Field>();
  for (const field of messagesOf(message, 2)) {
    if (fields.size >= FIELDS) throw damaged("too many fields in a type");
    fields.set(numberOf(field, 3), {
      name: textOf(field, 1),
      type: numberOf(field, 5),
      isRepeated: numberOf(field, 4) === REPEATED,
      of: textOf(field, 6).replace(/^\./, ""),
    });
  }
  schema.set(name, fields);
  for (const nested of messagesOf(message, 3)) addType(schema, `${name}.`, nested, depth + 1);
}

interface Part {
  readonly number: number;
  readonly wire: number;
  /** Of varints and fixed numbers, unsigned. */
  readonly value: bigint;
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

function* partsOf(bytes: Uint8Array): Generator<Part> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const tag = varint(bytes, at);
    at = tag.end;
    const number = Number(tag.value >> 3n);
    const wire = Number(tag.value & 7n);
    if (wire === VARINT) {
      const { value, end } = varint(bytes, at);
      yield { number, wire, value, bytes: NOTHING };
      at = end;
      continue;
    }
    const head = wire === LENGTH ? varint(bytes, at) : undefined;
    const start = head?.end ?? at;
    const length = head ? Number(head.value) : wire === FIXED64 ? 8 : wire === FIXED32 ? 4 : Number.NaN;
    if (!(length <= bytes.length - start)) throw damaged("a field is longer than its message");
    const value =
      wire === FIXED64
        ? view.getBigUint64(start, true)
        : wire === FIXED32
          ? BigInt(view.getUint32(start, true))
          : 0n;
    yield { number, wire, value, bytes: bytes.subarray(start, start + length) };
    at = start + length;
  }
}

function varint(bytes: Uint8Array, from: number): { value: bigint; end: number } {
  let value = 0n;
  for (let k = 0; k < 10; k++) {
    const byte = bytes[from + k];
    if (byte === undefined) break;
    value |= BigInt(byte & 127) << BigInt(7 * k);
    if (byte < 128) return { value, end: from + k + 1 };
  }
  throw damaged("a number does not end");
}

function fieldValue(schema: ProtobufSchema, kind: number, of: string, part: Part, depth: number): unknown {
  if (kind === MESSAGE) return readProtobuf(schema, of, part.bytes, depth + 1);
  if (kind === STRING) return new TextDecoder().decode(part.bytes);
  if (kind === BYTES) return part.bytes;
  return scalarOf(kind, part.value);
}

function scalarOf(kind: number, raw: bigint): number | boolean {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setBigUint64(0, BigInt.asUintN(64, raw), true);
  switch (kind) {
    case DOUBLE:
      return bits.getFloat64(0, true);
    case FLOAT:
      return bits.getFloat32(0, true);
    case BOOL:
      return raw !== 0n;
    case INT64:
    case SFIXED64:
      return Number(BigInt.asIntN(64, raw));
    case INT32:
    case ENUM:
    case SFIXED32:
      return Number(BigInt.asIntN(32, raw));
    case SINT32:
    case SINT64:
      return Number((raw >> 1n) ^ -(raw & 1n));
    default:
      return Number(raw);
  }
}

function* packed(kind: number, bytes: Uint8Array): Generator<number | boolean> {
  const width = [DOUBLE, FIXED64_T, SFIXED64].includes(kind)
    ? 8
    : [FLOAT, FIXED32_T, SFIXED32].includes(kind)
      ? 4
      : 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (width > 0 && bytes.length % width !== 0) throw damaged("a list of numbers is cut off");
  for (let at = 0; at < bytes.length; ) {
    if (width > 0) {
      yield scalarOf(kind, width === 8 ? view.getBigUint64(at, true) : BigInt(view.getUint32(at, true)));
      at += width;
    } else {
      const { value, end } = varint(bytes, at);
      yield scalarOf(kind, value);
      at = end;
    }
  }
}

function defaultOf(kind: number): unknown {
  if (kind === STRING) return "";
  if (kind === BYTES) return NOTHING;
  return kind === BOOL ? false : 0;
}

function messagesOf(bytes: Uint8Array, number: number): Uint8Array[] {
  return [...partsOf(bytes)]
    .filter((part) => part.number === number && part.wire === LENGTH)
    .map(({ bytes: of }) => of);
}

function textOf(bytes: Uint8Array, number: number): string {
  const last = messagesOf(bytes, number).at(-1);
  return last ? new TextDecoder().decode(last) : "";
}

function numberOf(bytes: Uint8Array, number: number): number {
  const last = [...partsOf(bytes)].filter((part) => part.number === number && part.wire === VARINT).at(-1);
  return last ? Number(last.value) : 0;
}

function damaged(why: string): LociError {
  return new LociError("invalid-input", `expected a Protocol Buffers message: ${why}`);
}

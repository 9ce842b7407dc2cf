import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { LociError } from "../../schema/index.ts";

/** Bytes of a file: where they begin, and themselves. */
interface FileBytes {
  readonly fromByte: number;
  readonly bytes: Uint8Array;
}

/** One `tf.train.Example`: its lists of bytes and of integers, by name. */
export interface Example {
  readonly bytes: ReadonlyMap<string, readonly FileBytes[]>;
  readonly numbers: ReadonlyMap<string, readonly number[]>;
}

const LONGEST_RECORD = 256 * 1024 ** 2;
/** A length of eight bytes and its checksum before a record, a checksum after it. Checksums are not verified. */
const HEAD_BYTES = 12;
const TAIL_BYTES = 4;

/** The examples of a TFRecord file, one at a time. */
export function* tfRecords(path: string): Generator<Example> {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    for (let at = 0; at < size; ) {
      const length = Number(part(file, path, at, HEAD_BYTES).readBigUInt64LE(0));
      if (length > LONGEST_RECORD || at + HEAD_BYTES + length + TAIL_BYTES > size)
        throw new LociError("invalid-input", `${path} is no TFRecord file, or it is cut off at byte ${at}`);
      yield exampleOf(part(file, path, at + HEAD_BYTES, length), at + HEAD_BYTES);
      at += HEAD_BYTES + length + TAIL_BYTES;
    }
  } finally {
    closeSync(file);
  }
}

function part(file: number, path: string, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (readSync(file, bytes, 0, length, from) < length)
    throw new LociError("invalid-input", `${path} is cut off at byte ${from}`);
  return bytes;
}

/** Example { Features features = 1 { map<string, Feature> feature = 1 } }. */
function exampleOf(record: Uint8Array, base: number): Example {
  const bytes = new Map<string, FileBytes[]>();
  const numbers = new Map<string, number[]>();
  for (const features of fieldsOf({ bytes: record, fromByte: base }, 1))
    for (const entry of fieldsOf(features, 1)) {
      const [key] = fieldsOf(entry, 1);
      const [value] = fieldsOf(entry, 2);
      if (!key || !value) continue;
      const name = new TextDecoder().decode(key.bytes);
      // A feature is a list of bytes (1), of floats (2), which is not needed here, or of integers (3).
      for (const list of fieldsOf(value, 1)) bytes.set(name, fieldsOf(list, 1));
      for (const list of fieldsOf(value, 3)) numbers.set(name, numbersIn(list));
    }
  return { bytes, numbers };
}

/** The values of one field of a message that are messages, texts or bytes themselves. */
function fieldsOf(message: FileBytes, wanted: number): FileBytes[] {
  const found: FileBytes[] = [];
  for (const { field, value } of fields(message)) if (field === wanted && value) found.push(value);
  return found;
}

/** Packed, as they are written, or one by one. */
function numbersIn(list: FileBytes): number[] {
  const numbers: number[] = [];
  for (const { field, value, number } of fields(list)) {
    if (field !== 1) continue;
    if (number !== undefined) numbers.push(number);
    for (let at = 0; value && at < value.bytes.length; ) {
      const read = varint(value.bytes, at);
      numbers.push(read.value);
      at = read.next;
    }
  }
  return numbers;
}

interface Field {
  readonly field: number;
  readonly value?: FileBytes;
  readonly number?: number;
}

function* fields({ bytes, fromByte }: FileBytes): Generator<Field> {
  for (let at = 0; at < bytes.length; ) {
    const tag = varint(bytes, at);
    const [field, wire] = [tag.value >>> 3, tag.value & 7];
    at = tag.next;
    if (wire === 0) {
      const { value, next } = varint(bytes, at);
      yield { field, number: value };
      at = next;
    } else if (wire === 2) {
      const { value: length, next } = varint(bytes, at);
      if (next + length > bytes.length) throw broken();
      yield { field, value: { fromByte: fromByte + next, bytes: bytes.subarray(next, next + length) } };
      at = next + length;
    } else if (wire === 5 || wire === 1) at += wire === 5 ? 4 : 8;
    else throw broken();
  }
}

function varint(bytes: Uint8Array, from: number): { value: number; next: number } {
  let value = 0;
  for (let at = from, scale = 1; at < bytes.length && at < from + 10; at++, scale *= 128) {
    value += (bytes[at]! & 127) * scale;
    if (bytes[at]! < 128) return { value, next: at + 1 };
  }
  throw broken();
}

function broken(): LociError {
  return new LociError("invalid-input", "a TFRecord's example is broken");
}

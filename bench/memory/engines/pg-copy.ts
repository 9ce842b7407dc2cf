import type { BenchRow } from "../workload.ts";

/** A row in the order of the table: id, three doubles, two bigints, three integers, text, vector. */
interface CopyRow {
  readonly id: number;
  readonly doubles: readonly number[];
  readonly bigints: readonly bigint[];
  readonly integers: readonly number[];
  readonly text: string;
  readonly vector: Float32Array;
}

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
const FIELDS = 11;
const NUMBER_BYTES = 128;

/** Rows in PostgreSQL's binary COPY format (documentation of COPY, "Binary Format"; pgvector's vector_recv). */
export function copyBytes(rows: readonly BenchRow[], fieldsOf: (row: BenchRow) => CopyRow): Buffer {
  const parts: Buffer[] = [SIGNATURE, Buffer.alloc(8)];
  for (const row of rows) {
    const { id, doubles, bigints, integers, text, vector } = fieldsOf(row);
    const said = Buffer.from(text);
    const part = Buffer.allocUnsafe(NUMBER_BYTES + said.length + 8 + vector.length * 4);
    let at = part.writeInt16BE(FIELDS, 0);
    const integer = (value: number) => {
      at = part.writeInt32BE(value, part.writeInt32BE(4, at));
    };
    integer(id);
    for (const value of doubles) at = part.writeDoubleBE(value, part.writeInt32BE(8, at));
    for (const value of bigints) at = part.writeBigInt64BE(value, part.writeInt32BE(8, at));
    for (const value of integers) integer(value);
    at = part.writeInt32BE(said.length, at);
    at += said.copy(part, at);
    at = part.writeInt32BE(4 + vector.length * 4, at);
    at = part.writeInt16BE(0, part.writeInt16BE(vector.length, at));
    for (const value of vector) at = part.writeFloatBE(value, at);
    parts.push(part.subarray(0, at));
  }
  parts.push(Buffer.from([0xff, 0xff]));
  return Buffer.concat(parts);
}

import { arrayLiteral } from "./text.ts";

/** A cell on its way into a table; lists become arrays. */
export type CopyCell = null | number | string | Uint8Array | readonly (string | number)[];

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Rows in the text format of COPY. */
export function copyText(rows: readonly (readonly CopyCell[])[]): Uint8Array {
  const lines = rows.map((row) => row.map(cellText).join("\t"));
  lines.push("");
  return Buffer.from(lines.join("\n"));
}

function cellText(cell: CopyCell): string {
  if (cell === null) return "\\N";
  if (typeof cell === "number") return Object.is(cell, -0) ? "-0" : String(cell);
  if (cell instanceof Uint8Array) return `\\\\x${Buffer.from(cell).toString("hex")}`;
  const text = typeof cell === "string" ? cell : arrayLiteral(cell);
  return /[\\\n\r\t]/.test(text) ? text.replace(/[\\\n\r\t]/g, (c) => ESCAPES[c]!) : text;
}

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");

/** Vectors of meanings in the binary format of COPY: (scene_id bigint, meaning integer, embedding vector). */
export function copyVectors(
  sceneId: number,
  vectors: readonly { readonly meaning: number; readonly vector: Float32Array }[],
): Uint8Array {
  const size = vectors.reduce((sum, { vector }) => sum + 2 + 12 + 8 + 4 + vectorBytes(vector), 0);
  const data = Buffer.alloc(SIGNATURE.length + size + 2);
  let at = SIGNATURE.copy(data);
  for (const { meaning, vector } of vectors) {
    at = data.writeInt16BE(3, at);
    at = data.writeInt32BE(8, at);
    at = data.writeBigInt64BE(BigInt(sceneId), at);
    at = data.writeInt32BE(4, at);
    at = data.writeInt32BE(meaning, at);
    at = data.writeInt32BE(vectorBytes(vector), at);
    at = writeVector(data, vector, at);
  }
  data.writeInt16BE(-1, at);
  return data;
}

const vectorBytes = (vector: Float32Array): number => 4 + vector.length * 4;

/** pgvector's binary form: the count, an unused word, then big-endian floats. */
function writeVector(data: Buffer, vector: Float32Array, start: number): number {
  let at = data.writeInt16BE(vector.length, start);
  at = data.writeInt16BE(0, at);
  for (const value of vector) at = data.writeFloatBE(value, at);
  return at;
}

/** A vector as a parameter in that form, which avoids printing and parsing digits. */
export function vectorParameter(vector: Float32Array): Buffer {
  const floats = Buffer.from(vector.slice().buffer).swap32();
  const head = Buffer.alloc(4);
  head.writeInt16BE(vector.length);
  return Buffer.concat([head, floats]);
}

/** A vector as `vector_send` gives it; the bytes are its own from now on. */
export function readVector({ buffer, byteOffset, length }: Uint8Array): Float32Array {
  const floats = Buffer.from(buffer, byteOffset + 4, length - 4).swap32();
  return floats.byteOffset % 4 === 0
    ? new Float32Array(floats.buffer, floats.byteOffset, floats.length / 4)
    : new Float32Array(new Uint8Array(floats).buffer);
}

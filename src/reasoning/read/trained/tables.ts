import { createHash } from "node:crypto";
import { LociError } from "../../../schema/index.ts";

/** The trained parameters of the reader, from the file that training/reader/pack.py writes. */
export interface Tables {
  readonly width: number;
  readonly heads: number;
  readonly hidden: number;
  readonly encoders: number;
  readonly decoders: number;
  readonly meaning: number;
  readonly kinds: number;
  readonly words: readonly string[];
  readonly tokens: readonly string[];
  /** A row of numbers. */
  numbers(name: string): Float32Array;
  matrix(name: string): PackedMatrix;
}

/** A matrix as stored in the file: each row has a scale and a byte for each number. */
export interface PackedMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly scales: Float32Array;
  readonly packed: Int8Array;
}

interface Header extends Omit<Tables, "numbers" | "matrix"> {
  readonly tables: Readonly<Record<string, { readonly at: number; readonly shape: readonly number[] }>>;
  readonly sha256: string;
}

const MAGIC = "LOCIREAD";

export function openTables(bytes: Uint8Array): Tables {
  const text = new TextDecoder();
  if (text.decode(bytes.subarray(0, 8)) !== MAGIC)
    throw new LociError("model-unavailable", "the trained reader's file does not begin as one");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(8, true);
  const header = JSON.parse(text.decode(bytes.subarray(12, 12 + length))) as Header;
  const body = bytes.subarray(12 + length);
  if (createHash("sha256").update(body).digest("hex") !== header.sha256)
    throw new LociError("model-unavailable", "the trained reader's file is damaged; install it again");
  const placeOf = (name: string) => {
    const place = header.tables[name];
    if (!place) throw new LociError("model-unavailable", `the trained reader has no table ${name}`);
    return place;
  };
  return {
    ...header,
    numbers(name) {
      const { at, shape } = placeOf(name);
      return floatsAt(body, at, shape[0]!);
    },
    matrix(name) {
      const { at, shape } = placeOf(name);
      const [rows = 1, columns = 1] = shape;
      const packed = new Int8Array(body.buffer, body.byteOffset + at + 4 * rows, rows * columns);
      return { rows, columns, scales: floatsAt(body, at, rows), packed };
    },
  };
}

/** One row of a matrix, unpacked. */
export function rowOf({ columns, scales, packed }: PackedMatrix, row: number): Float32Array {
  const numbers = new Float32Array(columns);
  const [scale, from] = [scales[row]!, row * columns];
  for (let i = 0; i < columns; i++) numbers[i] = scale * packed[from + i]!;
  return numbers;
}

/** Copied, since they need not be aligned to four bytes. */
function floatsAt(bytes: Uint8Array, at: number, length: number): Float32Array {
  const floats = new Float32Array(length);
  new Uint8Array(floats.buffer).set(bytes.subarray(at, at + 4 * length));
  return floats;
}

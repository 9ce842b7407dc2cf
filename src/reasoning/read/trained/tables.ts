import { createHash } from "node:crypto";
import { LociError } from "../../../schema/index.ts";

/** The fitted numbers of the trained reader, out of the file that training/reader/pack.py writes. */
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
  /** A matrix row by row, or a row of numbers. */
  table(name: string): Float32Array;
}

interface Header extends Omit<Tables, "table"> {
  readonly tables: Readonly<Record<string, { readonly at: number; readonly shape: readonly number[] }>>;
  readonly sha256: string;
}

const MAGIC = "LOCIREAD";

/** Opens the file; each matrix is unpacked when first asked for. */
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
  const unpacked = new Map<string, Float32Array>();
  return {
    ...header,
    table(name) {
      let found = unpacked.get(name);
      if (!found) {
        const place = header.tables[name];
        if (!place) throw new LociError("model-unavailable", `the trained reader has no table ${name}`);
        found = unpack(body.slice(place.at), place.shape);
        unpacked.set(name, found);
      }
      return found;
    },
  };
}

/** A matrix is a scale for each row and a byte for each number; anything else plain numbers. */
function unpack(bytes: Uint8Array, [rows = 1, columns]: readonly number[]): Float32Array {
  const scales = new Float32Array(bytes.buffer, bytes.byteOffset, rows);
  if (columns === undefined) return scales.slice();
  const packed = new Int8Array(bytes.buffer, bytes.byteOffset + 4 * rows, rows * columns);
  const numbers = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const scale = scales[row]!;
    for (let at = row * columns; at < (row + 1) * columns; at++) numbers[at] = scale * packed[at]!;
  }
  return numbers;
}

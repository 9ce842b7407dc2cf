import { LociError } from "../../schema/errors.ts";

/**
 * The one container of the feed, little-endian: the letters "LFB1", u32 length of a JSON header, the header (padded
 * with spaces), and the columns that it lists, each aligned to eight bytes. Runs in browsers too: it uses nothing of
 * Node, and reading creates views on the bytes, no copies.
 */
export const BLOCK_MAGIC = "LFB1";

const TYPES = {
  u8: Uint8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

type NumberType = keyof typeof TYPES;
export type Numbers = Uint8Array | Uint16Array | Int16Array | Uint32Array | Float32Array | Float64Array;

/** A column's position: bytes from the end of the header, and the number of values (for text: of strings). */
interface ColumnHead {
  readonly name: string;
  readonly type: NumberType | "text";
  readonly at: number;
  readonly length: number;
  readonly bytes: number;
}

/** Limits of a header; our blocks have a few dozen columns and a few thousand bytes. */
const MAX_COLUMNS = 256;
const MAX_HEADER_BYTES = 16_777_216;
const ALIGN = 8;

/** Strings by number, decoded on demand: most of them never are. */
export class TextColumn {
  readonly length: number;
  readonly #offsets: Uint32Array;
  readonly #bytes: Uint8Array;

  constructor(offsets: Uint32Array, bytes: Uint8Array) {
    this.length = offsets.length - 1;
    this.#offsets = offsets;
    this.#bytes = bytes;
  }

  at(n: number): string {
    const [from, to] = [this.#offsets[n], this.#offsets[n + 1]];
    if (from === undefined || to === undefined) throw broken(`no text ${n} of ${this.length}`);
    return decoder.decode(this.#bytes.subarray(from, to));
  }

  all(): string[] {
    return Array.from({ length: this.length }, (_, n) => this.at(n));
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A header of any JSON, and columns by name. */
export interface Block {
  readonly kind: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly columns: ReadonlyMap<string, Numbers | TextColumn>;
}

export function encodeBlock(
  kind: string,
  header: Readonly<Record<string, unknown>>,
  columns: Readonly<Record<string, Numbers | readonly string[]>>,
): Uint8Array<ArrayBuffer> {
  const heads: ColumnHead[] = [];
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [name, values] of Object.entries(columns)) {
    const part = isNumbers(values) ? bytesOf(values) : bytesOfTexts(values);
    const type = isNumbers(values) ? typeOf(values) : "text";
    heads.push({ name, type, at, length: values.length, bytes: part.byteLength });
    parts.push(part);
    at = aligned(at + part.byteLength);
  }
  const json = encoder.encode(JSON.stringify({ ...header, kind, columns: heads }));
  const start = aligned(8 + json.byteLength);
  const out = new Uint8Array(start + at);
  out.set(encoder.encode(BLOCK_MAGIC));
  new DataView(out.buffer).setUint32(4, start - 8, true);
  out.fill(0x20, 8, start);
  out.set(json, 8);
  for (const [n, part] of parts.entries()) out.set(part, start + heads[n]!.at);
  return out;
}

/** Throws `invalid-input` on anything but a complete block of this kind. */
export function decodeBlock(given: Uint8Array | ArrayBuffer, kind: string): Block {
  const bytes = alignedBytes(given);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8 || decoder.decode(bytes.subarray(0, 4)) !== BLOCK_MAGIC)
    throw broken(`expected a block that begins with "${BLOCK_MAGIC}"`);
  const start = 8 + view.getUint32(4, true);
  if (start > bytes.length || start > MAX_HEADER_BYTES || start % ALIGN !== 0)
    throw broken("its header does not fit");
  const { columns, kind: found, ...header } = parsed(decoder.decode(bytes.subarray(8, start)));
  if (found !== kind) throw broken(`expected a block of ${kind}, got ${String(found)}`);
  if (!Array.isArray(columns) || columns.length > MAX_COLUMNS) throw broken("it lists no columns");
  const data = bytes.subarray(start);
  return { kind, header, columns: new Map(columns.map((head: unknown) => columnOf(head, data))) };
}

/** A column of numbers with the expected length; for the decoders of each kind of block. */
export function numbersOf<T extends NumberType>(
  { columns }: Block,
  name: string,
  type: T,
  length?: number,
): InstanceType<(typeof TYPES)[T]> {
  const column = columns.get(name);
  if (!(column instanceof TYPES[type]) || (length !== undefined && column.length !== length))
    throw broken(`expected a column "${name}" of ${length ?? "some"} ${type}`);
  return column as InstanceType<(typeof TYPES)[T]>;
}

export function textsOf({ columns }: Block, name: string, length?: number): TextColumn {
  const column = columns.get(name);
  if (!(column instanceof TextColumn) || (length !== undefined && column.length !== length))
    throw broken(`expected a column "${name}" of ${length ?? "some"} texts`);
  return column;
}

export function broken(what: string): LociError {
  return new LociError("invalid-input", `not a block of the feed: ${what}`);
}

function columnOf(head: unknown, data: Uint8Array): [string, Numbers | TextColumn] {
  const { name, type, at, length, bytes } = (head ?? {}) as Partial<ColumnHead>;
  const isPlace = [at, length, bytes].every((n) => Number.isSafeInteger(n) && n! >= 0);
  if (typeof name !== "string" || !isPlace) throw broken("a column has no name or place");
  const part = data.subarray(at, at! + bytes!);
  if (part.byteLength !== bytes || at! % ALIGN !== 0) throw broken(`column "${name}" is cut short`);
  if (type === "text") return [name, textColumn(name, length!, part)];
  const Type = Object.hasOwn(TYPES, String(type)) ? TYPES[type as NumberType] : undefined;
  if (Type === undefined || length! * Type.BYTES_PER_ELEMENT !== bytes)
    throw broken(`column "${name}" is not of ${length} ${String(type)}`);
  return [name, new Type(part.buffer as ArrayBuffer, part.byteOffset, length)];
}

function textColumn(name: string, length: number, part: Uint8Array): TextColumn {
  const head = (length + 1) * 4;
  if (head > part.byteLength) throw broken(`column "${name}" is cut short`);
  const offsets = new Uint32Array(part.buffer as ArrayBuffer, part.byteOffset, length + 1);
  const bytes = part.subarray(head);
  let last = 0;
  for (const offset of offsets) {
    if (offset < last || offset > bytes.length) throw broken(`column "${name}" has texts out of order`);
    last = offset;
  }
  return new TextColumn(offsets, bytes);
}

function bytesOfTexts(texts: readonly string[]): Uint8Array {
  const joined = texts.join("");
  const bytes = encoder.encode(joined);
  // Encoding one by one takes ten times as long; for ASCII the lengths are known without it.
  const isPlain = bytes.length === joined.length;
  const offsets = new Uint32Array(texts.length + 1);
  for (const [n, text] of texts.entries())
    offsets[n + 1] = offsets[n]! + (isPlain ? text.length : encoder.encode(text).length);
  const out = new Uint8Array(offsets.byteLength + bytes.length);
  out.set(bytesOf(offsets));
  out.set(bytes, offsets.byteLength);
  return out;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === "object" && json !== null) return json as Record<string, unknown>;
  } catch {
    // Said below, once.
  }
  throw broken("its header is not JSON");
}

function alignedBytes(given: Uint8Array | ArrayBuffer): Uint8Array {
  const bytes = given instanceof Uint8Array ? given : new Uint8Array(given);
  return bytes.byteOffset % ALIGN === 0 ? bytes : bytes.slice();
}

function isNumbers(values: Numbers | readonly string[]): values is Numbers {
  return ArrayBuffer.isView(values);
}

function typeOf(values: Numbers): NumberType {
  const found = Object.entries(TYPES).find(([, Type]) => values instanceof Type);
  return found![0] as NumberType;
}

function bytesOf(values: Numbers): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGN) * ALIGN;
}

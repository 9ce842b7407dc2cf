import { LociError } from "../../schema/index.ts";

const DEPTH = 32;
const ITEMS = 1_000_000;
/** Shared, because creating one takes longer than decoding a word. */
const TEXT = new TextDecoder();

/** Tags of typed arrays (RFC 8746), little-endian as rosbridge sends them. */
const TYPED: Readonly<Record<number, [bytes: number, read: (view: DataView, at: number) => number]>> = {
  64: [1, (view, at) => view.getUint8(at)],
  69: [2, (view, at) => view.getUint16(at, true)],
  70: [4, (view, at) => view.getUint32(at, true)],
  72: [1, (view, at) => view.getInt8(at)],
  77: [2, (view, at) => view.getInt16(at, true)],
  78: [4, (view, at) => view.getInt32(at, true)],
  85: [4, (view, at) => view.getFloat32(at, true)],
  86: [8, (view, at) => view.getFloat64(at, true)],
};

/**
 * Decodes one CBOR item (RFC 8949) as plain values: maps as objects, byte strings as bytes, typed arrays as numbers.
 * Supports only what rosbridge sends: no indefinite lengths, no other tags. Nesting and counts are bounded by the
 * available bytes; anything else throws invalid-input.
 */
export function decodeCbor(bytes: Uint8Array): unknown {
  const reader = new CborReader(bytes);
  const value = reader.item(0);
  if (!reader.isDone) throw damaged("bytes after the end");
  return value;
}

class CborReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #items = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isDone(): boolean {
    return this.#at === this.#bytes.length;
  }

  item(depth: number): unknown {
    if (depth > DEPTH) throw damaged("nested too deeply");
    if (++this.#items > ITEMS) throw damaged("too many items");
    const head = this.#take(1)[0]!;
    const [major, minor] = [head >> 5, head & 31];
    if (major === 7) return this.#simple(minor);
    const count = this.#count(minor);
    switch (major) {
      case 0:
        return count;
      case 1:
        return -1 - count;
      case 2:
        return this.#take(count);
      case 3:
        return TEXT.decode(this.#take(count));
      case 4: {
        if (count > this.#bytes.length) throw damaged("a list longer than the message");
        return Array.from({ length: count }, () => this.item(depth + 1));
      }
      case 5: {
        if (count > this.#bytes.length) throw damaged("a map longer than the message");
        const entries = Array.from({ length: count }, () => {
          const key = this.item(depth + 1);
          if (typeof key !== "string") throw damaged("a key that is no text");
          return [key, this.item(depth + 1)] as const;
        });
        return Object.fromEntries(entries);
      }
      default:
        return this.#tagged(count, depth);
    }
  }

  #tagged(tag: number, depth: number): unknown {
    const value = this.item(depth + 1);
    const typed = TYPED[tag];
    if (!typed || !(value instanceof Uint8Array)) return value;
    if (tag === 64) return value;
    const [size, read] = typed;
    const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
    return Array.from({ length: Math.floor(value.length / size) }, (_, i) => read(view, i * size));
  }

  #simple(minor: number): unknown {
    if (minor === 20) return false;
    if (minor === 21) return true;
    if (minor === 22 || minor === 23) return null;
    if (minor === 25) return half(this.#number(2, (at) => this.#view.getUint16(at)));
    if (minor === 26) return this.#number(4, (at) => this.#view.getFloat32(at));
    if (minor === 27) return this.#number(8, (at) => this.#view.getFloat64(at));
    throw damaged("a value of an unknown kind");
  }

  #count(minor: number): number {
    if (minor < 24) return minor;
    if (minor === 24) return this.#take(1)[0]!;
    if (minor === 25) return this.#number(2, (at) => this.#view.getUint16(at));
    if (minor === 26) return this.#number(4, (at) => this.#view.getUint32(at));
    if (minor === 27) return this.#number(8, (at) => Number(this.#view.getBigUint64(at)));
    throw damaged("a length that is not given");
  }

  #number(size: number, read: (at: number) => number): number {
    const at = this.#at;
    this.#take(size);
    return read(at);
  }

  #take(count: number): Uint8Array {
    if (count > this.#bytes.length - this.#at) throw damaged("it is cut off");
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}

/** IEEE 754 half precision. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * 2 ** -24 * fraction;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * 2 ** (exponent - 25) * (1024 + fraction);
}

function damaged(what: string): LociError {
  return new LociError("invalid-input", `expected CBOR from rosbridge: ${what}`);
}

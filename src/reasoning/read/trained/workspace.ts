import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PackedMatrix } from "./tables.ts";

/** The kernels of kernels/index.ts; positions are byte offsets in the workspace. */
export interface Kernels {
  unpack(packed: number, scales: number, rows: number, columns: number, y: number): void;
  times(x: number, n: number, w: number, into: number, from: number, y: number): void;
  add(x: number, y: number, length: number): void;
  addRow(x: number, n: number, row: number, width: number, least: number): void;
  normalise(x: number, n: number, width: number, weight: number, bias: number, y: number): void;
  rotate(x: number, n: number, width: number, size: number, turns: number, step: number): void;
  dots(q: number, k: number, list: number, count: number, size: number, strideBytes: number, y: number): void;
  attend(
    q: number,
    n: number,
    k: number,
    v: number,
    list: number,
    count: number,
    width: number,
    size: number,
    fits: number,
    y: number,
  ): void;
}

const PAGE = 65_536;
const ALIGN = 16;
/** The number of pages added when the memory is full. */
const MORE_PAGES = 64;

/** Numbers in one memory, and the kernels that process them there. */
export class Workspace {
  readonly kernels: Kernels;
  readonly #memory = new WebAssembly.Memory({ initial: 16 });
  #free = ALIGN;

  constructor() {
    const code = readFileSync(join(import.meta.dirname, "kernels", "network.wasm"));
    const needs = { env: { memory: this.#memory }, index: { exp: Math.exp } };
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), needs);
    this.kernels = exports as unknown as Kernels;
  }

  /** Allocates this many bytes. */
  take(bytes: number): number {
    const at = this.#free;
    this.#free = Math.ceil((at + bytes) / ALIGN) * ALIGN;
    const lacking = this.#free - this.#memory.buffer.byteLength;
    if (lacking > 0) this.#memory.grow(Math.ceil(lacking / PAGE) + MORE_PAGES);
    return at;
  }

  /** A view at a position, valid until more memory is allocated. */
  floats(at: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, length);
  }

  doubles(at: number, length: number): Float64Array {
    return new Float64Array(this.#memory.buffer, at, length);
  }

  integers(at: number, length: number): Int32Array {
    return new Int32Array(this.#memory.buffer, at, length);
  }

  /** Copies a row of numbers in. */
  keep(row: Float32Array): number {
    const at = this.take(row.byteLength);
    this.floats(at, row.length).set(row);
    return at;
  }

  /** Copies a matrix in, a number for each of its bytes. */
  keepMatrix({ rows, columns, scales, packed }: PackedMatrix): number {
    const at = this.take(rows * columns * 4);
    const begin = this.#free;
    const [from, by] = [this.take(packed.byteLength), this.take(scales.byteLength)];
    new Int8Array(this.#memory.buffer, from, packed.length).set(packed);
    this.floats(by, rows).set(scales);
    this.kernels.unpack(from, by, rows, columns, at);
    // The packed bytes are not needed any more.
    this.#free = begin;
    return at;
  }
}

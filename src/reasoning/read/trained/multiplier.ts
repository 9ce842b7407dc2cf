import { readFileSync } from "node:fs";
import { join } from "node:path";

type Times = (x: number, n: number, w: number, into: number, from: number, y: number) => void;

const PAGE = 65_536;
const ALIGN = 16;

/** Multiplies rows by matrices that it keeps, by the kernel in kernels/; matrices are taken over when first needed. */
export class Multiplier {
  readonly #memory = new WebAssembly.Memory({ initial: 16 });
  readonly #times: Times;
  readonly #matrices = new Map<string, { readonly at: number; readonly into: number }>();
  /** Where the next matrix goes; behind it lie the rows that are being multiplied. */
  #free = ALIGN;

  constructor() {
    const code = readFileSync(join(import.meta.dirname, "kernels", "times.wasm"));
    const module = new WebAssembly.Module(code);
    const { exports } = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    this.#times = exports["times"] as unknown as Times;
  }

  /** Every row of x, `from` numbers each, times a matrix whose rows are as long. */
  times(x: Float32Array, name: string, matrix: () => Float32Array, from: number): Float32Array {
    const { at, into } = this.#matrices.get(name) ?? this.#keep(name, matrix(), from);
    const n = x.length / from;
    const y = aligned(this.#free + x.byteLength);
    this.#reach(y + n * into * 4);
    new Float32Array(this.#memory.buffer, this.#free, x.length).set(x);
    this.#times(this.#free, n, at, into, from, y);
    return new Float32Array(this.#memory.buffer, y, n * into).slice();
  }

  #keep(name: string, matrix: Float32Array, from: number) {
    const kept = { at: this.#free, into: matrix.length / from };
    this.#reach(this.#free + matrix.byteLength);
    new Float32Array(this.#memory.buffer, this.#free, matrix.length).set(matrix);
    this.#free = aligned(this.#free + matrix.byteLength);
    this.#matrices.set(name, kept);
    return kept;
  }

  #reach(end: number): void {
    const lacking = end - this.#memory.buffer.byteLength;
    if (lacking > 0) this.#memory.grow(Math.ceil(lacking / PAGE) + 16);
  }
}

function aligned(at: number): number {
  return Math.ceil(at / ALIGN) * ALIGN;
}

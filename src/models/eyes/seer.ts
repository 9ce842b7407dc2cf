import type { CloserLook, EyesInput, EyesRuntime, Look } from "./eyes.ts";
import { likeliestOf } from "./likeliest.ts";
import { NativeNet } from "./native-net.ts";
import { Preparer } from "./prepare.ts";
import { type NetOutput, WasmNet } from "./wasm-net.ts";
import type { Net } from "./weight-file.ts";

/** Grid cells per pixel of the network's picture: its heads work at half resolution. */
const GRID = 2;

/** A network with its pre- and post-processing, on the calling thread. */
export class Seer {
  readonly #wasm: WasmNet;
  readonly #native: NativeNet | null;
  readonly #preparer: Preparer;

  private constructor(net: Net, native: NativeNet | null) {
    this.#wasm = new WasmNet(net, native ? "ends" : "whole");
    this.#native = native;
    this.#preparer = new Preparer(net.width, net.height);
  }

  /** With the native runtime our kernels only post-process. */
  static async open(net: Net, runtime: EyesRuntime, packagesFrom?: string): Promise<Seer> {
    return new Seer(net, runtime === "native" ? await NativeNet.open(net, packagesFrom) : null);
  }

  async look(input: EyesInput): Promise<Look> {
    const covered = this.#preparer.prepare(input, this.#wasm.input);
    if (this.#native === null) this.#wasm.run();
    else await this.#native.run(this.#wasm);
    this.#wasm.finish();
    const [shape, category] = [this.#wasm.output("shape"), this.#wasm.output("category")];
    const width = covered.width / GRID;
    const height = covered.height / GRID;
    const cut = (from: NetOutput, first: number, count: number) => planes(from, first, count, width, height);
    return {
      width,
      height,
      scale: covered.scale / GRID,
      surface: cut(shape, 0, 3),
      boundary: cut(shape, 3, 1),
      centre: cut(shape, 4, 1),
      offset: cut(shape, 5, 2),
      category: likeliestOf(this.#wasm.likeliest("category"), category.width, width, height),
      ...(this.#wasm.net.kinds.length > 0 && { closer: this.#closer(width, height) }),
    };
  }

  #closer(lookWidth: number, lookHeight: number): CloserLook {
    const { kinds, states } = this.#wasm.net;
    const from = this.#wasm.output("kind");
    const [width, height] = [Math.ceil(lookWidth / 2), Math.ceil(lookHeight / 2)];
    const cut = (first: number, count: number) => planes(from, first, count, width, height);
    return {
      width,
      height,
      kind: likeliestOf(this.#wasm.likeliest("kind"), from.width, width, height),
      state: cut(kinds.length, states.length),
    };
  }
}

/** The covered part of some planes, contiguous. */
function planes(from: NetOutput, first: number, count: number, width: number, height: number): Float32Array {
  const out = new Float32Array(count * width * height);
  // Fully covered rows are copied together.
  const [rows, length] = width === from.width ? [1, width * height] : [height, width];
  for (let plane = 0; plane < count; plane++)
    for (let y = 0; y < rows; y++) {
      const at = (first + plane) * from.stride + y * from.width;
      out.set(from.numbers.subarray(at, at + length), plane * width * height + y * width);
    }
  return out;
}

import { importOptional } from "../optional-package.ts";
import { onnxOf } from "./onnx.ts";
import type { NetOutput, WasmNet } from "./wasm-net.ts";
import type { Net } from "./weight-file.ts";

export const NATIVE_PACKAGE = "onnxruntime-node";
const NATIVE_VERSION = "1.30.0";

interface Tensor {
  readonly data: Float32Array;
}

interface Session {
  /** Given outputs are written in place. */
  run(
    feeds: Readonly<Record<string, Tensor>>,
    outputs: Readonly<Record<string, Tensor>>,
  ): Promise<Readonly<Record<string, Tensor>>>;
}

interface Runtime {
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: "float32", data: Float32Array, dims: readonly number[]) => Tensor;
}

/**
 * The network on onnxruntime-node, an optional package: one core, because the other cores are busy with other stages.
 */
export class NativeNet {
  readonly #runtime: Runtime;
  readonly #session: Session;

  private constructor(runtime: Runtime, session: Session) {
    this.#runtime = runtime;
    this.#session = session;
  }

  static async open(net: Net, packagesFrom?: string): Promise<NativeNet> {
    const runtime = await importOptional<Runtime>(NATIVE_PACKAGE, NATIVE_VERSION, packagesFrom);
    const options = {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      graphOptimizationLevel: "all",
      logSeverityLevel: 3,
    };
    return new NativeNet(runtime, await runtime.InferenceSession.create(onnxOf(net), options));
  }

  /**
   * Reads the other network's input and fills its outputs, as its own `run` would: in place if its planes are
   * contiguous.
   */
  async run(other: WasmNet): Promise<void> {
    const input = this.#tensorOf(other.input);
    if (input.isApart) copyPlanes(other.input, input.tensor.data, false);
    const outputs = other.net.steps.flatMap(({ out }) => {
      if (out === undefined) return [];
      const planes = other.output(out);
      return [{ out, planes, ...this.#tensorOf(planes) }];
    });
    await this.#session.run(
      { in: input.tensor },
      Object.fromEntries(outputs.map(({ out, tensor }) => [out, tensor])),
    );
    for (const { planes, tensor, isApart } of outputs) if (isApart) copyPlanes(planes, tensor.data, true);
  }

  #tensorOf({ channels, width, height, stride, numbers }: NetOutput): { tensor: Tensor; isApart: boolean } {
    const isApart = stride !== width * height;
    const count = channels * width * height;
    const data = isApart ? new Float32Array(count) : numbers.subarray(0, count);
    return { tensor: new this.#runtime.Tensor("float32", data, [1, channels, height, width]), isApart };
  }
}

/** Copies between planes with a stride and contiguous planes. */
function copyPlanes(planes: NetOutput, tight: Float32Array, into: boolean): void {
  const area = planes.width * planes.height;
  for (let c = 0; c < planes.channels; c++) {
    const [loose, packed] = [
      planes.numbers.subarray(c * planes.stride, c * planes.stride + area),
      tight.subarray(c * area, (c + 1) * area),
    ];
    if (into) loose.set(packed);
    else packed.set(loose);
  }
}

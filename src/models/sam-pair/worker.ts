import { workerData } from "node:worker_threads";
import sharp from "sharp";
import { LociError, type MaskImage, type RgbImage } from "../../schema/index.ts";
import type { FoundThing } from "../detector.ts";
import { bestCut, type Cuts, paint } from "../open-vocabulary/masks.ts";
import { importOptional } from "../optional-package.ts";
import { serveRequests } from "../worker-thread.ts";
import type { SamPair, SamRequest } from "./sam-pair.ts";

const PACKAGE = "onnxruntime-node";
const VERSION = "1.30.0";
/** What SAM 2 was trained with: squares of this side, and the mean and deviation of each channel. */
const SIDE_PX = 1_024;
const MEAN = [0.485, 0.456, 0.406] as const;
const DEVIATION = [0.229, 0.224, 0.225] as const;
/** The labels of a box's two corners among prompt points. */
const CORNERS = [2, 3] as const;
/** An earlier mask could be refined; there is none, and this is its size. */
const HINT_PX = 256;

interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
}

interface Runtime {
  readonly InferenceSession: { create(model: string, options: object): Promise<Session> };
  readonly Tensor: new (type: "float32", data: Float32Array, dims: readonly number[]) => Tensor;
}

const { pair, packagesFrom } = workerData as { pair: SamPair; packagesFrom?: string };
let loading: ReturnType<typeof load> | null = null;

async function load() {
  const runtime = await importOptional<Runtime>(PACKAGE, VERSION, packagesFrom);
  // The other cores are busy with other stages.
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 };
  const open = (file: string) =>
    runtime.InferenceSession.create(file, options).catch((cause: unknown) => {
      throw new LociError("model-unavailable", `${file} is no ONNX model that ${PACKAGE} reads`, { cause });
    });
  const [encoder, decoder] = [await open(pair.encoder), await open(pair.decoder)];
  const lacks = ["point_coords", "point_labels"].find((name) => !decoder.inputNames.includes(name));
  if (lacks !== undefined)
    throw new LociError(
      "model-unavailable",
      `${pair.decoder}: expected a decoder of SAM 2 with the input ${lacks}, got ${decoder.inputNames.join(", ")}`,
    );
  return { runtime, encoder, decoder };
}

/** The picture as the encoder takes it: a square whatever its shape, one plane a channel, normalised. */
async function planesOf({ width, height, data }: RgbImage, side: number): Promise<Float32Array> {
  const square = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(side, side, { fit: "fill" })
    .raw()
    .toBuffer();
  const area = side * side;
  const planes = new Float32Array(3 * area);
  for (let channel = 0; channel < 3; channel++)
    for (let at = 0; at < area; at++)
      planes[channel * area + at] = (square[3 * at + channel]! / 255 - MEAN[channel]!) / DEVIATION[channel]!;
  return planes;
}

async function segment(picture: RgbImage, boxes: readonly FoundThing["bbox"][]): Promise<MaskImage> {
  loading ??= load();
  const { runtime, encoder, decoder } = await loading;
  const { width, height } = picture;
  const tensor = (data: Float32Array, dims: readonly number[]) => new runtime.Tensor("float32", data, dims);
  const image = tensor(await planesOf(picture, SIDE_PX), [1, 3, SIDE_PX, SIDE_PX]);
  const seen = await encoder.run({ [encoder.inputNames[0]!]: image });
  const features = featuresFor(
    decoder,
    encoder.outputNames.map((name) => [name, seen[name]!] as const),
  );
  const hint = {
    mask_input: tensor(new Float32Array(HINT_PX * HINT_PX), [1, 1, HINT_PX, HINT_PX]),
    has_mask_input: tensor(new Float32Array(1), [1]),
  };
  const cuts: (number[] | undefined)[] = [];
  for (const box of boxes) {
    const corners = box.map((at, k) => (at * SIDE_PX) / (k % 2 === 0 ? width : height));
    const feeds = {
      ...features,
      ...hint,
      point_coords: tensor(Float32Array.from(corners), [1, 2, 2]),
      point_labels: tensor(Float32Array.from(CORNERS), [1, 2]),
    };
    const asked = Object.fromEntries(
      Object.entries(feeds).filter(([name]) => decoder.inputNames.includes(name)),
    );
    const out = await decoder.run(asked);
    const masks = decoder.outputNames.map((name) => out[name]!).find(({ dims }) => dims.length === 4);
    cuts.push(masks && bestCut(cutsOf(masks, picture), box));
  }
  return paint(cuts, width, height);
}

/** The encoder's outputs under the decoder's names; where names differ, finer features come first in both. */
function featuresFor(
  decoder: Session,
  outputs: readonly (readonly [string, Tensor])[],
): Record<string, Tensor> {
  const wanted = decoder.inputNames.filter((name) => /feats|embed/i.test(name));
  const known = new Map(outputs);
  if (wanted.every((name) => known.has(name)))
    return Object.fromEntries(wanted.map((name) => [name, known.get(name)!]));
  const finest = outputs.map(([, one]) => one).sort((a, b) => b.dims.at(-1)! - a.dims.at(-1)!);
  const order = wanted.toSorted(
    (a, b) => Number(/embed/i.test(a)) - Number(/embed/i.test(b)) || (a < b ? -1 : 1),
  );
  return Object.fromEntries(order.flatMap((name, n) => (finest[n] ? [[name, finest[n]]] : [])));
}

/** Masks as zeros and ones in pixels of the picture: where the odds, interpolated, are above even. */
function cutsOf({ dims, data }: Tensor, { width, height }: RgbImage): Cuts {
  const [, count = 0, rows = 0, columns = 0] = dims;
  const out = new Uint8Array(count * width * height);
  for (let row = 0; row < height; row++) {
    const y = Math.min(rows - 1, Math.max(0, ((row + 0.5) * rows) / height - 0.5));
    const [top, down] = [Math.floor(y), y - Math.floor(y)];
    const below = Math.min(rows - 1, top + 1);
    for (let column = 0; column < width; column++) {
      const x = Math.min(columns - 1, Math.max(0, ((column + 0.5) * columns) / width - 0.5));
      const [left, across] = [Math.floor(x), x - Math.floor(x)];
      const right = Math.min(columns - 1, left + 1);
      for (let n = 0; n < count; n++) {
        const at = (r: number, c: number) => data[(n * rows + r) * columns + c]!;
        const above = at(top, left) * (1 - across) + at(top, right) * across;
        const under = at(below, left) * (1 - across) + at(below, right) * across;
        if (above * (1 - down) + under * down > 0) out[(n * height + row) * width + column] = 1;
      }
    }
  }
  return { width, height, count, data: out };
}

serveRequests<SamRequest, MaskImage | null>(async (request) => {
  loading ??= load();
  await loading;
  return { reply: request.kind === "segment" ? await segment(request.picture, request.boxes) : null };
});

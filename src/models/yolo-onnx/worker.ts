import { readFile } from "node:fs/promises";
import { workerData } from "node:worker_threads";
import sharp from "sharp";
import { LociError, type RgbImage } from "../../schema/index.ts";
import { importOptional } from "../optional-package.ts";
import { serveRequests } from "../worker-thread.ts";
import { type Fitted, thingsIn, type YoloOutput } from "./boxes.ts";
import { metadataOf, namesIn } from "./metadata.ts";
import type { YoloReply, YoloRequest } from "./yolo-onnx.ts";

const PACKAGE = "onnxruntime-node";
const VERSION = "1.30.0";
/** The side of the input where the metadata does not tell, and the grey around a picture of another shape. */
const SIDE_PX = 640;
const GREY = 114;
const MOST_SIDE_PX = 4_096;

interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, YoloOutput>>>;
}

interface Runtime {
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: "float32", data: Float32Array, dims: readonly number[]) => unknown;
}

const { file, packagesFrom } = workerData as { file: string; packagesFrom?: string };
let loading: ReturnType<typeof load> | null = null;

async function load() {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new LociError("model-unavailable", `no model at ${file}`, { cause });
  });
  const about = metadataOf(bytes);
  const names = namesIn(about.get("names") ?? "");
  if (names.length === 0)
    throw new LociError(
      "model-unavailable",
      `${file} does not name its classes: export it with its metadata ("names")`,
    );
  const runtime = await importOptional<Runtime>(PACKAGE, VERSION, packagesFrom);
  // The other cores are busy with other stages.
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 };
  const session = await runtime.InferenceSession.create(bytes, options).catch((cause: unknown) => {
    throw new LociError("model-unavailable", `${file} is no ONNX model that ${PACKAGE} reads`, { cause });
  });
  const [high = SIDE_PX, wide = high] = (about.get("imgsz") ?? "").match(/\d+/g)?.map(Number) ?? [];
  if (!(high >= 1 && wide >= 1 && high <= MOST_SIDE_PX && wide <= MOST_SIDE_PX))
    throw new LociError(
      "model-unavailable",
      `expected an input of up to ${MOST_SIDE_PX} pixels, got ${high}×${wide}`,
    );
  return { runtime, session, names, high, wide };
}

/** The picture as such networks take it: scaled to fit, grey around it, one plane a channel, from 0 to 1. */
async function planesOf(
  picture: RgbImage,
  high: number,
  wide: number,
): Promise<{ planes: Float32Array; fitted: Fitted }> {
  const { width, height, data } = picture;
  const scale = Math.min(wide / width, high / height);
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const [left, top] = [(wide - w) >> 1, (high - h) >> 1];
  const small = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(w, h, { fit: "fill" })
    .raw()
    .toBuffer();
  const area = wide * high;
  const planes = new Float32Array(3 * area).fill(GREY / 255);
  for (let row = 0; row < h; row++)
    for (let column = 0; column < w; column++)
      for (let channel = 0; channel < 3; channel++)
        planes[channel * area + (top + row) * wide + left + column] =
          small[3 * (row * w + column) + channel]! / 255;
  return { planes, fitted: { scale, left, top, width, height } };
}

serveRequests<YoloRequest, YoloReply>(async ({ picture, minScore }) => {
  loading ??= load();
  const { runtime, session, names, high, wide } = await loading;
  if (!picture) return { reply: { names, things: [] } };
  const { planes, fitted } = await planesOf(picture, high, wide);
  const input = new runtime.Tensor("float32", planes, [1, 3, high, wide]);
  const out = await session.run({ [session.inputNames[0]!]: input });
  return { reply: { names, things: thingsIn(out[session.outputNames[0]!]!, names, fitted, minScore) } };
});

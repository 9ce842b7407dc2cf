import { workerData } from "node:worker_threads";
import { LociError } from "../../schema/errors.ts";
import { serveRequests } from "../worker-thread.ts";
import type { FoundModel } from "./find-model.ts";
import { type Loader, type LoadOptions, loadWith, type Package } from "./package.ts";
import type { ModelReply, ModelRequest, ModelThreadData } from "./protocol.ts";

/** The parts of the package that we use. */
interface Transformers extends Package {
  pipeline(task: "feature-extraction", model: string, options: LoadOptions): Promise<Extractor>;
  readonly AutoTokenizer: Loader<(texts: string[], options: object) => object>;
  readonly AutoProcessor: Loader<(images: unknown[]) => Promise<object>>;
  readonly CLIPTextModelWithProjection: Loader<Tower>;
  readonly CLIPVisionModelWithProjection: Loader<Tower>;
  readonly SiglipTextModel: Loader<Tower>;
  readonly SiglipVisionModel: Loader<Tower>;
  readonly RawImage: { fromBlob(blob: Blob): Promise<unknown> };
}

interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}

type Extractor = (texts: string[], options: { pooling: string; normalize: boolean }) => Promise<Tensor>;
type Tower = (inputs: object) => Promise<{ [output: string]: Tensor | undefined }>;

interface Model {
  embedTexts(texts: string[]): Promise<Tensor>;
  embedImages?(images: readonly Uint8Array[]): Promise<Tensor>;
}

const start = workerData as ModelThreadData;
const { task, model } = start;
let loading: Promise<Model> | null = null;

function load(): Promise<Model> {
  return loadWith<Transformers, Model>(start, (package_, options) =>
    task === "text" ? loadText(package_, model, options) : loadTowers(package_, model, options),
  );
}

async function loadText(
  package_: Transformers,
  { source, pooling }: FoundModel,
  options: LoadOptions,
): Promise<Model> {
  const extract = await package_.pipeline("feature-extraction", source, options);
  return { embedTexts: (texts) => extract(texts, { pooling, normalize: true }) };
}

async function loadTowers(
  package_: Transformers,
  { source }: FoundModel,
  options: LoadOptions,
): Promise<Model> {
  const { model_type: type } = await package_.AutoConfig.from_pretrained(source, options);
  const isSiglip = type === "siglip" || type === "siglip2";
  if (!isSiglip && type !== "clip") {
    throw new LociError("model-unavailable", `${source}: expected a clip or siglip model, got ${type}`);
  }
  const tokenize = await package_.AutoTokenizer.from_pretrained(source, options);
  const process = await package_.AutoProcessor.from_pretrained(source, options);
  const words = isSiglip ? package_.SiglipTextModel : package_.CLIPTextModelWithProjection;
  const pictures = isSiglip ? package_.SiglipVisionModel : package_.CLIPVisionModelWithProjection;
  const readWords = await words.from_pretrained(source, options);
  const seePicture = await pictures.from_pretrained(source, options);
  // SigLIP was trained on captions padded to its full length and fails on any other.
  const padding = isSiglip ? "max_length" : true;
  return {
    embedTexts: async (texts) =>
      pick(await readWords(tokenize(texts, { padding, truncation: true })), "text_embeds"),
    embedImages: async (images) => {
      const decoded = await Promise.all(images.map((bytes, index) => decode(package_, bytes, index)));
      return pick(await seePicture(await process(decoded)), "image_embeds");
    },
  };
}

async function decode(package_: Transformers, bytes: Uint8Array, index: number): Promise<unknown> {
  try {
    return await package_.RawImage.fromBlob(new Blob([Uint8Array.from(bytes)]));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LociError("invalid-input", `an image cannot be decoded (number ${index} of its batch): ${why}`);
  }
}

/** CLIP names its projected output, SigLIP has only the pooled one. */
function pick(outputs: { [output: string]: Tensor | undefined }, name: string): Tensor {
  const tensor = outputs[name] ?? outputs["pooler_output"];
  if (!tensor)
    throw new Error(`expected an output ${name} or pooler_output, got ${Object.keys(outputs).join(", ")}`);
  return tensor;
}

async function answer(request: ModelRequest): Promise<ModelReply> {
  loading ??= load();
  const loaded = await loading;
  if (request.kind === "load") return { rows: 0, values: new Float32Array() };
  if (request.kind === "texts")
    return replyOf(await loaded.embedTexts([...request.texts]), request.texts.length);
  if (!loaded.embedImages) throw new Error("a text model was asked for images");
  return replyOf(await loaded.embedImages(request.images), request.images.length);
}

function replyOf({ dims, data }: Tensor, rows: number): ModelReply {
  if (dims.length !== 2 || dims[0] !== rows)
    throw new Error(`expected ${rows} vectors, got a tensor ${dims.join("×")}`);
  return { rows, values: Float32Array.from(data) };
}

serveRequests<ModelRequest, ModelReply>(async (request) => {
  const reply = await answer(request);
  return { reply, transfer: [reply.values.buffer] };
});

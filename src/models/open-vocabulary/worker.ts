import { workerData } from "node:worker_threads";
import { LociError, type RgbImage } from "../../schema/index.ts";
import { FAINT_SHARE, type FoundThing } from "../detector.ts";
import { withoutOverlaps } from "../overlaps.ts";
import { type Loader, type LoadOptions, loadWith, type Package } from "../transformers/package.ts";
import { serveRequests } from "../worker-thread.ts";
import { classOf, groundingText } from "./classes.ts";
import { bestCut, type Cuts, paint } from "./masks.ts";
import type { EyeReply, EyeRequest, EyeThreadData } from "./protocol.ts";

/** The parts of the package that we use. */
interface Transformers extends Package {
  readonly RawImage: new (data: Uint8Array, width: number, height: number, channels: 3) => unknown;
  readonly AutoProcessor: Loader<SamProcessor>;
  readonly AutoModelForMaskGeneration: Loader<SamModel>;
  pipeline(task: "zero-shot-object-detection", model: string, options: LoadOptions): Promise<Finder>;
}

interface Tensor {
  readonly dims: readonly number[];
  readonly data: Uint8Array;
}

interface Found {
  readonly score: number;
  readonly label: string;
  readonly box: {
    readonly xmin: number;
    readonly ymin: number;
    readonly xmax: number;
    readonly ymax: number;
  };
}

type Finder = (
  image: unknown,
  words: string[],
  options: { threshold: number; percentage: boolean },
) => Promise<Found[]>;

interface SamInputs {
  readonly pixel_values: Tensor;
  readonly original_sizes: unknown;
  readonly reshaped_input_sizes: unknown;
}

interface SamProcessor {
  (image: unknown, prompts: object): Promise<SamInputs>;
  post_process_masks(masks: Tensor, original: unknown, reshaped: unknown): Promise<Tensor[]>;
}

interface SamModel {
  (inputs: object): Promise<{ readonly pred_masks: Tensor }>;
  get_image_embeddings(inputs: object): Promise<object>;
  readonly sessions: Readonly<Record<string, { readonly inputNames: readonly string[] } | undefined>>;
}

interface Eye {
  detect?(picture: RgbImage, classes: readonly string[], minScore: number | undefined): Promise<FoundThing[]>;
  segment?(picture: RgbImage, boxes: readonly FoundThing["bbox"][]): Promise<EyeReply["masks"]>;
}

/** The kinds of open detectors, each with the score from which its detections are mostly right. */
const DETECTORS: Readonly<Record<string, { readonly minScore: number }>> = {
  owlvit: { minScore: 0.1 },
  owlv2: { minScore: 0.2 },
  "grounding-dino": { minScore: 0.3 },
};
/** Masks computed at once: each takes three images of the picture's size. */
const BOXES_AT_ONCE = 8;
const GREY = 128;

const start = workerData as EyeThreadData;
const { task, model } = start;
let loading: Promise<Eye> | null = null;

function load(): Promise<Eye> {
  return loadWith<Transformers, Eye>(start, async (package_, options) => {
    const { model_type: type } = await package_.AutoConfig.from_pretrained(model.source, options);
    return task === "detector" ? loadDetector(package_, type, options) : loadSegmenter(package_, options);
  });
}

async function loadDetector(package_: Transformers, type: string, options: LoadOptions): Promise<Eye> {
  const kind = DETECTORS[type];
  if (!kind)
    throw new LociError(
      "model-unavailable",
      `${model.source}: expected one of ${Object.keys(DETECTORS).join(", ")}, got ${type}`,
    );
  const find = await package_.pipeline("zero-shot-object-detection", model.source, options);
  return {
    async detect(picture, classes, minScore = kind.minScore) {
      // OWLv2 was trained on pictures padded to squares with grey on the right and below; others use them as they
      // are.
      const shown = type === "owlv2" ? squared(picture) : picture;
      const image = new package_.RawImage(shown.data, shown.width, shown.height, 3);
      const words = type === "grounding-dino" ? [groundingText(classes)] : [...classes];
      // As shares: the package rounds pixels.
      const found = await find(image, words, { threshold: minScore * FAINT_SHARE, percentage: true });
      const things = found.map(({ score, label, box }) => ({
        score,
        ...(score < minScore && { faint: true }),
        label: type === "grounding-dino" ? classOf(label, classes) : label,
        bbox: [
          Math.max(0, box.xmin * shown.width),
          Math.max(0, box.ymin * shown.height),
          Math.min(picture.width, box.xmax * shown.width),
          Math.min(picture.height, box.ymax * shown.height),
        ] as const,
      }));
      return withoutOverlaps(things.filter(isSound));
    },
  };
}

/** Whether a detection is valid: it has a name, a score and an area. */
function isSound<T extends Omit<FoundThing, "label"> & { readonly label: string | undefined }>(
  thing: T,
): thing is T & { readonly label: string } {
  const [left, top, right, bottom] = thing.bbox;
  const hasArea = right - left >= 1 && bottom - top >= 1;
  return thing.label !== undefined && thing.score > 0 && thing.score <= 1 && hasArea;
}

function squared({ width, height, data }: RgbImage): RgbImage {
  const side = Math.max(width, height);
  const square = new Uint8Array(3 * side * side).fill(GREY);
  for (let row = 0; row < height; row++)
    square.set(data.subarray(3 * row * width, 3 * (row + 1) * width), 3 * row * side);
  return { width: side, height: side, data: square };
}

async function loadSegmenter(package_: Transformers, options: LoadOptions): Promise<Eye> {
  const process = await package_.AutoProcessor.from_pretrained(model.source, options);
  const sam = await package_.AutoModelForMaskGeneration.from_pretrained(model.source, options);
  // The first SAM was exported without box input: there the box's centre is the prompt point.
  const takesBoxes = sam.sessions["prompt_encoder_mask_decoder"]?.inputNames.includes("input_boxes") === true;
  return {
    async segment(picture, boxes) {
      const { width, height } = picture;
      const image = new package_.RawImage(picture.data, width, height, 3);
      const cuts: (number[] | undefined)[] = [];
      let embeddings: object | undefined;
      for (let from = 0; from < boxes.length; from += BOXES_AT_ONCE) {
        const some = boxes.slice(from, from + BOXES_AT_ONCE);
        const inputs = await process(image, takesBoxes ? boxPrompts(some) : pointPrompts(some));
        embeddings ??= await sam.get_image_embeddings({ pixel_values: inputs.pixel_values });
        const { pred_masks } = await sam({ ...inputs, ...embeddings });
        const [masks] = await process.post_process_masks(
          pred_masks,
          inputs.original_sizes,
          inputs.reshaped_input_sizes,
        );
        some.forEach((box, n) => {
          cuts.push(bestCut(cutsOf(masks, n, some.length, picture), box));
        });
      }
      return paint(cuts, width, height);
    },
  };
}

const boxPrompts = (boxes: readonly FoundThing["bbox"][]) => ({
  input_boxes: [boxes.map((box) => [...box])],
});

function pointPrompts(boxes: readonly FoundThing["bbox"][]) {
  return {
    input_points: [boxes.map(([left, top, right, bottom]) => [[(left + right) / 2, (top + bottom) / 2]])],
    input_labels: [boxes.map(() => [1])],
  };
}

/** The masks of one box out of those of several: boxes, masks of each, rows, columns. */
function cutsOf(masks: Tensor | undefined, box: number, boxes: number, { width, height }: RgbImage): Cuts {
  const [all = 0, count = 0, rows, columns] = masks?.dims ?? [];
  if (!masks || all !== boxes || rows !== height || columns !== width)
    throw new Error(`expected masks ${boxes}×n×${height}×${width}, got ${masks?.dims.join("×") ?? "none"}`);
  const size = count * width * height;
  return { width, height, count, data: masks.data.subarray(box * size, (box + 1) * size) };
}

async function answer(request: EyeRequest): Promise<EyeReply> {
  loading ??= load();
  const eye = await loading;
  if (request.kind === "detect" && eye.detect)
    return { things: await eye.detect(request.picture, request.classes, request.minScore) };
  if (request.kind === "segment" && eye.segment) {
    const masks = await eye.segment(request.picture, request.boxes);
    return { things: [], ...(masks && { masks }) };
  }
  return { things: [] };
}

serveRequests<EyeRequest, EyeReply>(async (request) => ({ reply: await answer(request) }));

import { LociError } from "../../schema/index.ts";
import type { Detector } from "../detector.ts";
import type { Segmenter } from "../segmenter.ts";
import { findModel } from "../transformers/find-model.ts";
import { WorkerThread, workerBeside } from "../worker-thread.ts";
import { checkClasses } from "./classes.ts";
import type { EyeReply, EyeRequest, EyeThreadData } from "./protocol.ts";

export interface EyeOptions {
  /** A folder whose node_modules holds the package, if it is not installed beside Loci. */
  readonly packagesFrom?: string;
  /** Where downloads are cached; only for models from the hub. */
  readonly cacheDir?: string;
  /** Time limit for one picture. */
  readonly timeoutMs?: number;
  /** Time limit for opening, which may download. */
  readonly openTimeoutMs?: number;
}

export interface OpenVocabularyOptions extends EyeOptions {
  /** What to look for, in words. */
  readonly classes: readonly string[];
  /** Less certain detections are faint or dropped; default depends on the kind of model. */
  readonly minScore?: number;
}

const TIMEOUT_MS = 300_000;
const OPEN_TIMEOUT_MS = 600_000;
const MIN_PX = 8;
const MAX_BOXES = 256;

/**
 * Finds anything named in words: OWL-ViT, OWLv2 or Grounding DINO in ONNX through `@huggingface/transformers`, from a
 * folder or the hub, in a thread of its own. Labels are the given words.
 */
export async function openOpenVocabulary(model: string, options: OpenVocabularyOptions): Promise<Detector> {
  const classes = checkClasses(options.classes);
  const { minScore } = options;
  if (minScore !== undefined && !(minScore > 0 && minScore <= 1))
    throw new LociError("invalid-input", `expected a least score above 0 and up to 1, got ${minScore}`);
  const { thread, id } = await openThread("detector", model, options);
  return {
    id,
    async detect(picture, { signal } = {}) {
      if (picture.width < MIN_PX || picture.height < MIN_PX) return [];
      const request = {
        kind: "detect",
        picture,
        classes,
        ...(minScore !== undefined && { minScore }),
      } as const;
      return (await thread.call(request, signal ? { signal } : {})).things;
    },
    close: () => thread.close(),
  };
}

/**
 * Segments things within their boxes with a model of the SAM family (SAM, SlimSAM, SAM 2, EdgeTAM) in ONNX, by the
 * same package and from the same places.
 */
export async function openSegmentAnything(model: string, options: EyeOptions = {}): Promise<Segmenter> {
  const { thread, id } = await openThread("segmenter", model, options);
  return {
    id,
    async segment(picture, boxes, { signal } = {}) {
      const { width, height } = picture;
      const request = { kind: "segment", picture, boxes: boxes.slice(0, MAX_BOXES) } as const;
      const found = boxes.length === 0 ? undefined : await thread.call(request, signal ? { signal } : {});
      return found?.masks ?? { width, height, data: new Uint16Array(width * height) };
    },
    close: () => thread.close(),
  };
}

async function openThread(task: EyeThreadData["task"], model: string, options: EyeOptions) {
  const found = await findModel(task, model, {});
  const { packagesFrom, cacheDir } = options;
  const thread = new WorkerThread<EyeRequest, EyeReply>(workerBeside(import.meta.url), {
    id: found.id,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    data: { task, model: found, packagesFrom, cacheDir },
  });
  // The first call loads the model, so that a missing file is reported on opening.
  await thread
    .call({ kind: "load" }, { timeoutMs: options.openTimeoutMs ?? OPEN_TIMEOUT_MS })
    .catch(async (error: unknown) => {
      await thread.close();
      throw error;
    });
  return { thread, id: found.id };
}

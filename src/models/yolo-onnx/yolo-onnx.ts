import { basename } from "node:path";
import { LociError, type RgbImage } from "../../schema/index.ts";
import type { Detector, FoundThing } from "../detector.ts";
import { WorkerThread, workerBeside } from "../worker-thread.ts";

export interface YoloOptions {
  /** A folder whose node_modules holds the runtime, if it is not installed beside Loci. */
  readonly packagesFrom?: string | undefined;
  /** Less certain detections are faint; much less certain ones are dropped. */
  readonly minScore?: number | undefined;
  /** Only these of its classes; default all. */
  readonly classes?: readonly string[] | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface YoloRequest {
  /** Absent to load the model only. */
  readonly picture?: RgbImage;
  readonly minScore: number;
}

export interface YoloReply {
  readonly names: readonly string[];
  readonly things: FoundThing[];
}

const MIN_SCORE = 0.35;
const TIMEOUT_MS = 120_000;
const MIN_PX = 8;

/**
 * A detector of YOLO shape from a file that the user has: ONNX with the class names in its metadata, as the usual
 * exporters write it, run by `onnxruntime-node` in a thread of its own. Loci ships no such weights: many are under
 * licences that bind the programs that use them.
 */
export async function openYoloOnnx(file: string, options: YoloOptions = {}): Promise<Detector> {
  const { minScore = MIN_SCORE, packagesFrom, classes = [] } = options;
  if (!(minScore > 0 && minScore <= 1))
    throw new LociError("invalid-input", `expected a least score above 0 and up to 1, got ${minScore}`);
  const id = `yolo:${basename(file)}`;
  const thread = new WorkerThread<YoloRequest, YoloReply>(workerBeside(import.meta.url), {
    id,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    data: { file, packagesFrom },
  });
  const failed = async (error: unknown) => {
    await thread.close();
    throw error;
  };
  // The first call loads the model, so that a missing file or package is reported on opening.
  const { names } = (await thread.call({ minScore }).catch(failed)) as YoloReply;
  const unknown = classes.find((word) => !names.includes(word));
  if (unknown !== undefined)
    await failed(
      new LociError(
        "invalid-input",
        `${basename(file)} does not know "${unknown.slice(0, 64)}", only ${names.slice(0, 100).join(", ")}`,
      ),
    );
  return {
    id,
    async detect(picture, { signal } = {}) {
      if (picture.width < MIN_PX || picture.height < MIN_PX) return [];
      const { things } = await thread.call({ picture, minScore }, signal ? { signal } : {});
      return classes.length === 0 ? things : things.filter(({ label }) => classes.includes(label));
    },
    close: () => thread.close(),
  };
}

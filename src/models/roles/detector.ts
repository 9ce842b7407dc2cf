import { isLociError, LociError } from "../../schema/index.ts";
import type { Detector, FoundThing } from "../detector.ts";
import type { LanguageModel } from "../language/language-model.ts";
import { checkClasses, classOf } from "../open-vocabulary/classes.ts";
import { withoutOverlaps } from "../overlaps.ts";
import { findThings } from "../prompts/loci.ts";
import { runPrompt } from "../prompts/run-prompt.ts";

/** Models scale larger pictures down themselves, and are billed by the pixel. */
const SIDE_PX = 1_024;
const LABEL_CHARS = 80;

/**
 * A vision model as a detector: one call and one picture per frame. With `classes` it finds these only. An unreadable
 * answer counts as a picture without detections; an unreachable model is an error. The caller that opened the model
 * closes it.
 */
export function modelDetector(model: LanguageModel, classes: readonly string[] = []): Detector {
  if (!model.capabilities.vision)
    throw new LociError("not-supported", `${model.id} sees no pictures and so cannot find things in them`);
  const words = classes.length === 0 ? [] : checkClasses(classes);
  return {
    id: model.id,
    async detect({ width, height, data }, { signal } = {}) {
      const { default: sharp } = await import("sharp");
      const bytes = await sharp(data, { raw: { width, height, channels: 3 } })
        .resize({ width: SIDE_PX, height: SIDE_PX, fit: "inside", withoutEnlargement: true })
        .jpeg()
        .toBuffer();
      const images = [{ bytes: new Uint8Array(bytes) }];
      const asked = runPrompt(model, findThings, { classes: words }, { images, signal });
      const said = await asked.catch((error: unknown) => {
        if (isLociError(error, "model-failed")) return undefined;
        throw error;
      });
      const found = said?.output.things ?? [];
      return withoutOverlaps(
        found.flatMap(({ label: named, box, confidence: score }): FoundThing[] => {
          const label =
            words.length === 0 ? named.toLowerCase().slice(0, LABEL_CHARS) : classOf(named, words);
          const bbox = [
            (box[0] * width) / 1_000,
            (box[1] * height) / 1_000,
            (box[2] * width) / 1_000,
            (box[3] * height) / 1_000,
          ] as const;
          const hasArea = bbox[2] - bbox[0] >= 1 && bbox[3] - bbox[1] >= 1;
          return label !== undefined && hasArea && score > 0 ? [{ bbox, score, label }] : [];
        }),
      );
    },
    close: async () => undefined,
  };
}

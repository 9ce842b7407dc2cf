import type { Detector, ModelRoles } from "../models/index.ts";
import type { Frame } from "../sensors/index.ts";

/** What finds, cuts out and reads the things in pictures where the recording does not say. */
export interface EyesRequest {
  /**
   * Finds things: "none" (the default), "coco[:MIN_SCORE]", "open:FOLDER_OR_NAME[:MIN_SCORE]", or a language model
   * that sees, such as "openai:MODEL@URL".
   */
  readonly detector?: string | undefined;
  /** The words to look for; an open detector needs them. */
  readonly classes?: readonly string[] | undefined;
  /** Cuts things out of their boxes: "none" (the default; depth does it) or "sam:FOLDER_OR_NAME". */
  readonly segmenter?: string | undefined;
  /** Reads what is written: "none" (the default) or "tesseract". */
  readonly ocr?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The role "detector" of these finds things, where no other detector was chosen. */
  readonly models?: ModelRoles | undefined;
}

/** Opened eyes: they look at a frame and say what is in it. Whoever opened them closes them. */
export interface Eyes {
  look(frame: Frame): Promise<Frame>;
  close(): Promise<void>;
}

/**
 * Opens what a request names, and tells at once what is missing: before a memory is made, and before an hour of
 * frames. Null where there is nothing to open.
 */
export async function openEyes(request: EyesRequest): Promise<Eyes | null> {
  const { openSegmenter } = await import("../models/index.ts");
  const { segmenter: cutter = "none", ocr = "none", environment } = request;
  const opened: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> } | null>(one: T): T => {
    if (one) opened.push(one);
    return one;
  };
  const close = async () => {
    await Promise.all(opened.map((one) => one.close()));
  };
  try {
    const detector = keep(await detectorOf(request));
    const segmenter = keep(await openSegmenter(cutter, environment));
    const signs = keep(
      ocr === "none"
        ? null
        : await (await import("../models/ocr-tesseract/ocr-tesseract.ts")).openTextReader(ocr, environment),
    );
    if (opened.length === 0) return null;
    const { cutOutIn, detectIn, readSignsIn } = await import("../perception/index.ts");
    return {
      async look(frame) {
        let seen = detector ? await detectIn(frame, detector) : frame;
        if (segmenter) seen = await cutOutIn(seen, segmenter);
        return signs ? readSignsIn(seen, signs) : seen;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function detectorOf({
  detector: choice,
  classes = [],
  environment,
  models,
}: EyesRequest): Promise<Detector | null> {
  const { isLanguageModelDetector, openDetector } = await import("../models/index.ts");
  const role = models?.get("detector");
  if (role && (choice === undefined || isLanguageModelDetector(choice))) {
    const { modelDetector } = await import("../models/roles/index.ts");
    return modelDetector(role, classes);
  }
  return openDetector(choice ?? "none", environment, classes);
}

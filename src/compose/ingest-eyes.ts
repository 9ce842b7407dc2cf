import type { Detector, ModelRoles, TextReader } from "../models/index.ts";
import type { Frame, RecordingItem, SourcePlan, SourceStream } from "../sensors/index.ts";

/**
 * The default detector of a recording or a robot: our own eyes where there is colour with depth, else none. A robot's
 * frames are seen by what came before, since nothing waits for its later ones.
 */
export function detectorFor({ streams }: SourcePlan, choice?: string): string {
  if (choice !== undefined) return choice;
  const has = (...uses: SourceStream["use"][]) => streams.some(({ use }) => uses.includes(use));
  return has("frames") || (has("colour") && has("depth")) ? "eyes" : "none";
}

/** The default text reader ("auto"): PP-OCR where its packages are installed, else none. */
export async function textReaderFor(
  choice: string,
  environment: EyesRequest["environment"] = {},
): Promise<string> {
  return (await import("../models/index.ts")).textReaderFor(choice, environment);
}

/** What detects, segments and reads things in pictures where the recording does not say. */
export interface EyesRequest {
  /**
   * The detector: "eyes" (our own, for colour and depth), "none", "coco[:MIN_SCORE]",
   * "open:FOLDER_OR_NAME[:MIN_SCORE]", "yolo:FILE.onnx[:MIN_SCORE]", or a vision model such as "openai:MODEL@URL".
   * Default: "eyes" where there is colour with depth.
   */
  readonly detector?: string | undefined;
  /** The words to look for; an open detector needs them. */
  readonly classes?: readonly string[] | undefined;
  /** Segments things within their boxes: "none" (the default: depth is used) or "sam:FOLDER_OR_NAME". */
  readonly segmenter?: string | undefined;
  /**
   * The text reader: "paddle" on each thing once its best observations are in, "tesseract" on every frame, "none"
   * (the default), or "auto": "paddle" where its packages are installed.
   */
  readonly ocr?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Its role "detector" finds things where no other detector was chosen. */
  readonly models?: ModelRoles | undefined;
}

/** Opened detectors: they return what a frame shows. The caller that opened them closes them. */
export interface Eyes {
  look(frame: Frame): Promise<Frame>;
  /** The items of a recording, with detections for the wanted frames; later frames may help with earlier ones. */
  through?(
    items: AsyncIterable<RecordingItem>,
    isWanted: (frame: Frame) => Promise<boolean>,
  ): AsyncIterable<RecordingItem>;
  /**
   * The oldest frame that was looked at before enough was known, by what is known by now; undefined where there is none
   * yet. `isPaused`: no other frame comes for a while.
   */
  again?(isPaused: boolean): Frame | undefined;
  /** How many frames may be looked at again. */
  readonly early?: number | undefined;
  /** Warnings about the frames so far, for people. */
  readonly remarks?: readonly string[] | undefined;
  /** Reads text on things once their observations are in. */
  readonly reader?: TextReader | undefined;
  close(): Promise<void>;
}

/**
 * Opens the models that a request names and reports at once what is missing, before a memory is created or hours of
 * frames are processed. Null where there is nothing to open.
 */
export async function openEyes(request: EyesRequest): Promise<Eyes | null> {
  const { openSegmenter, openTextReader } = await import("../models/index.ts");
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
    const own = request.detector === "eyes" ? keep(await ownEyes(environment)) : null;
    const detector = own ? null : keep(await detectorOf(request));
    const segmenter = keep(await openSegmenter(cutter, environment));
    const writing = keep(await openTextReader(ocr, environment));
    if (opened.length === 0) return null;
    const signs = writing?.frames ? writing : null;
    const reader = writing && !signs ? writing : undefined;
    if (own && !segmenter && !signs)
      return {
        ...own,
        reader,
        get remarks() {
          return own.remarks;
        },
        get early() {
          return own.early;
        },
        close,
      };
    const { cutOutIn, detectAhead, detectIn, readSignsIn } = await import("../perception/index.ts");
    const finish = async (frame: Frame) => {
      const seen = segmenter ? await cutOutIn(frame, segmenter) : frame;
      return signs ? readSignsIn(seen, signs) : seen;
    };
    return {
      async look(frame) {
        if (own) return finish(await own.look(frame));
        return finish(detector ? await detectIn(frame, detector) : frame);
      },
      ...(own && {
        through: (items, isWanted) =>
          detectAhead(own.through(items, isWanted), async (item) =>
            item.kind === "frame" && (await isWanted(item.frame))
              ? { kind: "frame", frame: await finish(item.frame) }
              : item,
          ),
      }),
      get remarks() {
        return own?.remarks;
      },
      reader,
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

/** Our own eyes, for colour and depth; detections in the recording itself are kept. */
async function ownEyes(
  environment: EyesRequest["environment"] = {},
): Promise<Eyes & Required<Pick<Eyes, "through">>> {
  const { Seeing, seeThrough } = await import("../perception/index.ts");
  const packagesFrom = environment["LOCI_PACKAGES"];
  const seeing = new Seeing(async () => (await import("../models/eyes/index.ts")).openEyes({ packagesFrom }));
  return {
    look: (frame) => seeing.look(frame),
    again: (isPaused) => seeing.again(isPaused),
    get early() {
      return seeing.early;
    },
    through: (items, isWanted) =>
      seeThrough(
        items,
        seeing,
        async (item) => {
          if (item.kind !== "frame" || item.frame.detections || item.frame.masks) return undefined;
          return (await isWanted(item.frame)) ? item.frame : undefined;
        },
        (_, frame) => ({ kind: "frame", frame }),
      ),
    get remarks() {
      return seeing.remarks;
    },
    close: () => seeing.close(),
  };
}

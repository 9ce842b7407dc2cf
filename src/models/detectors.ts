import { resolve } from "node:path";
import { LociError } from "../schema/index.ts";
import type { Detector } from "./detector.ts";
import type { Segmenter } from "./segmenter.ts";

/** Names of detectors on the command line; vision models are named as elsewhere. */
export const DETECTOR_CHOICES = [
  "eyes",
  "none",
  "coco[:MIN_SCORE]",
  "open:FOLDER_OR_NAME[:MIN_SCORE]",
  "yolo:FILE.onnx[:MIN_SCORE]",
  "openai:MODEL[@BASE_URL]",
] as const;
/** The same for segmenters. */
export const SEGMENTER_CHOICES = ["none", "sam:FOLDER_OR_NAME"] as const;

type Environment = Readonly<Record<string, string | undefined>>;

const CHOICE_CHARS = 1_024;

/** Whether a choice names a language model. */
export function isLanguageModelDetector(choice: string): boolean {
  return /^(openai|anthropic|google):/.test(choice);
}

/**
 * Opens a detector by its choice, null for none. `classes` are the words to look for; the bundled detector keeps
 * those it knows. `LOCI_PACKAGES` names a folder with the optional packages, `LOCI_MODEL_CACHE` one for models from
 * the hub.
 */
export async function openDetector(
  choice: string,
  environment: Environment = {},
  classes: readonly string[] = [],
): Promise<Detector | null> {
  if (choice === "none") return null;
  if (choice.length <= CHOICE_CHARS && isLanguageModelDetector(choice))
    return openModelDetector(choice, environment, classes);
  const [, name, rest, score] = /^(coco|open|yolo)(?::(.*?))??(?::(\d*\.?\d+))?$/.exec(choice) ?? [];
  const minScore = score === undefined ? {} : { minScore: Number(score) };
  if (name === "coco" && rest === undefined) {
    const { openCocoNanodet } = await import("./coco-nanodet/coco-nanodet.ts");
    const { packagesFrom } = places(environment);
    return openCocoNanodet({ ...(packagesFrom && { packagesFrom }), ...minScore, classes });
  }
  if (name === "open" && rest && choice.length <= CHOICE_CHARS) {
    const { openOpenVocabulary } = await import("./open-vocabulary/open-vocabulary.ts");
    return openOpenVocabulary(rest, { ...places(environment), ...minScore, classes });
  }
  if (name === "yolo" && rest && choice.length <= CHOICE_CHARS) {
    const { openYoloOnnx } = await import("./yolo-onnx/yolo-onnx.ts");
    const { packagesFrom } = places(environment);
    return openYoloOnnx(resolve(rest), { ...(packagesFrom && { packagesFrom }), ...minScore, classes });
  }
  throw new LociError(
    "invalid-input",
    `expected a detector such as ${listed(DETECTOR_CHOICES)}, got "${choice.slice(0, 64)}"`,
  );
}

/** Opens a segmenter by its choice, null for none. */
export async function openSegmenter(
  choice: string,
  environment: Environment = {},
): Promise<Segmenter | null> {
  if (choice === "none") return null;
  if (choice.startsWith("sam:") && choice.length > 4 && choice.length <= CHOICE_CHARS) {
    const { findSamPair, openSamPair } = await import("./sam-pair/sam-pair.ts");
    const pair = await findSamPair(choice.slice(4));
    if (pair) return openSamPair(pair, places(environment));
    const { openSegmentAnything } = await import("./open-vocabulary/open-vocabulary.ts");
    return openSegmentAnything(choice.slice(4), places(environment));
  }
  throw new LociError(
    "invalid-input",
    `expected a segmenter such as ${listed(SEGMENTER_CHOICES)}, got "${choice.slice(0, 64)}"`,
  );
}

async function openModelDetector(
  choice: string,
  environment: Environment,
  classes: readonly string[],
): Promise<Detector> {
  const { openLanguageModel, parseLanguageModelSpec } = await import("./language/registry.ts");
  const { modelDetector } = await import("./roles/detector.ts");
  const { roleModel } = await import("./roles/role-model.ts");
  const model = await openLanguageModel(parseLanguageModelSpec(choice, environment));
  return { ...modelDetector(roleModel("detector", model), classes), close: () => model.close() };
}

function places(environment: Environment): { packagesFrom?: string; cacheDir?: string } {
  const { LOCI_PACKAGES: packages, LOCI_MODEL_CACHE: cache } = environment;
  return { ...(packages && { packagesFrom: resolve(packages) }), ...(cache && { cacheDir: resolve(cache) }) };
}

function listed(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}

import { ASKER, MAX_PICTURES } from "../../compose/pictures.ts";
import { whereIn } from "../../compose/where-in.ts";
import { SceneMap } from "../../map/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { ConfidenceRater, LanguageModel, ModelPrices, ModelRoles } from "../../models/index.ts";
import { modelConfidence } from "../../models/roles/index.ts";
import type { Asked, Reading } from "../../reasoning/index.ts";
import { findBy } from "../../reasoning/systems/find.ts";
import { SYSTEMS } from "../../reasoning/systems/index.ts";
import { readEvidence } from "../../reasoning/systems/reader/read-evidence.ts";
import type { Found, SystemName, SystemOptions, SystemSettings } from "../../reasoning/systems/system.ts";
import { type RetrieveOptions, STRATEGIES } from "../../retrieval/index.ts";
import { LociError, UNKNOWN_BACKGROUND } from "../../schema/core.ts";
import type { AskedQuestion, MemoryContext, Strategy } from "./strategy.ts";

export interface SystemStrategyOptions {
  /** Its name in reports; default: the system's name. */
  readonly id?: string | undefined;
  readonly settings?: SystemSettings | undefined;
  /** Used instead of the offline reader, where the system asks a model. */
  readonly model?: LanguageModel | undefined;
  readonly prices?: ModelPrices | undefined;
  readonly confidence?: ConfidenceRater | undefined;
  /** Words to expressions, for experiments with their own reader. */
  readonly read?: ((question: string, asked: Asked) => Promise<readonly Reading[]>) | undefined;
}

/** How far in time a stored view may be from a question's picture. */
const NEAR_US = 5_000_000;

/**
 * A system of the product as a strategy. A model failure is a failed row: the figures are the model's, never the
 * rules'. A question with a picture comes with the stored view of that moment, for a vision model.
 */
export function systemStrategy(name: SystemName, options: SystemStrategyOptions = {}): Strategy {
  const { id = name, settings = {}, model, confidence } = options;
  const system = SYSTEMS[name];
  return {
    id,
    models: { reasoner: model?.id ?? "rules", ...(confidence && { confidence: confidence.id }) },
    settings: {
      system: name,
      ...settings,
      ...(model && { vision: model.capabilities.vision, tools: model.capabilities.tools }),
    },
    withModels: (models) => systemStrategy(name, { ...options, ...reasoningModels(models) }),
    answer: async (question, context) =>
      system.answer(question.text, { ...(await optionsOf(question, context, options)), ...settings }),
  };
}

/** The model options of a system, from the models of a run. */
export function reasoningModels(
  models: ModelRoles,
): Pick<SystemStrategyOptions, "model" | "prices" | "confidence"> {
  const [model, rater] = [models.get("reasoner"), models.get("confidence")];
  return {
    ...(model && { model, prices: model.prices }),
    ...(rater && { confidence: modelConfidence(rater) }),
  };
}

export interface PresetStrategyOptions
  extends Pick<RetrieveOptions, "mode" | "k" | "keys" | "role" | "output" | "tokens"> {
  readonly id?: string | undefined;
  /** What the reader is shown of the results; default all. */
  readonly shown?: ((found: Found, question: AskedQuestion, context: MemoryContext) => Found) | undefined;
}

/** A retrieval preset with the shared reader: compares selection methods that are not systems. */
export function presetStrategy(preset: string, options: PresetStrategyOptions = {}): Strategy {
  const { id = preset, shown = (found) => found, ...settings } = options;
  const strategy = STRATEGIES.find((one) => one === preset);
  if (strategy === undefined)
    throw new LociError(
      "invalid-input",
      `expected a strategy of retrieval (${STRATEGIES.join(", ")}), got "${preset}"`,
    );
  return readStrategy(id, { preset, ...settings }, async (question, context, asked) =>
    shown(await findBy(strategy, question.text, asked, settings), question, context),
  );
}

/** A selection method with the shared reader. */
export function readStrategy(
  id: string,
  settings: Readonly<Record<string, unknown>>,
  find: (question: AskedQuestion, context: MemoryContext, options: SystemOptions) => Promise<Found>,
): Strategy {
  return {
    id,
    models: { reasoner: "rules" },
    settings,
    async answer(question, context) {
      const options = await optionsOf(question, context, {});
      return readEvidence(id, question.text, await find(question, context, options), options);
    },
  };
}

/** One map of a memory, shared by identical requests. */
const maps = new WeakMap<MemoryReader, Promise<SceneMap>>();

async function optionsOf(
  question: AskedQuestion,
  { reader, embedder, forest, nowUs, sceneId, seed, signal }: MemoryContext,
  { model, prices, confidence, read }: SystemStrategyOptions,
): Promise<SystemOptions> {
  const map = () => {
    const known = maps.get(reader) ?? SceneMap.open(reader, { sceneId });
    maps.set(reader, known);
    return known;
  };
  const live = model?.capabilities.vision
    ? ((await viewOf(question, reader)) ?? (await broughtAlong(reader)))
    : undefined;
  return {
    reader,
    embedder,
    nowUs,
    seed,
    signal,
    map,
    navigate: false,
    onFailure: "throw",
    ...(forest && { forest }),
    ...(read && { read }),
    ...(model && { model, prices, confidence }),
    ...(live && { live }),
    ...(question.options && { options: question.options }),
    ...(question.askedOf !== undefined && { agentId: question.askedOf }),
    ...(question.start && { pose: question.start }),
    ...(question.image && !model && { pointed: question.image }),
    ...(embedder && {
      background: (await reader.calibration("text")) ?? embedder.background ?? UNKNOWN_BACKGROUND,
    }),
  };
}

/** The stored picture that a question points at, if there is one. */
async function viewOf({ image }: AskedQuestion, reader: MemoryReader) {
  if (image === undefined) return undefined;
  const { timeUs } = image;
  const { hits } = await reader.search({
    kinds: ["view"],
    time: { overlaps: { fromUs: timeUs - NEAR_US, toUs: timeUs + NEAR_US } },
    rank: "latest",
    limit: 64,
  });
  const off = (fromUs: number) => Math.abs(fromUs - timeUs);
  const [nearest] = hits.sort((a, b) => off(a.record.validFromUs) - off(b.record.validFromUs));
  if (nearest?.record.kind !== "view") return undefined;
  const bytes = await reader.blob(nearest.record.thumb);
  const [look] = await reader.get([nearest.record.observationId]);
  const size = look?.kind === "observation" ? look.intrinsics : undefined;
  return (
    bytes && {
      images: [{ bytes }],
      recordIds: [nearest.record.id],
      ...(size && { text: whereIn(image.bbox, size) }),
    }
  );
}

/** The question's own pictures, in order. */
async function broughtAlong(reader: MemoryReader) {
  const { hits } = await reader.search({
    kinds: ["view"],
    where: { author: [ASKER] },
    rank: "latest",
    limit: MAX_PICTURES,
  });
  const views = hits.flatMap(({ record }) => (record.kind === "view" ? [record] : [])).reverse();
  const blobs = await Promise.all(views.map(({ thumb }) => reader.blob(thumb)));
  const images = blobs.flatMap((bytes) => (bytes ? [{ bytes }] : []));
  return images.length > 0 && images.length === views.length
    ? { images, recordIds: views.map(({ id }) => id) }
    : undefined;
}

import { ASKER, MAX_PICTURES } from "../../compose/pictures.ts";
import { whereIn } from "../../compose/where-in.ts";
import { SceneMap } from "../../map/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { ConfidenceRater, LanguageModel, ModelPrices } from "../../models/index.ts";
import { askWithModel } from "../../reasoning/index.ts";
import type { AskedQuestion, Strategy } from "../runner/strategy.ts";

export interface ModelStrategyOptions {
  readonly prices?: ModelPrices | undefined;
  readonly confidence?: ConfidenceRater | undefined;
}

/** How far from the moment of a question's picture a stored view may be. */
const NEAR_US = 5_000_000;

/**
 * The language-model loop as a strategy. A question that shows something brings the stored view of that moment along. A
 * model that fails is a failed row: the figures are the model's, never the rules' in its name.
 */
export function modelStrategy(model: LanguageModel, options: ModelStrategyOptions = {}): Strategy {
  const { prices, confidence } = options;
  return {
    id: "model",
    models: { reasoner: model.id, ...(confidence && { confidence: confidence.id }) },
    settings: { vision: model.capabilities.vision, tools: model.capabilities.tools },
    async answer(question, { reader, embedder, nowUs, sceneId, signal }) {
      const live = model.capabilities.vision
        ? ((await viewOf(question, reader)) ?? (await broughtAlong(reader)))
        : undefined;
      return askWithModel(question.text, {
        model,
        prices,
        confidence,
        reader,
        embedder,
        nowUs,
        signal,
        onFailure: "throw",
        map: () => SceneMap.open(reader, { sceneId }),
        ...(live && { live }),
        ...(question.options && { options: question.options }),
        ...(question.askedOf !== undefined && { agentId: question.askedOf }),
        ...(question.start && { pose: question.start }),
      });
    },
  };
}

/** The stored picture that a question points at, where there is one. */
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

/** Pictures that the question is about and nothing else, in their order. */
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

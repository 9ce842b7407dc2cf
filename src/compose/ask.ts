import type { Vec3 } from "../geometry/index.ts";
import type { SceneMap } from "../map/index.ts";
import type { CallOptions } from "../memory/port.ts";
import { type Moment, momentUs } from "../memory/query.ts";
import type { EncodedImage, LanguageModel, ModelPrices } from "../models/index.ts";
import type { Strategy } from "../retrieval/index.ts";
import type { AnswerRecord } from "../schema/index.ts";
import type { Memory } from "./memory.ts";

export interface AskRequest {
  /** When it is asked; default: the last moment the memory knows of. */
  readonly now?: Moment | undefined;
  readonly options?: readonly string[] | undefined;
  readonly agentId?: string | undefined;
  readonly sceneId?: string | undefined;
  readonly pose?: { readonly position: Vec3; readonly yawRad: number } | undefined;
  readonly strategy?: Strategy | undefined;
  readonly rounds?: number | undefined;
  /** Answers with this language model instead of by rules; whoever opened it closes it. */
  readonly model?: LanguageModel | undefined;
  readonly prices?: ModelPrices | undefined;
  /** Pictures that the question brings along or that are in view: "this" is what they show. Only a model sees them. */
  readonly images?: readonly EncodedImage[] | undefined;
}

/** Answers a question from a memory, by rules or with a language model; the memory may be a view of somebody or of a time. */
export async function askMemory(
  memory: Memory,
  question: string,
  request: AskRequest = {},
  call: CallOptions = {},
): Promise<AnswerRecord> {
  const { ask, askWithModel } = await import("../reasoning/index.ts");
  const { model, prices, images, ...plain } = request;
  const reader = await memory.reader();
  const { lastUs, embedder: written } = await reader.stats();
  const embedder = written === null ? undefined : await memory.embedder();
  const nowUs = request.now === undefined ? (lastUs ?? Date.now() * 1000) : momentUs(request.now);
  const options = {
    ...plain,
    ...call,
    reader,
    embedder,
    nowUs,
    map: () => mapOf(memory, request.sceneId),
    ...(embedder && { background: await memory.background() }),
  };
  if (model === undefined) return ask(question, options);
  return askWithModel(question, { ...options, model, prices, ...(images && { live: { images } }) });
}

const maps = new WeakMap<Memory, Promise<SceneMap>>();

/** The map of a memory, opened once for all questions. */
async function mapOf(memory: Memory, sceneId = "default"): Promise<SceneMap> {
  let map = maps.get(memory);
  if (map === undefined) {
    const { SceneMap } = await import("../map/index.ts");
    map = SceneMap.open(await memory.reader(), { sceneId });
    maps.set(memory, map);
  }
  return map;
}

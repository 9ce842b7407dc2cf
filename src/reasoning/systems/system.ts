import type {
  ConfidenceRater,
  ImageEmbedder,
  LanguageModel,
  ModelBudget,
  ModelPrices,
} from "../../models/index.ts";
import type { Evidence, Retrieved } from "../../retrieval/index.ts";
import type { AnswerRecord, SystemName } from "../../schema/index.ts";
import type { AskOptions } from "../ask.ts";
import type { LiveView } from "../loop/live.ts";

export { SYSTEM_NAMES, type SystemName } from "../../schema/index.ts";

/** What a paper's peculiarities may be set to; each has the default of docs/formulas.md#paper-and-ours. */
export interface SystemSettings {
  /** Our decisions, or the paper literally where it says something. */
  readonly mode?: "ours" | "paper" | undefined;
  /** How many pieces of evidence; each paper has its own default. */
  readonly k?: number | undefined;
  /** R⁴: which keys may be searched by and told of. */
  readonly keys?: Partial<Keys> | undefined;
  /** MemoryEQA: as many memories as the question is ambiguous (the default), or always `k`. */
  readonly adaptive?: boolean | undefined;
  /** MemoryEQA: retrieve from the library (the default), or hand over all of it. */
  readonly retrieve?: boolean | undefined;
  /** MemoryEQA: only the newest memory of a place, as its library keeps it (the default), or all of them. */
  readonly update?: boolean | undefined;
  /** What chance is drawn by, where there is any; default: the question. */
  readonly seed?: string | undefined;
}

/** R⁴'s keys: what, where, when. */
export interface Keys {
  readonly meaning: boolean;
  readonly space: boolean;
  readonly time: boolean;
}

export interface SystemOptions extends AskOptions, SystemSettings {
  /** Absent, the evidence is read by the algebra, the same for every system. */
  readonly model?: LanguageModel | undefined;
  readonly live?: LiveView | undefined;
  readonly budget?: ModelBudget | undefined;
  readonly prices?: ModelPrices | undefined;
  readonly confidence?: ConfidenceRater | undefined;
  /** Compares pictures with words in a memory of image vectors; without it views are compared by what they show. */
  readonly imageEmbedder?: ImageEmbedder | undefined;
  readonly onFailure?: "rules" | "throw" | "throw-unavailable" | undefined;
}

/** What a system put before whoever answers. */
export interface Found {
  readonly items: readonly Evidence[];
  /** One for each search that was made, in order. */
  readonly searches: readonly { readonly cue: string; readonly retrieved: Retrieved }[];
}

/**
 * One way of answering questions from a memory, as its paper says: what it retrieves, which prompts it uses, what the
 * model sees and when it stops. It answers from its own evidence only; `rules` alone reads the whole memory.
 */
export interface System {
  readonly name: SystemName;
  /** The prompts that it may use, by their ids. */
  readonly prompts: readonly string[];
  answer(question: string, options: SystemOptions): Promise<AnswerRecord>;
}

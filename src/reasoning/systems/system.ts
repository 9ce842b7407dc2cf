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

/** The settings of a paper's method; each has the default of docs/formulas.md#paper-and-ours. */
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
  /** The seed of random choices, if any; default: the question. */
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
  /** Compares pictures with words in a memory of image vectors; without it views are compared by their contents. */
  readonly imageEmbedder?: ImageEmbedder | undefined;
  readonly onFailure?: "rules" | "throw" | "throw-unavailable" | undefined;
  /** In a conversation: the original question, where the system gets a standalone version. */
  readonly asked?: string | undefined;
}

/** The records that a system gives to its reader. */
export interface Found {
  readonly items: readonly Evidence[];
  /** One for each search that was made, in order. */
  readonly searches: readonly { readonly cue: string; readonly retrieved: Retrieved }[];
}

/**
 * One method of answering questions from a memory, as in its paper: what it retrieves, which prompts it uses, what the
 * model sees and when it stops. It answers from its own evidence only; `rules` alone reads the whole memory.
 */
export interface System {
  readonly name: SystemName;
  /** The prompts that it may use, by their ids. */
  readonly prompts: readonly string[];
  answer(question: string, options: SystemOptions): Promise<AnswerRecord>;
}

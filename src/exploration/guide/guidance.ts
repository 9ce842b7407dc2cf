import type { ConfidenceRater, LanguageModel, ModelBudget, ModelPrices } from "../../models/index.ts";
import type { SystemName, SystemOptions, SystemSettings } from "../../reasoning/systems/index.ts";
import type { Switches } from "../../schema/index.ts";

/** What guides an exploration from the memory's content and gives the final answer. */
export interface Guidance {
  /** Writes memory queries, chooses where to go, and decides when to stop; if absent, rules do all three. */
  readonly model?: LanguageModel | undefined;
  readonly prices?: ModelPrices | undefined;
  /** Budget for planning and stopping in one run; the final answer has its system's own. Default: `GUIDE`. */
  readonly budget?: ModelBudget | undefined;
  /** Rates the confidence of an answer, instead of the model. */
  readonly confidence?: ConfidenceRater | undefined;
  readonly selector?: SystemOptions["selector"];
  /** The system of the final answer; default our rules, R⁴ with a model, MemoryEQA in mode paper with one. */
  readonly system?: SystemName | undefined;
  readonly settings?: SystemSettings | undefined;
}

export interface GuideOptions extends Guidance {
  readonly question: string;
  readonly options: readonly string[] | undefined;
  readonly task: "answer" | "navigate";
  readonly switches: Switches;
  readonly isPaper: boolean;
}

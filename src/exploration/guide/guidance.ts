import type { ConfidenceRater, LanguageModel, ModelBudget, ModelPrices } from "../../models/index.ts";
import type { SystemName, SystemOptions, SystemSettings } from "../../reasoning/systems/index.ts";
import type { Switches } from "../../schema/index.ts";

/** Who guides a walk by what the memory holds so far, and answers in the end. */
export interface Guidance {
  /** Writes what the memory is asked, chooses where to go, says when to stop; absent, rules do all three. */
  readonly model?: LanguageModel | undefined;
  readonly prices?: ModelPrices | undefined;
  /** Of planning and stopping in one run; the answer has its system's own. Default: `GUIDE`. */
  readonly budget?: ModelBudget | undefined;
  /** Says how sure an answer would be, in place of the model. */
  readonly confidence?: ConfidenceRater | undefined;
  readonly selector?: SystemOptions["selector"];
  /** Whose way of answering is taken in the end; default our rules, R⁴ with a model, MemoryEQA in mode paper with one. */
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

import type { Guidance } from "../exploration/index.ts";
import type { LanguageModel, ModelBudget, ModelPrices, ModelRoles } from "../models/index.ts";
import type { SystemName, SystemSettings } from "../reasoning/systems/index.ts";

/** Who takes part in a walk, and whose way of answering is taken in the end. */
export interface GuidanceRequest {
  /** Plans, stops and answers with this language model; the caller closes it. */
  readonly model?: LanguageModel | undefined;
  readonly prices?: ModelPrices | undefined;
  /** Models by role: reasoner, confidence and selector count here. */
  readonly models?: ModelRoles | undefined;
  readonly system?: SystemName | undefined;
  readonly settings?: SystemSettings | undefined;
  /** What planning and stopping may use up in the whole run. */
  readonly modelBudget?: ModelBudget | undefined;
}

/** What an explorer is guided by; undefined where it goes by our rules alone. */
export async function guidanceOf(request: GuidanceRequest): Promise<Guidance | undefined> {
  const { models, system, settings, modelBudget: budget } = request;
  const reasoner = models?.get("reasoner");
  const model = request.model ?? reasoner;
  if (system !== undefined) (await import("../reasoning/systems/index.ts")).systemNamed(system);
  if (model === undefined && system === undefined) return undefined;
  const { rolesOf } = await import("./ask.ts");
  const prices = request.prices ?? reasoner?.prices;
  return { model, prices, budget, system, settings, ...(await rolesOf(models)) };
}

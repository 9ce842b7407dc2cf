import type { Guidance } from "../exploration/index.ts";
import type { LanguageModel, ModelBudget, ModelPrices, ModelRoles } from "../models/index.ts";
import type { SystemName, SystemSettings } from "../reasoning/systems/index.ts";

/** Which models take part in an exploration, and which system answers at the end. */
export interface GuidanceRequest {
  /** Plans, stops and answers with this language model; the caller closes it. */
  readonly model?: LanguageModel | undefined;
  readonly prices?: ModelPrices | undefined;
  /** Models by role; reasoner, confidence and selector are used. */
  readonly models?: ModelRoles | undefined;
  readonly system?: SystemName | undefined;
  readonly settings?: SystemSettings | undefined;
  /** Budget for planning and stopping in the whole run. */
  readonly modelBudget?: ModelBudget | undefined;
}

/** What guides an explorer; undefined where our rules alone decide. */
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

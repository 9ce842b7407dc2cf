import { isLociError, LociError } from "../../schema/index.ts";
import {
  type BudgetedModel,
  budgeted,
  type ModelBudget,
  type ModelPrices,
  type Spent,
} from "../language/budget.ts";
import type { LanguageModel } from "../language/language-model.ts";
import type { ModelRole } from "./role.ts";

/** What a model did in one role, for the end of a run: a model that gave up must not go unnoticed. */
export interface RoleUsage extends Spent {
  readonly role: ModelRole;
  readonly model: string;
  readonly failures: number;
  /** What went wrong last, in one line with its code. */
  readonly lastFailure?: string;
}

/** A model at work in one role: within a budget of its own, and left alone once it fails again and again. */
export interface RoleModel extends BudgetedModel {
  readonly prices?: ModelPrices | undefined;
  usage(): RoleUsage;
}

/** Calls of a run where nobody set a budget. Each question of the reasoner has a budget of its own besides. */
const MAX_CALLS: Readonly<Record<ModelRole, number>> = {
  reasoner: 100_000,
  confidence: 20_000,
  detector: 20_000,
  describer: 20_000,
  captioner: 5_000,
  adjudicator: 20_000,
  summariser: 5_000,
  selector: 20_000,
  judge: 100_000,
};
const FAILURES_IN_A_ROW = 3;

/**
 * Puts a model to work. After three failures in a row it is not asked again: an ingest of hours must not wait for a
 * server that is gone. A refusal of tools or pictures, an abort and the end of a budget are no failures of the server.
 */
export function roleModel(
  role: ModelRole,
  model: LanguageModel,
  budget: ModelBudget = {},
  prices?: ModelPrices,
): RoleModel {
  const within = budgeted(model, { calls: MAX_CALLS[role], ...budget }, prices);
  let [failures, inARow] = [0, 0];
  let last: LociError | undefined;
  return {
    id: model.id,
    capabilities: model.capabilities,
    prices,
    spent: () => within.spent(),
    usage: () => ({
      role,
      model: model.id,
      ...within.spent(),
      failures,
      ...(last && { lastFailure: `${last.message} [${last.code}]` }),
    }),
    async generate(request, options) {
      if (last !== undefined && inARow >= FAILURES_IN_A_ROW)
        throw new LociError(
          "model-unavailable",
          `${model.id} is not asked any more after ${inARow} failures in a row; the last: ${last.message}`,
        );
      try {
        const generated = await within.generate(request, options);
        inARow = 0;
        return generated;
      } catch (error) {
        if (isLociError(error, "model-unavailable") || isLociError(error, "model-failed")) {
          failures++;
          inARow++;
          last = error;
        } else if (isLociError(error, "limit-exceeded")) last = error;
        throw error;
      }
    },
    close: () => model.close(),
  };
}

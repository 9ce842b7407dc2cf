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

/** The usage of a model in one role, for the end of a run: a model that failed must not go unnoticed. */
export interface RoleUsage extends Spent {
  readonly role: ModelRole;
  readonly model: string;
  readonly failures: number;
  /** The last failure, in one line with its code. */
  readonly lastFailure?: string;
}

/** A model in one role: with its own budget, and paused after repeated failures. */
export interface RoleModel extends BudgetedModel {
  readonly prices?: ModelPrices | undefined;
  usage(): RoleUsage;
}

/** Default number of calls per run. Each question of the reasoner also has its own budget. */
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
/** The pause after that, doubled each time it fails again, milliseconds. */
const REST_MS = { first: 30_000, most: 600_000 } as const;

/**
 * Runs a model in a role. After three failures in a row it is paused, and then tried once: a long ingest must neither
 * wait for a server that is gone nor do without one that came back. A refusal of tools or pictures, an abort and an
 * exhausted budget do not count as failures.
 */
export function roleModel(
  role: ModelRole,
  model: LanguageModel,
  budget: ModelBudget = {},
  prices?: ModelPrices,
  nowMs: () => number = () => performance.now(),
): RoleModel {
  const within = budgeted(model, { calls: MAX_CALLS[role], ...budget }, prices);
  let [failures, inARow] = [0, 0];
  let restsUntilMs = 0;
  let last: LociError | undefined;
  return {
    id: model.id,
    capabilities: model.capabilities,
    parallel: model.parallel,
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
      const leftMs = restsUntilMs - nowMs();
      if (last !== undefined && leftMs > 0)
        throw new LociError(
          "model-unavailable",
          `${model.id} is not asked for another ${Math.ceil(leftMs / 1_000)} s after ${inARow} failures in a row; the last: ${last.message}`,
        );
      try {
        const generated = await within.generate(request, options);
        inARow = 0;
        restsUntilMs = 0;
        return generated;
      } catch (error) {
        if (isLociError(error, "model-unavailable") || isLociError(error, "model-failed")) {
          failures++;
          inARow++;
          last = error;
          const again = inARow - FAILURES_IN_A_ROW;
          if (again >= 0) restsUntilMs = nowMs() + Math.min(REST_MS.most, REST_MS.first * 2 ** again);
        } else if (isLociError(error, "limit-exceeded")) last = error;
        throw error;
      }
    },
    close: () => model.close(),
  };
}

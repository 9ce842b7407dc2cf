import { LociError } from "../../schema/index.ts";
import type { Generated, LanguageModel, Usage } from "./language-model.ts";

/** Limits for a model over all calls; absent ones do not apply. */
export interface ModelBudget {
  readonly calls?: number | undefined;
  readonly tokens?: number | undefined;
  /** Time spent waiting for the model only. */
  readonly timeMs?: number | undefined;
  readonly costUsd?: number | undefined;
}

/** Dollars per million tokens, as vendors state them. */
export interface ModelPrices {
  readonly inputUsd: number;
  readonly outputUsd: number;
}

export interface Spent {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly timeMs: number;
  /** 0 if no prices are known. */
  readonly costUsd: number;
}

export interface BudgetedModel extends LanguageModel {
  spent(): Spent;
}

/**
 * Enforces a budget: a call after it is used up throws `limit-exceeded`, and a call that runs over the time limit is
 * aborted. A call within the budget may exceed the token limit by its own maxTokens at most.
 */
export function budgeted(model: LanguageModel, budget: ModelBudget, prices?: ModelPrices): BudgetedModel {
  let spent: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, timeMs: 0, costUsd: 0 };
  const exceeded = (what: string) =>
    new LociError("limit-exceeded", `${model.id}: the budget of ${what} is used up`);
  return {
    id: model.id,
    capabilities: model.capabilities,
    parallel: model.parallel,
    spent: () => spent,
    async generate(request, options = {}) {
      if (spent.calls >= (budget.calls ?? Infinity)) throw exceeded(`${budget.calls} calls`);
      if (spent.inputTokens + spent.outputTokens >= (budget.tokens ?? Infinity))
        throw exceeded(`${budget.tokens} tokens`);
      if (spent.costUsd >= (budget.costUsd ?? Infinity)) throw exceeded(`${budget.costUsd} dollars`);
      const leftMs = (budget.timeMs ?? Infinity) - spent.timeMs;
      if (leftMs <= 0) throw exceeded(`${budget.timeMs} ms`);
      // A timer of more than a month fires at once.
      const limit = Number.isFinite(leftMs)
        ? AbortSignal.timeout(Math.ceil(Math.min(leftMs, 2 ** 31 - 1)))
        : undefined;
      const signals = [options.signal, limit].filter((signal) => signal !== undefined);
      const began = performance.now();
      spent = { ...spent, calls: spent.calls + 1 };
      try {
        const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
        const generated = await model.generate(request, { ...options, signal });
        const priced = withCost(generated, prices);
        spent = {
          ...spent,
          inputTokens: spent.inputTokens + priced.usage.inputTokens,
          outputTokens: spent.outputTokens + priced.usage.outputTokens,
          costUsd: spent.costUsd + (priced.usage.costUsd ?? 0),
        };
        return priced;
      } catch (error) {
        if (limit?.aborted && !options.signal?.aborted) throw exceeded(`${budget.timeMs} ms`);
        throw error;
      } finally {
        spent = { ...spent, timeMs: spent.timeMs + performance.now() - began };
      }
    },
    close: () => model.close(),
  };
}

function withCost(generated: Generated, prices: ModelPrices | undefined): Generated {
  if (prices === undefined || generated.usage.costUsd !== undefined) return generated;
  const { inputTokens, outputTokens } = generated.usage;
  const costUsd = (inputTokens * prices.inputUsd + outputTokens * prices.outputUsd) / 1e6;
  const usage: Usage = { inputTokens, outputTokens, costUsd };
  return { ...generated, usage };
}

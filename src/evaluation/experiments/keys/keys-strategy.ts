import { read } from "../../../reasoning/index.ts";
import type { Expression } from "../../../schema/index.ts";
import type { Strategy } from "../../runner/strategy.ts";
import { ruleStrategy } from "../../suites/rule-strategy.ts";
import { type Keys, withoutKeys } from "./without-keys.ts";

const NOT_KNOWN: Expression = { op: "refuse", of: [], with: { reason: "not-understood" } };

/** The product's own reasoner over a memory of which only some keys may be used. */
export function keysStrategy(id: string, keys: Keys): Strategy {
  const rules = ruleStrategy("auto", {
    read: async (question, asked) =>
      (await read(question, asked)).map((reading) => ({
        ...reading,
        parts: reading.parts.map((part) => withoutKeys(part, keys) ?? NOT_KNOWN),
      })),
  });
  return {
    ...rules,
    id,
    settings: { ...rules.settings, keys },
    answer: ({ start, ...question }, context) =>
      rules.answer({ ...question, ...(keys.space && start && { start }) }, context),
  };
}

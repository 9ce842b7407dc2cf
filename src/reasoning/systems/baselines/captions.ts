import { findBy } from "../find.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { Found, System, SystemOptions } from "../system.ts";

/** What a large model takes in at once, tokens; beyond it the history ends. */
const HISTORY_TOKENS = 32_000;

/** Ten captions evenly spread over time, whatever is asked: R-EQA's uniform agent. */
export const uniform: System = {
  name: "uniform",
  prompts: [],
  answer: async (question, options) =>
    readEvidence("uniform", question, await narration("uniform", question, options), options),
};

/** Every caption in order of time, as far as a model's window goes. */
export const wholeHistory: System = {
  name: "whole-history",
  prompts: [],
  answer: async (question, options) => {
    const found = await narration("whole-history", question, options);
    return readEvidence("whole-history", question, found, options);
  },
};

/** Captions where there are any; a memory of boxes alone is told by its states. */
async function narration(
  plan: "uniform" | "whole-history",
  question: string,
  options: SystemOptions,
): Promise<Found> {
  const tokens = plan === "whole-history" ? { tokens: HISTORY_TOKENS } : {};
  const found = await findBy(plan, question, options, tokens);
  return found.items.length > 0 ? found : findBy(plan, question, options, { ...tokens, kinds: ["state"] });
}

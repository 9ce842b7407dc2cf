import { findBy } from "../find.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { System } from "../system.ts";

/** What a large model takes in at once, tokens; beyond it the history ends. */
const HISTORY_TOKENS = 32_000;

/** Ten captions evenly spread over time, whatever is asked: R-EQA's uniform agent. */
export const uniform: System = {
  name: "uniform",
  prompts: [],
  answer: async (question, options) =>
    readEvidence("uniform", question, await findBy("uniform", question, options), options),
};

/** Every caption in order of time, as far as a model's window goes. */
export const wholeHistory: System = {
  name: "whole-history",
  prompts: [],
  answer: async (question, options) => {
    const found = await findBy("whole-history", question, options, { tokens: HISTORY_TOKENS });
    return readEvidence("whole-history", question, found, options);
  },
};

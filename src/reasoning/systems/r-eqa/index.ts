import { answerFromCaptions } from "../../../models/prompts/r-eqa.ts";
import { findBy } from "../find.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { System } from "../system.ts";

/** R-EQA: the k captions most like the question, in order of time. */
export const rEqa: System = {
  name: "r-eqa",
  prompts: [answerFromCaptions.id],
  answer: async (question, options) =>
    readEvidence("r-eqa", question, await findBy("r-eqa", question, options), options),
};

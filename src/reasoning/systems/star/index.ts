import { answerWriter, retrievalAgent } from "../../../models/prompts/star.ts";
import { findBy } from "../find.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { System } from "../system.ts";

/**
 * STaR: captions by cue, the primitives that they saw, the information bottleneck over those (eq. 3–7), and the captions
 * that tell of every cluster (eq. 8–10).
 */
export const star: System = {
  name: "star",
  prompts: [retrievalAgent.id, answerWriter.id],
  answer: async (question, options) =>
    readEvidence("star", question, await findBy("star", question, options), options),
};

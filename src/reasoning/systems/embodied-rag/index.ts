import { findBy } from "../find.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { System } from "../system.ts";

/** Embodied-RAG: k walks down the forest of regions, and the chains from the leaves to their roots. */
export const embodiedRag: System = {
  name: "embodied-rag",
  prompts: [],
  answer: async (question, options) =>
    readEvidence("embodied-rag", question, await findBy("embodied-rag", question, options), options),
};

import { explanation, selectChild, waypoint } from "../../../models/prompts/embodied-rag.ts";
import { findBy } from "../find.ts";
import { answerByModel } from "../model/model-run.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { System } from "../system.ts";
import { descendAndTell } from "./by-model.ts";

/**
 * Embodied-RAG: k walks down the forest of regions, and the chains from the leaves to their roots. With a model it chooses the
 * way at every node, then names a waypoint with its reason, or explains.
 */
export const embodiedRag: System = {
  name: "embodied-rag",
  prompts: [selectChild.id, waypoint.id, explanation.id],
  answer: (question, options) => {
    const { model } = options;
    const offline = async (asked: string) =>
      readEvidence("embodied-rag", asked, await findBy("embodied-rag", asked, options), options);
    if (!model) return offline(question);
    return answerByModel(embodiedRag, question, { ...options, model }, { work: descendAndTell, offline });
  },
};

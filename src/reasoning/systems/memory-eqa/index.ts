import { findBy } from "../find.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { System } from "../system.ts";

/** MemoryEQA: views and captions within a radius and of a number that follow from how ambiguous the query is (eq. 7–8). */
export const memoryEqa: System = {
  name: "memory-eqa",
  prompts: [],
  answer: async (question, options) =>
    readEvidence(
      "memory-eqa",
      question,
      await findBy("memory-eqa", question, options, { role: "answer" }),
      options,
    ),
};

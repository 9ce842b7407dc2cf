import {
  answerLetter,
  answerQuery,
  answerSentence,
  confidenceLetter,
  plannerQuery,
  stopQuery,
} from "../../../models/prompts/memory-eqa.ts";
import { answerByModel } from "../model/model-run.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { System } from "../system.ts";
import { recallAndAnswer } from "./by-model.ts";
import { findIn } from "./retrieval.ts";

/**
 * MemoryEQA: views and captions within a radius and of a number that follow from how ambiguous the query is (eq. 7–8). With a
 * model memory feeds planner, stopping and answering, each by a query that the model writes.
 */
export const memoryEqa: System = {
  name: "memory-eqa",
  prompts: [plannerQuery, stopQuery, answerQuery, confidenceLetter, answerLetter, answerSentence].map(
    ({ id }) => id,
  ),
  answer: (question, options) => {
    const { model } = options;
    const offline = async (asked: string) =>
      readEvidence("memory-eqa", asked, await findIn(asked, options), options);
    if (!model) return offline(question);
    return answerByModel(memoryEqa, question, { ...options, model }, { work: recallAndAnswer, offline });
  },
};

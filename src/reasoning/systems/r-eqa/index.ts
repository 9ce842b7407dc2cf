import { answerFromCaptions } from "../../../models/prompts/r-eqa.ts";
import { findBy } from "../find.ts";
import { answerByModel, type ModelRun } from "../model/model-run.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { System } from "../system.ts";
import { answerFrom } from "./from-captions.ts";

/** R-EQA: the k captions most like the question, in order of time; with a model LLM(w, captions, q), asked once. */
export const rEqa: System = {
  name: "r-eqa",
  prompts: [answerFromCaptions.id],
  answer: (question, options) => {
    const { model } = options;
    const find = (asked: string) => findBy("r-eqa", asked, options);
    const offline = async (asked: string) => readEvidence("r-eqa", asked, await find(asked), options);
    if (!model) return offline(question);
    const work = async (run: ModelRun) => answerFrom(run, await find(run.question), { rightP: RIGHT_P });
    return answerByModel(rEqa, question, { ...options, model }, { work, offline });
  },
};

/** The share of right answers in the paper (Table 1, all scenes, Qwen captions): it asks its model for no confidence. */
const RIGHT_P = 0.46;

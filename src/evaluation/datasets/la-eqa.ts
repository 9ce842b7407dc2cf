import { z } from "zod";
import type { QuestionType } from "../../schema/index.ts";
import { AFTER_ALL_US, type Dataset, makeQuestion, readJson, truthInWords } from "./dataset.ts";
import { scenesThatAreThere } from "./scene-files.ts";

const questionsSchema = z.array(
  z.object({
    question: z.string().min(1),
    answer: z.string().min(1),
    category: z.string(),
    question_id: z.string().min(1).max(60),
    scene_name: z.string().min(1).max(120),
  }),
);

const TYPES: Readonly<Record<string, QuestionType>> = {
  past: "temporal",
  present: "recognition",
  multi_past: "temporal",
  past_present: "change",
  past_present_future: "predictive",
};

/** LA-EQA (Enter the Mind Palace): questions over several days. "A OR B" is either. */
export function loadLaEqa(folder: string): Dataset {
  const all = readJson("la-eqa", folder, "eqa-questions.json", questionsSchema.max(100_000));
  const asked = all.map((one) => {
    const [answer = one.answer, ...extra] = one.answer.split(/\s+OR\s+/);
    return {
      scene: one.scene_name,
      question: makeQuestion({
        id: `la-eqa-${one.question_id}`,
        family: "la-eqa",
        suite: "la-eqa",
        type: TYPES[one.category] ?? "temporal",
        subtype: one.category,
        text: one.question.trim(),
        answer: truthInWords(answer),
        extra,
        askedAtUs: AFTER_ALL_US,
      }),
    };
  });
  return {
    name: "la-eqa",
    ...scenesThatAreThere("la-eqa", folder, asked),
    notes: ["Asked after everything that was recorded; who may also go and look is not part of this."],
  };
}

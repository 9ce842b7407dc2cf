import { Random, type Vec3 } from "../../../geometry/index.ts";
import { answerFromCaptions } from "../../../models/prompts/r-eqa.ts";
import { type AnswerInput, type AnswerRecord, answerSchema } from "../../../schema/index.ts";
import { answerByModel, type ModelRun } from "../model/model-run.ts";
import { answerFrom } from "../r-eqa/from-captions.ts";
import type { System } from "../system.ts";
import { expectationOf } from "./expectation.ts";

/** The most common answers of people who have not looked. */
const GUESSES: readonly (readonly [RegExp, string])[] = [
  [/\bcolou?r\b/, "white"],
  [/\bmaterial\b|\bmade of\b/, "wood"],
  [/\b(what|which) room\b/, "living room"],
  [/\bopen or closed\b|\bopen\b.*\bclosed\b/, "closed"],
  [/\bon or off\b/, "off"],
  [/\bleft or right\b|\b(what|which) (side|direction)\b/, "left"],
  [/\bshape\b/, "rectangular"],
  [/\bwhere\b/, "on the table"],
  [/\bwall\b/, "a painting"],
];
const ELSE = "a table";

/** A guess is as sure as this: a little above none, as most are wrong. */
const GUESS_P = 0.1;

/**
 * Answers without looking, from the words of the question and common knowledge; with a model R-EQA's LLM(w, q). Its
 * right answers say nothing about a memory; a report gives every figure with and without those questions.
 */
export const blind: System = {
  name: "blind",
  prompts: [answerFromCaptions.id],
  answer: async (question, options) => {
    const { nowUs, options: choices, pose, seed, model } = options;
    const offline = async (text: string) =>
      guess({ text, askedAtUs: nowUs, options: choices, start: pose }, { nowUs, seed: seed ?? text });
    if (!model) return offline(question);
    const work = (run: ModelRun) => answerFrom(run, undefined, { rightP: BLIND_P });
    return answerByModel(blind, question, { ...options, model }, { work, offline });
  },
};

/** The share of right answers of a model that sees nothing (R-EQA, Table 1, all scenes). */
const BLIND_P = 0.34;

/** A question as far as a guess needs it. */
export interface Guessed {
  readonly text: string;
  readonly askedAtUs: number;
  readonly options?: readonly string[] | undefined;
  readonly start?: { readonly position: Vec3 } | undefined;
}

/** A guess at a question, the same one for the same seed. */
export function guess(
  question: Guessed,
  { nowUs, seed }: { readonly nowUs: number; readonly seed: string },
): AnswerRecord {
  const of = (draft: Pick<AnswerInput, "type" | "text"> & Partial<AnswerInput>) =>
    answerSchema.parse({
      question: question.text,
      askedAtUs: question.askedAtUs,
      strategy: "blind",
      status: "answered",
      confidence: GUESS_P,
      ...draft,
    } satisfies AnswerInput);
  if (question.options !== undefined) {
    const chosen = new Random(seed).int(0, question.options.length);
    const choice = String.fromCharCode(65 + chosen);
    return of({ type: "choice", text: question.options[chosen]!, choice });
  }
  const text = question.text.toLowerCase();
  const usual = GUESSES.find(([pattern]) => pattern.test(text))?.[1] ?? ELSE;
  switch (expectationOf(text)) {
    case "binary":
      return of({ type: "binary", text: "yes", binary: true });
    case "count":
      return of({ type: "count", text: "2", count: 2 });
    case "time":
      return of({ type: "time", text: "five minutes ago", time: { atUs: nowUs - 300e6, agoS: 300 } });
    case "duration":
      return of({ type: "duration", text: "two minutes", durationS: 120 });
    case "quantity":
      return of({ type: "quantity", text: "one metre", quantity: { value: 1, unit: "m" } });
    case "position":
      return question.start === undefined
        ? of({ type: "text", text: usual })
        : of({ type: "position", text: "right here", position: { point: question.start.position } });
    case "text":
      return of({ type: "text", text: usual });
  }
}

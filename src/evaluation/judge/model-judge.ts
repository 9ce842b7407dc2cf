import type { LanguageModel } from "../../models/index.ts";
import { runPrompt } from "../../models/prompts/index.ts";
import { matchJudge } from "../../models/prompts/r-eqa.ts";
import { isLociError, LIMITS, type TruthAnswer } from "../../schema/index.ts";
import type { Judge, Judgement } from "./judge.ts";
import { judgeByRules } from "./rule-judge.ts";

export interface ModelJudgeOptions {
  /**
   * Which truths the model judges. "words" (the default): free text only; numbers, places and times are judged by the
   * rules. "all": everything by its text, as in the published figures.
   */
  readonly judges?: "words" | "all";
}

/** Truths in free words, for which an opinion is needed. */
const IN_WORDS: ReadonlySet<TruthAnswer["type"]> = new Set(["text", "rubric"]);
/** The seed of the public OpenEQA scorer. */
const SEED = 1234;

/**
 * A language model as judge, with the rules of the public OpenEQA scorer: marks clipped to 1–5, the response cut
 * after its last full stop, a missing answer worth nothing. A reply that is not a mark is requested again once, then
 * reported as unparsable, verbatim. A failed call is a failure, not a bad mark.
 */
export function modelJudge(model: LanguageModel, { judges = "words" }: ModelJudgeOptions = {}): Judge {
  const id = `model:${model.id}`;
  return {
    id: judges === "all" ? `${id}:all` : id,
    async judge(question, answer, signal): Promise<Judgement> {
      if (judges === "words" && !IN_WORDS.has(question.answer.type)) return judgeByRules(question, answer);
      if (answer.text.trim() === "") return { score: null, why: "no answer" };
      if (judges === "words" && answer.status !== "answered")
        return { score: null, why: `not answered: ${answer.status}` };
      const unparsable: string[] = [];
      const input = {
        question: question.text,
        truth: question.answer.text,
        extra: question.extra,
        prediction: untilLastFullStop(answer.text),
        ...(question.options && question.options.length > 1 && { options: question.options }),
      };
      const onUnreadable = (text: string) => void unparsable.push(text.slice(0, LIMITS.lineChars));
      try {
        const { output } = await runPrompt(model, matchJudge, input, { signal, sample: SEED, onUnreadable });
        const why = `${id} says ${output}`;
        return { score: output, why, ...(unparsable.length > 0 ? { unparsable } : {}) };
      } catch (error) {
        if (!isLociError(error, "model-failed") || unparsable.length < 2) throw error;
        return { score: null, why: `${id} gave no mark`, unparsable };
      }
    },
  };
}

/** Cuts an unfinished last sentence, as the official scorer does; a text without a full stop stays whole. */
export function untilLastFullStop(text: string): string {
  const end = text.lastIndexOf(".");
  return end < 0 ? text : text.slice(0, end + 1);
}

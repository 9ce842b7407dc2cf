import { answerLetter, answerSentence } from "../../models/prompts/memory-eqa.ts";
import type { Found } from "../../reasoning/systems/system.ts";
import { type AnswerInput, type AnswerRecord, answerSchema, LIMITS } from "../../schema/index.ts";
import type { Asking } from "./asking.ts";
import type { GuideOptions } from "./guidance.ts";
import type { Note } from "./notes.ts";
import { picturesOf } from "./pictures.ts";
import { type Moment, memoriesText } from "./recollection.ts";

/** Even odds: only the view supports it. */
const SURE = 0.5;

/** A model's answer from what is in view alone: the papers' baseline without memory in answering (MemoryEQA P7, P8). */
export async function answerFromView(
  note: Note,
  asking: Asking,
  found: Found,
  moment: Moment,
  { question, options, model }: Pick<GuideOptions, "question" | "options" | "model">,
): Promise<AnswerRecord | undefined> {
  const { nowUs } = moment.asked;
  const images = await picturesOf(model!, moment.frame);
  const memories = memoriesText(found, nowUs);
  const said =
    options === undefined
      ? await asking.ask(note, answerSentence, { question, memories }, moment, images)
      : await asking.ask(note, answerLetter, { question, memories, options: [...options] }, moment, images);
  const at = options === undefined || said === undefined ? undefined : said.charCodeAt(0) - 65;
  if (said === undefined || (options !== undefined && options[at!] === undefined)) return undefined;
  return answerSchema.parse({
    question: question.slice(0, LIMITS.queryChars),
    askedAtUs: nowUs,
    strategy: "in-view",
    status: "answered",
    confidence: SURE,
    ...(options === undefined
      ? { type: "text", text: said }
      : { type: "choice", text: options[at!]!, choice: said }),
    trace: { models: { reasoner: model!.id } },
  } satisfies AnswerInput);
}

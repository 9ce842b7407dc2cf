import * as embodiedRag from "./embodied-rag.ts";
import * as loci from "./loci.ts";
import * as memoryEqa from "./memory-eqa.ts";
import type { PromptSpec } from "./prompt-spec.ts";
import * as rEqa from "./r-eqa.ts";
import * as r4 from "./r4.ts";
import * as star from "./star.ts";

export type { PromptSpec } from "./prompt-spec.ts";
export { QUOTING_RULE, quoted } from "./quote.ts";
export {
  ANSWER_RULES,
  answerability,
  answerWithContext,
  doesItShow,
  type ModelAnswer,
  modelAnswerSchema,
  roundsText,
  type SearchKeys,
  type StatedClaim,
} from "./r4.ts";
export { jsonIn, jsonSchemaOf, parseLoose, runPrompt } from "./run-prompt.ts";

/** Every prompt of docs/formulas.md#prompts, and ours, by its id. */
export const PROMPTS: ReadonlyMap<string, PromptSpec> = new Map(
  [r4, memoryEqa, star, embodiedRag, rEqa, loci]
    .flatMap((paper) => Object.values(paper) as unknown[])
    .filter((value): value is PromptSpec => typeof value === "object" && value !== null && "render" in value)
    .map((spec) => [spec.id, spec]),
);

import { type AnswerRecord, LociError } from "../../schema/index.ts";
import { standalone } from "../talk/standalone.ts";
import { blind } from "./baselines/blind.ts";
import { uniform, wholeHistory } from "./baselines/captions.ts";
import { rules } from "./baselines/rules.ts";
import { embodiedRag } from "./embodied-rag/index.ts";
import { memoryEqa } from "./memory-eqa/index.ts";
import { rEqa } from "./r-eqa/index.ts";
import { r4 } from "./r4/index.ts";
import { star } from "./star/index.ts";
import { SYSTEM_NAMES, type System, type SystemName, type SystemOptions } from "./system.ts";

export { SYSTEM_NAMES, type SystemName, type SystemOptions, type SystemSettings } from "./system.ts";

/** Every system by its name. */
export const SYSTEMS: Readonly<Record<SystemName, System>> = {
  rules,
  r4,
  star,
  "memory-eqa": memoryEqa,
  "embodied-rag": embodiedRag,
  "r-eqa": rEqa,
  blind,
  uniform,
  "whole-history": wholeHistory,
};

/** The system of a name; "auto" is the default of `ask`. */
export function systemNamed(name: string): System {
  if (name === "auto") return SYSTEMS.rules;
  if ((SYSTEM_NAMES as readonly string[]).includes(name)) return SYSTEMS[name as SystemName];
  throw new LociError("invalid-input", `expected a system (${SYSTEM_NAMES.join(", ")}), got "${name}"`);
}

/**
 * Answers a question by the system of a name. In a conversation the system gets words that stand alone, so that it
 * retrieves the right records; the reader of the evidence gets the original question and the earlier turns.
 */
export async function answerBy(
  name: string,
  question: string,
  options: SystemOptions,
): Promise<AnswerRecord> {
  const system = systemNamed(name);
  if (system === SYSTEMS.rules || !options.history?.length) return system.answer(question, options);
  const said = await standalone(question, options);
  const answer = await system.answer(said, { ...options, asked: question });
  return { ...answer, question };
}

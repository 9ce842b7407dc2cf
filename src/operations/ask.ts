import { z } from "zod";
import type { AskCall, AskRequest } from "../compose/ask.ts";
import { type AnswerRecord, type AskSettings, askSettingsSchema, LIMITS } from "../schema/index.ts";
import { withView } from "./context.ts";
import { operation } from "./operation.ts";

const questionSchema = z
  .string()
  .trim()
  .min(1, "a question has at least one word; got an empty one")
  .max(LIMITS.queryChars, `a question has at most ${LIMITS.queryChars} characters`);

export const askInputSchema = z.strictObject({ question: questionSchema, ...askSettingsSchema.shape });

/** Over HTTP it can be streamed too: `interfaces/http/routes/ask.ts`. */
export const ask = operation({
  summary: "Answer a question, with the evidence",
  scope: "read",
  cost: "question",
  input: askInputSchema,
  output: z.looseObject({ status: z.string(), text: z.string() }),
  lead: "question",
  run: (context, { question, ...settings }, call: AskCall): Promise<AnswerRecord> =>
    withView(context, settings, async (view) => {
      const { askMemory } = await import("../compose/ask.ts");
      return askMemory(view, question, requestOf(settings), call);
    }),
});

/** The settings of a question as the memory takes them. */
export function requestOf({
  agent,
  scene,
  asOfMemory: _,
  asOfWorld: __,
  mode,
  ...rest
}: AskSettings): AskRequest {
  return {
    ...rest,
    agentId: agent,
    sceneId: scene,
    ...(mode && { settings: { mode } }),
  };
}

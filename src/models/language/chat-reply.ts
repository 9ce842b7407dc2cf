import { z } from "zod";
import { LociError } from "../../schema/index.ts";
import { type FinishReason, type Generated, LANGUAGE_LIMITS, type ToolCall } from "./language-model.ts";

const CHARS_PER_TOKEN = 4;

const replySchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z
            .union([
              z.string(),
              z.array(z.object({ text: z.string().optional() })).transform((parts) => {
                return parts.map(({ text }) => text ?? "").join("");
              }),
            ])
            .nullish(),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({
                id: z.string().max(256).nullish(),
                function: z.object({
                  name: z.string().max(256),
                  // Ollama has sent objects here.
                  arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
                }),
              }),
            )
            .max(LANGUAGE_LIMITS.toolCallsPerAnswer)
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z
    .object({ prompt_tokens: z.number().min(0).nullish(), completion_tokens: z.number().min(0).nullish() })
    .nullish(),
});

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "refused",
};

/** Parses a chat completion; `sentChars` is used to estimate the usage if the server sends none. */
export function parseChatReply(json: unknown, id: string, sentChars: number): Generated {
  const parsed = replySchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.map(String).join(".") || "the top";
    throw new LociError("model-failed", `${id}: expected a chat answer, got ${issue?.message} at ${where}`);
  }
  const { choices, usage } = parsed.data;
  const { message, finish_reason } = choices[0]!;
  const refused = message.refusal != null && message.refusal !== "";
  const text = (refused ? message.refusal : message.content) ?? "";
  const toolCalls = (message.tool_calls ?? []).map(
    (call, n): ToolCall => ({
      id: call.id || `call-${n}`,
      name: call.function.name,
      input: inputOf(call.function.arguments),
    }),
  );
  return {
    text: withoutThoughts(text).toWellFormed(),
    toolCalls,
    usage: {
      inputTokens: Math.ceil(usage?.prompt_tokens ?? sentChars / CHARS_PER_TOKEN),
      outputTokens: Math.ceil(usage?.completion_tokens ?? text.length / CHARS_PER_TOKEN),
    },
    finish: refused ? "refused" : (FINISH[finish_reason ?? "stop"] ?? "other"),
  };
}

/** Local reasoning models write their thoughts before the answer, some without an opening tag; they are removed. */
const THOUGHTS = /^(?:\s*<think(?:ing)?>)?[\s\S]*?<\/think(?:ing)?>\s*/;
/** Thoughts cut off by the limit are all there is. */
const CUT_THOUGHTS = /^\s*<think(?:ing)?>(?![\s\S]*<\/think)[\s\S]*$/;

export function withoutThoughts(text: string): string {
  return text.replace(CUT_THOUGHTS, "").replace(THOUGHTS, "");
}

/** Arguments are JSON in a string; invalid JSON stays a string, for the tool to refuse. */
function inputOf(value: string | Record<string, unknown> | null | undefined): unknown {
  if (typeof value !== "string") return value ?? {};
  if (value.trim() === "") return {};
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

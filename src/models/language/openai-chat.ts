import { z } from "zod";
import { isLociError, LIMITS, LociError, parseOrThrow, throwIfAborted } from "../../schema/index.ts";
import { postJson, type Wire } from "../openai-compatible/http.ts";
import { isPlainAddress } from "../openai-compatible/openai-compatible.ts";
import { chatBody, checkRequest } from "./chat-body.ts";
import { parseChatReply } from "./chat-reply.ts";
import { streamingFetch } from "./event-stream.ts";
import type { GenerateRequest, LanguageModel } from "./language-model.ts";

const MEBIBYTE = 1_048_576;

const optionsSchema = z.object({
  /** As far as `/v1`, without `/chat/completions`. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .refine(isPlainAddress, "an address has no user, password, query or fragment; a key goes into apiKey"),
  model: z.string().min(1).max(LIMITS.nameChars),
  apiKey: z
    .string()
    .min(1)
    .max(4_096)
    .regex(/^[\x21-\x7e]+$/, "a key has only printable ASCII")
    .optional(),
  vision: z.boolean().default(true),
  tools: z.boolean().default(true),
  timeoutMs: z.int().min(1).max(600_000).default(60_000),
  /** After the first attempt, on 408, 429, 5xx, a cut connection or a timeout. */
  retries: z.int().min(0).max(10).default(2),
  pauseMs: z.int().min(0).max(60_000).default(500),
  maxPauseMs: z.int().min(0).max(600_000).default(10_000),
  maxReplyBytes: z
    .int()
    .min(1)
    .max(16 * MEBIBYTE)
    .default(MEBIBYTE / 2),
});

export interface OpenAiChatOptions extends z.input<typeof optionsSchema> {
  readonly fetch?: typeof globalThis.fetch;
  /** Spreads the pauses of many clients; a number in [0, 1). */
  readonly random?: () => number;
}

/**
 * Any server with OpenAI's `POST /chat/completions`: vLLM, Ollama, llama.cpp, LM Studio, OpenAI. It needs no package
 * and asks nothing on opening. The id holds the model and not the address.
 */
export function openOpenAiChat(options: OpenAiChatOptions): LanguageModel {
  const { fetch = globalThis.fetch, random = Math.random, ...given } = options;
  const config = parseOrThrow(optionsSchema, given, "the options of the language model");
  const id = `openai:${config.model}`.slice(0, LIMITS.nameChars);
  const url = `${config.baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const wire: Wire = { ...config, apiKey: config.apiKey ?? null, id, url, fetch, random };
  const closing = new AbortController();
  return {
    id,
    capabilities: { vision: config.vision, tools: config.tools },
    async generate(request, { signal, onText } = {}) {
      throwIfAborted(signal);
      checkRequest(id, request);
      const body = chatBody(config.model, request, onText !== undefined);
      const through = onText ? { ...wire, fetch: streamingFetch(fetch, onText, config.maxReplyBytes) } : wire;
      try {
        const reply = await postJson(through, body, closing.signal, signal);
        return parseChatReply(reply, id, JSON.stringify(body).length);
      } catch (error) {
        throw notSupported(error, request) ?? error;
      }
    },
    close: async () => closing.abort(),
  };
}

/** A 4xx that speaks of tools or pictures is a lack of the model, which the caller can do without. */
function notSupported(error: unknown, request: GenerateRequest): LociError | undefined {
  if (!isLociError(error, "model-failed") || !/answered (?:400|404|415|422|501)/.test(error.message)) return;
  const said = error.message.slice(error.message.indexOf("answered"));
  const aboutTools = (request.tools?.length ?? 0) > 0 && /\btools?\b|function/i.test(said);
  const hasImage = request.messages.some(
    (message) => message.role === "user" && message.parts.some(({ type }) => type === "image"),
  );
  const aboutImages = hasImage && /image|vision|multi-?modal/i.test(said);
  if (!aboutTools && !aboutImages) return;
  return new LociError("not-supported", error.message, { cause: error });
}

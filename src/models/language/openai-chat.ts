import { z } from "zod";
import { LIMITS, parseOrThrow, throwIfAborted } from "../../schema/index.ts";
import { CHAT_DEFAULTS, endpointSchema, type Injected, wireOf } from "../openai-compatible/endpoint.ts";
import { postJson, type Wire } from "../openai-compatible/http.ts";
import { chatBody, checkRequest } from "./chat-body.ts";
import { parseChatReply } from "./chat-reply.ts";
import { learnFrom, newDialect } from "./dialect.ts";
import { streamingFetch } from "./event-stream.ts";
import { extraBodySchema } from "./extra-body.ts";
import type { GenerateRequest, LanguageModel } from "./language-model.ts";
import { notSupported } from "./not-supported.ts";

const optionsSchema = endpointSchema(CHAT_DEFAULTS).extend({
  vision: z.boolean().default(true),
  tools: z.boolean().default(true),
  parallel: z.int().min(1).max(64).optional(),
  reasoningEffort: z.string().min(1).max(32).optional(),
  extraBody: extraBodySchema.optional(),
});

export interface OpenAiChatOptions extends z.input<typeof optionsSchema>, Injected {}

/**
 * Any server with OpenAI's `POST /chat/completions`: vLLM, Ollama, llama.cpp, LM Studio, OpenAI. It needs no package
 * and sends nothing on opening. The id contains the model and not the address.
 */
export function openOpenAiChat(options: OpenAiChatOptions): LanguageModel {
  const { fetch = globalThis.fetch, random, ...given } = options;
  const config = parseOrThrow(optionsSchema, given, "the options of the language model");
  const id = `openai:${config.model}`.slice(0, LIMITS.nameChars);
  const wire = wireOf(config, id, "/chat/completions", { fetch, ...(random && { random }) });
  const closing = new AbortController();
  const dialect = newDialect();
  /** Retries without a field that the server refuses, once per field in the lifetime of the model. */
  const post = async (request: GenerateRequest, through: Wire, stream: boolean, signal?: AbortSignal) => {
    for (;;) {
      const body = chatBody(config.model, request, stream, dialect, config);
      try {
        const reply = await postJson(through, body, closing.signal, signal);
        return parseChatReply(reply, id, JSON.stringify(body).length);
      } catch (error) {
        if (!learnFrom(error, dialect)) throw notSupported(error, request) ?? error;
      }
    }
  };
  return {
    id,
    capabilities: { vision: config.vision, tools: config.tools },
    parallel: config.parallel,
    async generate(request, { signal, onText } = {}) {
      throwIfAborted(signal);
      checkRequest(id, request);
      if (onText === undefined) return post(request, wire, false, signal);
      let streamed = false;
      const heard = (soFar: string) => {
        streamed = true;
        onText(soFar);
      };
      const through = { ...wire, fetch: streamingFetch(fetch, heard, config.maxReplyBytes) };
      const generated = await post(request, through, true, signal);
      // A server that does not stream has sent everything at once.
      if (!streamed && generated.text !== "") onText(generated.text);
      return generated;
    },
    close: async () => closing.abort(),
  };
}

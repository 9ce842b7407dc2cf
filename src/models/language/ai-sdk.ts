import { setTimeout as pause } from "node:timers/promises";
import { LIMITS, LociError, throwIfAborted } from "../../schema/index.ts";
import { retryAfterMs } from "../openai-compatible/http.ts";
import { importOptional } from "../optional-package.ts";
import { checkRequest, mediaTypeOf } from "./chat-body.ts";
import { withoutThoughts } from "./chat-reply.ts";
import type { FinishReason, GenerateRequest, LanguageModel, Message, ToolCall } from "./language-model.ts";
import { notSupported } from "./not-supported.ts";
import { boundedStream, type SdkAnswer, type SdkPart, wholeOf } from "./sdk-stream.ts";

/** The package for each vendor, at the version this file was written against. */
const VENDORS = {
  anthropic: { name: "@ai-sdk/anthropic", version: "4.0.102", factory: "createAnthropic" },
  google: { name: "@ai-sdk/google", version: "4.0.117", factory: "createGoogle" },
} as const;

export type AiSdkVendor = keyof typeof VENDORS;

export interface AiSdkOptions {
  readonly vendor: AiSdkVendor;
  readonly model: string;
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly vision?: boolean;
  readonly tools?: boolean;
  readonly parallel?: number;
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly pauseMs?: number;
  readonly maxPauseMs?: number;
  readonly maxReplyBytes?: number;
  readonly packagesFrom?: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** The parts of an AI SDK model that we use. */
interface SdkModel {
  doGenerate(options: object): Promise<SdkAnswer>;
  doStream(options: object): Promise<{ readonly stream: ReadableStream<SdkPart> }>;
}
type Factory = (options: object) => (model: string) => SdkModel;

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool-calls",
  "content-filter": "refused",
};
const DETAIL_CHARS = 200;

/**
 * Anthropic's and Google's models, through the AI SDK's provider packages, which Loci does not install by itself: a
 * few megabytes each, loaded on opening. The rest of the SDK is not needed. Bytes, time and retries are bounded here,
 * and errors carry a status and the server's first words, never the request or the key.
 */
export async function openAiSdk(options: AiSdkOptions): Promise<LanguageModel> {
  const { name, version, factory } = VENDORS[options.vendor];
  const sdk = await importOptional<Readonly<Record<string, Factory | undefined>>>(
    name,
    version,
    options.packagesFrom,
  );
  const create = sdk[factory] ?? sdk.createGoogleGenerativeAI;
  if (create === undefined)
    throw new LociError(
      "model-unavailable",
      `${name} has no ${factory}; run: npm install ${name}@${version}`,
    );
  const id = `${options.vendor}:${options.model}`.slice(0, LIMITS.nameChars);
  const closing = new AbortController();
  const fetch = boundedFetch(options.fetch ?? globalThis.fetch, options.maxReplyBytes ?? 524_288);
  const model = create({
    fetch,
    // Without one the package would read its own variable; the registry decides which key is used.
    apiKey: options.apiKey ?? "none",
    ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
  })(options.model);

  return {
    id,
    capabilities: { vision: options.vision ?? true, tools: options.tools ?? true },
    parallel: options.parallel,
    async generate(request, { signal, onText } = {}) {
      throwIfAborted(signal);
      checkRequest(id, request);
      const stop = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
      const result = await withRetries(options, id, stop, async (abortSignal) => {
        const call = { ...callOptions(request), abortSignal };
        return onText ? wholeOf((await model.doStream(call)).stream, onText) : model.doGenerate(call);
      }).catch((error: unknown) => {
        throw notSupported(error, request) ?? error;
      });
      const text = withoutThoughts(
        result.content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join(""),
      );
      return {
        text: text.toWellFormed(),
        toolCalls: result.content.flatMap((part, n): ToolCall[] =>
          part.type === "tool-call" && part.toolName !== undefined
            ? [{ id: part.toolCallId ?? `call-${n}`, name: part.toolName, input: inputOf(part.input) }]
            : [],
        ),
        usage: {
          inputTokens: result.usage.inputTokens.total ?? 0,
          outputTokens: result.usage.outputTokens.total ?? 0,
        },
        finish: FINISH[result.finishReason.unified] ?? "other",
      };
    },
    close: async () => closing.abort(),
  };
}

function callOptions({
  messages,
  tools,
  json,
  mustCall,
  temperature,
  maxTokens,
  sample,
}: GenerateRequest): object {
  return {
    prompt: messages.map(sdkMessage),
    maxOutputTokens: maxTokens,
    temperature: temperature ?? 0,
    ...(sample === undefined ? {} : { seed: sample }),
    ...(json ? { responseFormat: { type: "json", schema: json } } : {}),
    ...(tools && tools.length > 0
      ? {
          tools: tools.map(({ name, description, input }) => ({
            type: "function",
            name,
            description,
            inputSchema: input,
          })),
          toolChoice: mustCall === undefined ? { type: "auto" } : { type: "tool", toolName: mustCall },
        }
      : {}),
  };
}

function sdkMessage(message: Message): object {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return {
        role: "user",
        content: message.parts.map((part) =>
          part.type === "text"
            ? part
            : {
                type: "file",
                mediaType: mediaTypeOf(part.image),
                data: { type: "data", data: part.image.bytes },
              },
        ),
      };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.text === "" ? [] : [{ type: "text", text: message.text }]),
          ...(message.toolCalls ?? []).map(({ id, name, input }) => ({
            type: "tool-call",
            toolCallId: id,
            toolName: name,
            input,
          })),
        ],
      };
    case "tool": {
      const output = { type: "text", value: message.text };
      const result = { type: "tool-result", toolCallId: message.callId, toolName: message.name, output };
      return { role: "tool", content: [result] };
    }
  }
}

async function withRetries<T>(
  options: AiSdkOptions,
  id: string,
  stop: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeoutMs = 60_000, retries = 2, pauseMs = 500, maxPauseMs = 10_000 } = options;
  for (let attempt = 0; ; attempt++) {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await call(AbortSignal.any([stop, limit]));
    } catch (error) {
      if (stop.aborted) throw new LociError("aborted", "the call was aborted", { cause: stop.reason });
      const failure = failureOf(error, id, options.apiKey, limit.aborted ? timeoutMs : undefined);
      const waitMs = failure.waitMs ?? Math.min(maxPauseMs, pauseMs * 2 ** attempt);
      // If the server asks for a longer wait than allowed, there is no retry.
      if (!failure.passing || attempt >= retries || waitMs > maxPauseMs) throw failure.error;
      await pause(waitMs, undefined, { signal: stop }).catch(() => {
        throw new LociError("aborted", "the call was aborted", { cause: stop.reason });
      });
    }
  }
}

/** The package's errors contain the whole request; only the status and a short line of the answer are kept. */
function failureOf(
  error: unknown,
  id: string,
  key: string | undefined,
  timedOutMs: number | undefined,
): { error: LociError; passing: boolean; waitMs?: number } {
  if (error instanceof LociError) return { error, passing: false };
  if (timedOutMs !== undefined) {
    return {
      error: new LociError("model-unavailable", `${id}: no answer within ${timedOutMs} ms`),
      passing: true,
    };
  }
  const { statusCode, isRetryable, message, responseHeaders } = error as {
    statusCode?: number;
    isRetryable?: boolean;
    message?: string;
    responseHeaders?: Readonly<Record<string, string>>;
  };
  if (statusCode === 401 || statusCode === 403) {
    const had = key === undefined ? "no key was given" : "the given key was refused";
    return {
      error: new LociError("model-unavailable", `${id}: answered ${statusCode}: ${had}`),
      passing: false,
    };
  }
  const plain = (message ?? "no reason given").replaceAll(/\s+/g, " ");
  const line = (key === undefined ? plain : plain.replaceAll(key, "[key]")).slice(0, DETAIL_CHARS);
  const passing = isRetryable ?? false;
  const code =
    statusCode === undefined || statusCode === 404 || (passing && statusCode !== 500)
      ? "model-unavailable"
      : "model-failed";
  const said = statusCode === undefined ? line : `answered ${statusCode}: ${line}`;
  const waitMs = retryAfterMs(responseHeaders?.["retry-after"] ?? null) ?? undefined;
  return { error: new LociError(code, `${id}: ${said}`), passing, ...(waitMs !== undefined && { waitMs }) };
}

/** No redirects, and no answer beyond the limit, which the packages do not enforce. */
function boundedFetch(fetch: typeof globalThis.fetch, maxBytes: number): typeof globalThis.fetch {
  return async (url, init) => {
    const response = await fetch(url, { ...init, redirect: "error" });
    const { status, statusText, headers } = response;
    if (response.body && headers.get("content-type")?.includes("text/event-stream"))
      return new Response(boundedStream(response.body, maxBytes), { status, statusText, headers });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxBytes)
        throw new LociError("limit-exceeded", `expected at most ${maxBytes} bytes in an answer, got more`);
      chunks.push(chunk);
    }
    return new Response(status === 204 ? null : Buffer.concat(chunks), { status, statusText, headers });
  };
}

function inputOf(input: string | undefined): unknown {
  if (input === undefined || input.trim() === "") return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

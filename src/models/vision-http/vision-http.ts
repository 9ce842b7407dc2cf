import { z } from "zod";
import { isLociError, LIMITS, LociError, parseOrThrow, throwIfAborted } from "../../schema/index.ts";
import type { Captioner } from "../captioner.ts";
import type { Describer } from "../describer.ts";
import type { EncodedImage } from "../embedder.ts";
import { postJson, type Wire } from "../openai-compatible/http.ts";
import { isPlainAddress } from "../openai-compatible/openai-compatible.ts";
import { captionPrompt, describePrompt } from "./prompts.ts";

const MEBIBYTE = 1_048_576;
const CONCURRENT_CALLS = 4;
const PHRASE_TOKENS = 60;
const CAPTION_TOKENS = 300;
/** Names in a prompt; more only cost tokens. */
const THINGS_IN_PROMPT = 24;

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
  timeoutMs: z.int().min(1).max(600_000).default(60_000),
  retries: z.int().min(0).max(10).default(2),
  pauseMs: z.int().min(0).max(60_000).default(500),
  maxPauseMs: z.int().min(0).max(600_000).default(10_000),
  maxReplyBytes: z
    .int()
    .min(1)
    .max(16 * MEBIBYTE)
    .default(MEBIBYTE),
  /** Questions in all, describer and captioner together; after them both say nothing. */
  maxCalls: z.int().min(0).max(1e9).default(10_000),
  /** After so many failures in a row the server is not asked again. */
  maxFailures: z.int().min(1).max(1_000).default(3),
});

export interface VisionHttpOptions extends z.input<typeof optionsSchema> {
  readonly fetch?: typeof globalThis.fetch;
  /** Spreads the pauses of many clients; a number in [0, 1). */
  readonly random?: () => number;
}

/** What was asked so far, for the summary of a run: a model that gave up must not go unnoticed. */
export interface VisionUsage {
  readonly calls: number;
  readonly failures: number;
  readonly lastFailure: LociError | undefined;
}

export interface VisionHttp {
  readonly describer: Describer;
  readonly captioner: Captioner;
  usage(): VisionUsage;
}

const replySchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.union([
            z.string(),
            z.null(),
            z.array(z.object({ text: z.string().optional() })).transform((parts) => {
              return parts.map(({ text }) => text ?? "").join(" ");
            }),
          ]),
        }),
      }),
    )
    .min(1),
});

/**
 * A vision-language model behind OpenAI's `POST /chat/completions` (vLLM, Ollama, llama.cpp, LM Studio, OpenAI), as
 * describer and captioner; pictures go along as data URLs. Bounded in time, retries, calls and failures in a row:
 * what it cannot or may not answer is null, and the caller's template speaks instead. Only an abort throws.
 */
export function openVisionHttp(options: VisionHttpOptions): VisionHttp {
  const { fetch = globalThis.fetch, random = Math.random, ...given } = options;
  const config = parseOrThrow(optionsSchema, given, "the options of the vision model");
  const id = `vision:${config.model}`;
  const url = `${config.baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const wire: Wire = { ...config, apiKey: config.apiKey ?? null, id, url, fetch, random };
  const closing = new AbortController();
  let [calls, failures, inARow] = [0, 0, 0];
  let lastFailure: LociError | undefined;

  async function ask(
    prompt: string,
    images: readonly EncodedImage[],
    maxTokens: number,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    throwIfAborted(signal);
    if (images.length === 0 || calls >= config.maxCalls || inARow >= config.maxFailures) return null;
    calls++;
    try {
      const body = chatBody(config.model, prompt, images, maxTokens);
      const text = parseReply(await postJson(wire, body, closing.signal, signal), id);
      inARow = 0;
      return text;
    } catch (error) {
      if (!isLociError(error) || error.code === "aborted") throw error;
      failures++;
      inARow++;
      lastFailure = error;
      return null;
    }
  }

  const close = async () => closing.abort();
  return {
    usage: () => ({ calls, failures, lastFailure }),
    describer: {
      id,
      describe: (things, { signal } = {}) =>
        mapSome(things, CONCURRENT_CALLS, async ({ label, image }) => {
          const crop = await image();
          const said = crop && (await ask(describePrompt(label), [crop], PHRASE_TOKENS, signal));
          return said ? phraseIn(said) : null;
        }),
      close,
    },
    captioner: {
      id,
      async caption({ room, things, images }, { signal } = {}) {
        const prompt = captionPrompt(room, things.slice(0, THINGS_IN_PROMPT));
        return ask(prompt, await images(), CAPTION_TOKENS, signal);
      },
      close,
    },
  };
}

function chatBody(model: string, prompt: string, images: readonly EncodedImage[], maxTokens: number): object {
  return {
    model,
    max_tokens: maxTokens,
    temperature: 0,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: prompt.toWellFormed() },
          ...images.map(({ bytes }) => ({ type: "image_url", image_url: { url: dataUrl(bytes) } })),
        ],
      },
    ],
  };
}

function dataUrl(bytes: Uint8Array): string {
  const type = bytes[0] === 0x89 ? "png" : "jpeg";
  return `data:image/${type};base64,${Buffer.from(bytes).toString("base64")}`;
}

function parseReply(json: unknown, id: string): string | null {
  const parsed = replySchema.safeParse(json);
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.map(String).join(".") || "the top";
    throw new LociError("model-failed", `${id}: expected a chat answer, got something else at ${where}`);
  }
  const text = parsed.data.choices[0]?.message.content?.trim() ?? "";
  return text === "" ? null : text.slice(0, LIMITS.lineChars).toWellFormed();
}

/** Models add quotes, a stop, or a second line of reasons. */
function phraseIn(text: string): string | null {
  const line = text.split("\n")[0] ?? "";
  const phrase = line.trim().replace(/^["'“]+|["'”.]+$/g, "");
  return phrase === "" ? null : phrase;
}

/** In order, with at most `width` under way; the first failure stops the rest. */
async function mapSome<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}

import { z } from "zod";
import { postJson, type Wire } from "../../models/openai-compatible/http.ts";
import {
  type AnswerRecord,
  LIMITS,
  LociError,
  parseOrThrow,
  type QuestionRecord,
  type TruthAnswer,
} from "../../schema/index.ts";
import type { Judge, Judgement } from "./judge.ts";
import { markMessages, parseMark } from "./mark-prompt.ts";
import { judgeByRules } from "./rule-judge.ts";

const optionsSchema = z.object({
  /** As far as `/v1`, without `/chat/completions`. */
  baseUrl: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1).max(LIMITS.nameChars),
  apiKey: z.string().min(1).max(4_096).optional(),
  /** OpenEQA's setting. */
  temperature: z.number().min(0).max(2).default(0.2),
  seed: z.int().default(1234),
  maxTokens: z.int().min(1).max(4_096).default(32),
  /**
   * Which truths the model judges. "words": those in free words; numbers, places and times need no opinion and go
   * by the rules. "all": everything by its text, as the published figures were made.
   */
  judges: z.enum(["words", "all"]).default("words"),
  timeoutMs: z.int().min(1).max(600_000).default(60_000),
  retries: z.int().min(0).max(10).default(3),
  pauseMs: z.int().min(0).max(60_000).default(500),
  maxPauseMs: z.int().min(0).max(600_000).default(30_000),
  maxReplyBytes: z.int().min(1).default(1_048_576),
});

export interface ModelJudgeOptions extends z.input<typeof optionsSchema> {
  readonly fetch?: typeof globalThis.fetch;
  /** Spreads the pauses of many clients; a number in [0, 1). */
  readonly random?: () => number;
}

const replySchema = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullable() }) }))
    .min(1)
    .max(16),
});

/** Truths in free words, for which an opinion is needed. */
const IN_WORDS: ReadonlySet<TruthAnswer["type"]> = new Set(["text", "rubric"]);
/** Once, then once more with a reminder. */
const ASKS = 2;

/**
 * A language model as judge, behind any OpenAI-compatible `POST /chat/completions`, with the rules of the public
 * OpenEQA scorer: marks clipped to 1–5, the response cut after its last full stop, a missing answer worth nothing.
 * A reply that is no mark is asked for again once, then reported as unparsable, with its words.
 */
export function openModelJudge(options: ModelJudgeOptions): Judge {
  const { fetch = globalThis.fetch, random = Math.random, ...given } = options;
  const config = parseOrThrow(optionsSchema, given, "the options of the model judge");
  const id = `model:${config.model}`;
  const url = `${config.baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const wire: Wire = { ...config, apiKey: config.apiKey ?? null, id, url, fetch, random };
  const never = new AbortController().signal;

  const ask = async (
    question: QuestionRecord,
    answer: AnswerRecord,
    failed?: string,
    signal?: AbortSignal,
  ) => {
    const body = {
      model: config.model,
      messages: markMessages(question, answer, failed).map(({ role, content }) => ({
        role,
        content: content.toWellFormed(),
      })),
      temperature: config.temperature,
      max_tokens: config.maxTokens,
      seed: config.seed,
    };
    const parsed = replySchema.safeParse(await postJson(wire, body, never, signal));
    if (!parsed.success) {
      throw new LociError(
        "model-failed",
        `${id}: expected a chat completion from ${url}, got something else`,
      );
    }
    return parsed.data.choices[0]!.message.content ?? "";
  };

  return {
    id: config.judges === "all" ? `${id}:all` : id,
    async judge(question, answer, signal): Promise<Judgement> {
      if (config.judges === "words" && !IN_WORDS.has(question.answer.type))
        return judgeByRules(question, answer);
      if (answer.text.trim() === "") return { score: null, why: "no answer" };
      if (config.judges === "words" && answer.status !== "answered")
        return { score: null, why: `not answered: ${answer.status}` };
      const replies: string[] = [];
      while (replies.length < ASKS) {
        const reply = await ask(question, answer, replies.at(-1), signal);
        const score = parseMark(reply);
        if (score !== null)
          return {
            score,
            why: `${id} says ${score}`,
            ...(replies.length > 0 ? { unparsable: replies } : {}),
          };
        replies.push(reply.slice(0, LIMITS.lineChars));
      }
      return { score: null, why: `${id} gave no mark`, unparsable: replies };
    },
  };
}

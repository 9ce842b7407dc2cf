import type { z } from "zod";
import {
  type BudgetedModel,
  budgeted,
  type EncodedImage,
  type LanguageModel,
} from "../../../models/index.ts";
import { type PromptSpec, runPrompt } from "../../../models/prompts/index.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import {
  type AnswerRecord,
  answerSchema,
  isLociError,
  LIMITS,
  LociError,
  parseOrThrow,
  type ReasoningRound,
} from "../../../schema/index.ts";
import { roundsOf } from "../reader/read-evidence.ts";
import type { Found, System, SystemOptions } from "../system.ts";
import { type ModelSaid, recordOf } from "./said.ts";

/** The budget of one question, as in R⁴'s loop. */
const BUDGET = { calls: 32, tokens: 400_000, timeMs: 120_000 } as const;
const LIVE_IMAGES = 16;
const MOST_ROUNDS = 64;

type WithModel = SystemOptions & { readonly model: LanguageModel };

/**
 * One question given to a system with a model: its prompts, its searches and their results, all recorded in the trace.
 */
export class ModelRun {
  readonly question: string;
  readonly options: WithModel;
  readonly model: BudgetedModel;
  readonly rounds: ReasoningRound[] = [];
  /** The prompts sent, with their versions. */
  readonly prompts = new Set<string>();
  /** The records that the model was told of. */
  readonly shown = new Map<string, Evidence>();
  readonly began = performance.now();
  readonly #system: System;
  #vision: boolean;

  constructor(system: System, question: string, options: WithModel) {
    this.#system = system;
    this.question = question;
    this.options = options;
    this.model = budgeted(options.model, { ...BUDGET, ...options.budget }, options.prices);
    this.#vision = options.model.capabilities.vision;
  }

  get name(): System["name"] {
    return this.#system.name;
  }

  get mode(): "ours" | "paper" {
    return this.options.mode ?? "ours";
  }

  get vision(): boolean {
    return this.#vision;
  }

  /** The pictures that came with the question, for a vision model. */
  get liveImages(): readonly EncodedImage[] {
    return this.#vision ? (this.options.live?.images ?? []) : [];
  }

  /** Sends one of the system's prompts. A server that refuses pictures is asked again without, where the prompt can do so. */
  async ask<I extends z.ZodType, O extends z.ZodType>(
    spec: PromptSpec<I, O>,
    input: z.input<I>,
    images: readonly EncodedImage[] = [],
  ): Promise<z.output<O>> {
    if (!this.#system.prompts.includes(spec.id)) throw new Error(`${this.name} has no prompt ${spec.id}`);
    const began = performance.now();
    const seen = this.#vision ? images.slice(0, spec.images.most) : [];
    const unreadable: string[] = [];
    const how = { signal: this.options.signal, onUnreadable: (text: string) => void unreadable.push(text) };
    this.prompts.add(`${spec.id}@${spec.version}`);
    try {
      const { output } = await runPrompt(this.model, spec, input, { ...how, images: seen });
      this.note({
        strategy: spec.id,
        cues: [lineOf(output)],
        found: seen.length,
        sufficient: true,
        rejected: unreadable.length > 0 ? [{ reason: "unreadable answer", count: unreadable.length }] : [],
        ms: performance.now() - began,
      });
      return output;
    } catch (error) {
      const isBlind = isLociError(error, "not-supported") && seen.length > 0 && spec.images.least === 0;
      if (!isBlind) throw error;
      this.#vision = false;
      this.note({
        strategy: spec.id,
        rejected: [{ reason: "asked again without pictures", count: 1 }],
      });
      return this.ask(spec, input);
    }
  }

  /** Notes searches and the results shown to the model. */
  found(found: Found): void {
    this.rounds.push(...roundsOf(this.name, found));
    this.show(found.items);
  }

  show(items: readonly Evidence[]): void {
    for (const item of items) if (!this.shown.has(item.id)) this.shown.set(item.id, item);
  }

  note(round: Partial<ReasoningRound> & { readonly strategy: string }): void {
    if (this.rounds.length >= MOST_ROUNDS) return;
    const none = { cues: [], broadened: 0, found: 0, added: 0, sufficient: false, rejected: [] };
    this.rounds.push({ ...none, ...round });
  }
}

/**
 * Answers by a system's way with a model. Where the model fails for good, the same system's offline reading answers and the
 * trace says so, unless failures are asked for; only an abort is always thrown.
 */
export async function answerByModel(
  system: System,
  question: string,
  options: WithModel,
  ways: {
    readonly work: (run: ModelRun) => Promise<ModelSaid>;
    readonly offline: (question: string, options: SystemOptions) => Promise<AnswerRecord>;
  },
): Promise<AnswerRecord> {
  const run = new ModelRun(system, checked(question, options), options);
  try {
    return parseOrThrow(answerSchema, await recordOf(await ways.work(run), run), "the answer");
  } catch (error) {
    const { onFailure = "rules", signal } = options;
    if (signal?.aborted || !isModelFailure(error) || onFailure === "throw") throw error;
    if (onFailure === "throw-unavailable" && error.code === "model-unavailable") throw error;
    run.note({
      strategy: `${system.name}/model-failed`,
      rejected: [{ reason: `${error.code}: ${error.message}`.slice(0, LIMITS.nameChars), count: 1 }],
    });
    return offlineAfter(run, ways.offline);
  }
}

async function offlineAfter(
  run: ModelRun,
  offline: (question: string, options: SystemOptions) => Promise<AnswerRecord>,
): Promise<AnswerRecord> {
  const answer = await offline(run.question, { ...run.options, model: undefined });
  const { inputTokens, outputTokens } = run.model.spent();
  return {
    ...answer,
    trace: {
      ...answer.trace,
      rounds: [...run.rounds, ...answer.trace.rounds].slice(0, MOST_ROUNDS),
      tokens: inputTokens + outputTokens,
      models: { ...answer.trace.models, failed: run.model.id.slice(0, LIMITS.nameChars) },
    },
  };
}

function checked(question: string, { live }: SystemOptions): string {
  const text = question.trim();
  if (text === "") throw new LociError("invalid-input", "a question has at least one word; got an empty one");
  if (text.length > LIMITS.queryChars)
    throw new LociError("limit-exceeded", `a question has at most ${LIMITS.queryChars} characters`);
  const pictures = live?.images?.length ?? 0;
  if (pictures > LIVE_IMAGES)
    throw new LociError(
      "limit-exceeded",
      `a question brings at most ${LIVE_IMAGES} pictures, got ${pictures}`,
    );
  return text;
}

function isModelFailure(error: unknown): error is LociError {
  return (
    isLociError(error, "model-failed") ||
    isLociError(error, "model-unavailable") ||
    isLociError(error, "limit-exceeded") ||
    isLociError(error, "not-supported")
  );
}

/** The output of a model on one line for the trace. */
function lineOf(output: unknown): string {
  const text = typeof output === "string" ? output : JSON.stringify(output);
  return text.replaceAll(/\s+/g, " ").slice(0, LIMITS.lineChars);
}

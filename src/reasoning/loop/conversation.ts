import type {
  EncodedImage,
  Generated,
  LanguageModel,
  Message,
  ToolCall,
  ToolSpec,
} from "../../models/index.ts";
import {
  ANSWER_RULES,
  answerWithContext,
  jsonIn,
  jsonSchemaOf,
  type ModelAnswer,
  modelAnswerSchema,
  parseLoose,
  quoted,
} from "../../models/prompts/index.ts";
import { isLociError, LociError } from "../../schema/index.ts";
import { type Call, type CallResult, TOOLS } from "./tools.ts";

/** The model's next step: a search or an answer. */
export interface Step {
  readonly calls: readonly Call[];
  readonly answer?: ModelAnswer;
}

export interface ConversationContext {
  readonly question: string;
  readonly options?: readonly string[] | undefined;
  readonly now: string;
  readonly pose?: string | undefined;
  /** The earlier questions and answers, the latest last. */
  readonly talk?: readonly { readonly question: string; readonly answer: string }[] | undefined;
  readonly images: readonly EncodedImage[];
  /** The ids of the pictures, where they are stored. */
  readonly pictures?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Everything found so far, as text: the start of a new conversation. */
  readonly evidence: () => Promise<string>;
}

/** How many times more tokens an answer may take that was cut off. */
const LONGER = 4;
const REPLY_CHARS = 4_000;
const ROUND_CHARS = 48_000;
const ANSWER_TOOL: ToolSpec = {
  name: "answer",
  description: `Gives the answer. ${ANSWER_RULES}`,
  input: jsonSchemaOf(modelAnswerSchema),
  strict: true,
};
const STEP_SCHEMA = jsonSchemaOf(answerWithContext.output);

/**
 * One conversation with a model about one question. A model with tools calls them; one without writes the same calls as
 * plain JSON. If a server refuses tools or pictures, the request is repeated without them. The memory's content goes in
 * as quoted data. An unreadable answer is sent back once, then the error is `model-failed`.
 */
export class Conversation {
  readonly #model: LanguageModel;
  readonly #context: ConversationContext;
  #messages: Message[] = [];
  /** Calls of the last step in native form: the server insists that each is answered. */
  #open: readonly ToolCall[] = [];
  #tools: boolean;
  #vision: boolean;
  #attached: readonly { readonly image: EncodedImage; readonly caption: string }[] = [];
  #maxTokens = answerWithContext.maxTokens;
  /** Repeated requests, and the model's missing capabilities. */
  readonly notes: string[] = [];

  constructor(model: LanguageModel, context: ConversationContext) {
    this.#model = model;
    this.#context = context;
    this.#tools = model.capabilities.tools;
    this.#vision = model.capabilities.vision;
  }

  get vision(): boolean {
    return this.#vision;
  }

  async next(roundsLeft: number): Promise<Step> {
    if (this.#messages.length === 0) await this.#begin(roundsLeft);
    for (let attempt = 0; ; attempt++) {
      const generated = await this.#generate(roundsLeft);
      const step = stepOf(generated);
      if (typeof step === "string" && generated.finish === "length" && this.#longer()) continue;
      this.#messages.push({
        role: "assistant",
        text: generated.text.slice(0, REPLY_CHARS),
        ...(generated.toolCalls.length > 0 && { toolCalls: generated.toolCalls }),
      });
      this.#open = generated.toolCalls;
      if (typeof step !== "string") return step;
      const problem = generated.finish === "refused" ? "the model refused" : step;
      this.notes.push(problem);
      if (attempt > 0) throw new LociError("model-failed", `${this.#model.id}: no usable answer: ${problem}`);
      this.say(
        `Your answer could not be used:\n${quoted("problem", problem)}\n${this.#formText(roundsLeft)}`,
      );
    }
  }

  /** More room for an answer that was cut off, once: a model that reasons may have thought its tokens away. */
  #longer(): boolean {
    if (this.#maxTokens > answerWithContext.maxTokens) return false;
    this.#maxTokens *= LONGER;
    this.notes.push("asked again with more room");
    return true;
  }

  /** The results of a step's calls, in their order, and how many rounds are left. */
  tell(results: readonly CallResult[], ids: readonly string[], rounds: string): void {
    let left = ROUND_CHARS;
    const texts = results.map(({ text }) => {
      const cut = text.length > left ? `${text.slice(0, Math.max(0, left))}… (cut)` : text;
      left -= cut.length;
      return quoted("result", cut);
    });
    if (this.#open.length > 0) {
      this.#open.forEach(({ id, name }, n) => {
        const text = texts[n] ?? quoted("result", '{"error":"not run"}');
        this.#messages.push({ role: "tool", callId: id, name, text });
      });
      this.#open = [];
    } else {
      const lines = results.map(({ call }, n) => `Result of call ${n + 1}, ${toolName(call)}:\n${texts[n]}`);
      this.#user(lines.join("\n"));
    }
    const images = results.flatMap((result) => result.images);
    if (images.length > 0) this.show(images, ids);
    this.#user(rounds);
  }

  /** Words of the loop itself; quoted data must be in its blocks already. */
  say(text: string): void {
    if (this.#open.length === 0) this.#user(text);
    for (const { id, name } of this.#open) this.#messages.push({ role: "tool", callId: id, name, text });
    this.#open = [];
  }

  /** Pictures of the memory that accompany the question from the beginning, each with its content in words. */
  attach(pictures: readonly { readonly image: EncodedImage; readonly caption: string }[]): void {
    if (this.#vision && this.#messages.length === 0) this.#attached = pictures;
  }

  show(images: readonly EncodedImage[], ids: readonly string[]): void {
    if (!this.#vision || images.length === 0) return;
    const text = `Pictures from the memory, in this order:\n${quoted("pictures", ids.join("\n"))}`;
    this.#messages.push({
      role: "user",
      parts: [{ type: "text", text }, ...images.map((image) => ({ type: "image" as const, image }))],
    });
  }

  async #begin(roundsLeft: number): Promise<void> {
    const { question, options, now, talk = [], pose, images, evidence, pictures: ids = [] } = this.#context;
    const pictures = this.#vision ? images : [];
    const { system, user } = answerWithContext.render({
      question,
      now,
      talk: [...talk],
      evidence: await evidence(),
      roundsLeft,
      images: pictures.length,
      pictures: pictures.length > 0 ? [...ids] : [],
      ...(options && { options: [...options] }),
      ...(pose !== undefined && { pose }),
      ...(!this.#tools && { tools: TOOLS_TEXT }),
    });
    this.#open = [];
    this.#messages = [
      { role: "system", text: system },
      {
        role: "user",
        parts: [
          { type: "text", text: user },
          ...pictures.map((image) => ({ type: "image" as const, image })),
        ],
      },
    ];
    const captions = this.#attached.map(({ caption }) => caption);
    this.show(
      this.#attached.map(({ image }) => image),
      captions,
    );
  }

  async #generate(roundsLeft: number): Promise<Generated> {
    for (;;) {
      const tools = [...(roundsLeft > 0 ? [...TOOLS.values()].map(({ spec }) => spec) : []), ANSWER_TOOL];
      try {
        return await this.#model.generate(
          {
            messages: this.#messages,
            maxTokens: this.#maxTokens,
            temperature: answerWithContext.temperature,
            ...(this.#tools ? { tools } : { json: STEP_SCHEMA }),
            ...(this.#tools && roundsLeft <= 0 && { mustCall: ANSWER_TOOL.name }),
          },
          { signal: this.#context.signal },
        );
      } catch (error) {
        if (!isLociError(error, "not-supported")) throw error;
        // Each can be given up only once, so this ends.
        if (this.#vision && /image|vision|multi-?modal/i.test(error.message)) this.#vision = false;
        else if (this.#tools) this.#tools = false;
        else throw error;
        this.notes.push(this.#tools ? "asked again without pictures" : "asked again without tools");
        await this.#begin(roundsLeft);
      }
    }
  }

  #user(text: string): void {
    this.#messages.push({ role: "user", parts: [{ type: "text", text }] });
  }

  #formText(roundsLeft: number): string {
    const look = roundsLeft > 0 ? ' or {"calls": [{"tool": …, "input": {…}}]}' : "";
    return this.#tools
      ? "Call one of the tools, or the tool answer."
      : `Answer again with only JSON: {"answer": {…}}${look}.`;
  }
}

/** Every tool on one line, for a model that knows no tools. */
const TOOLS_TEXT = [...TOOLS.values()]
  .map(({ spec }) => `${spec.name}: ${spec.description} Input: ${JSON.stringify(spec.input)}`)
  .join("\n");

/** The name of a tool is the model's own word: only ours are repeated. */
function toolName({ tool }: Call): string {
  return TOOLS.has(tool) ? tool : "an unknown tool";
}

/** The meaning of a model's answer, or what is wrong with it. */
function stepOf({ text, toolCalls }: Generated): Step | string {
  const given = toolCalls.find(({ name }) => name === "answer");
  if (given) return answerOf(given.input);
  if (toolCalls.length > 0) return { calls: toolCalls.map(({ name, input }) => ({ tool: name, input })) };
  const json = jsonIn(text);
  if (json === undefined || json === null || typeof json !== "object")
    return "expected tool calls or one JSON document, got neither";
  if ("answer" in json) return answerOf(json);
  if ("calls" in json) {
    const parsed = parseLoose(answerWithContext.output, json);
    if (parsed.success && "calls" in parsed.data) return { calls: parsed.data.calls };
    return parsed.success ? "expected calls" : problemOf(parsed.error);
  }
  return answerOf(json);
}

function answerOf(value: unknown): Step | string {
  const nested = (value as { answer?: unknown } | null)?.answer;
  const parsed = parseLoose(modelAnswerSchema, nested ?? value);
  return parsed.success ? { calls: [], answer: parsed.data } : problemOf(parsed.error);
}

function problemOf(error: { issues: readonly { message: string; path: readonly PropertyKey[] }[] }): string {
  const issue = error.issues[0];
  const where = issue?.path.length ? ` at ${issue.path.map(String).join(".")}` : "";
  return `${issue?.message ?? "it does not fit the schema"}${where}`.slice(0, 300);
}

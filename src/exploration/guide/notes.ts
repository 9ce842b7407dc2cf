import type { PromptSpec } from "../../models/prompts/index.ts";
import { type Consultation, LIMITS, type Module } from "../../schema/index.ts";

const MOST_IDS = 64;
const MOST_PROMPTS = 8;

/** The record of one module at one step, while it is being filled. */
export class Note {
  readonly #module: Module;
  readonly #prompts: string[] = [];
  #query: string | undefined;
  #by: Consultation["by"] = "rules";
  #retrieved: readonly string[] = [];
  #tokens = 0;
  #more: Partial<Consultation> = {};

  constructor(module: Module) {
    this.#module = module;
  }

  asked({ id, version }: Pick<PromptSpec, "id" | "version">): void {
    if (this.#prompts.length < MOST_PROMPTS) this.#prompts.push(`${id}@${version}`);
  }

  used({ inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number }): void {
    this.#tokens += inputTokens + outputTokens;
  }

  searched(
    query: string,
    by: Consultation["by"],
    { items }: { readonly items: readonly { readonly id: string }[] },
  ): void {
    this.#query = query;
    this.#by = by;
    this.#retrieved = items.slice(0, MOST_IDS).map(({ id }) => id);
  }

  say(more: Partial<Consultation>): void {
    this.#more = { ...this.#more, ...more };
  }

  line(): Consultation {
    const { reason, choice, fallback, ...rest } = this.#more;
    return {
      module: this.#module,
      ...(this.#query !== undefined && lineOf("query", this.#query)),
      by: this.#by,
      retrieved: [...this.#retrieved],
      prompts: this.#prompts,
      ...rest,
      ...lineOf("choice", choice),
      ...lineOf("reason", reason),
      ...lineOf("fallback", fallback),
      ...(this.#tokens > 0 && { tokens: this.#tokens }),
    };
  }
}

function lineOf<K extends string>(key: K, text: string | undefined): { [key in K]?: string } {
  const line = text?.toWellFormed().slice(0, LIMITS.lineChars);
  return (line === undefined || line === "" ? {} : { [key]: line }) as { [key in K]?: string };
}

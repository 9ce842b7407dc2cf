import type { z } from "zod";
import { QUOTING_RULE } from "./quote.ts";

/** A rendered prompt: the model's role and rules, then the task with its quoted data. */
export interface Rendered {
  readonly system: string;
  readonly user: string;
}

/**
 * One prompt of the registry (docs/formulas.md#prompts). `version` increases with every change of wording or schema,
 * because answers are cached and compared by it. A `json` prompt is answered with one document of the output schema;
 * a `text` prompt with plain words, which the output schema, one of strings, then checks.
 */
export interface PromptSpec<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly id: string;
  readonly version: number;
  readonly form: "json" | "text";
  readonly input: I;
  readonly output: O;
  /** Number of pictures: none, or within these limits. */
  readonly images: { readonly least: number; readonly most: number };
  readonly maxTokens: number;
  readonly temperature: number;
  render(input: z.output<I>): Rendered;
}

/** Lets TypeScript infer a prompt's input and output. */
export function definePrompt<I extends z.ZodType, O extends z.ZodType>(
  spec: Omit<PromptSpec<I, O>, "version" | "images" | "temperature"> &
    Partial<Pick<PromptSpec<I, O>, "version" | "images" | "temperature">>,
): PromptSpec<I, O> {
  return { version: 1, images: { least: 0, most: 0 }, temperature: 0, ...spec };
}

/** A system message: the role, then the rule about quoted data. */
export function systemOf(role: string): string {
  return `${role}\n${QUOTING_RULE}`;
}

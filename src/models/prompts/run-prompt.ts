import { z } from "zod";
import { LociError, parseOrThrow } from "../../schema/index.ts";
import type { EncodedImage } from "../embedder.ts";
import {
  type GenerateOptions,
  type GenerateRequest,
  type JsonSchema,
  type LanguageModel,
  type Message,
  textPart,
  type Usage,
} from "../language/language-model.ts";
import { withoutNulls } from "../language/strict-schema.ts";
import type { PromptSpec } from "./prompt-spec.ts";
import { quoted } from "./quote.ts";

export interface RunPromptOptions extends GenerateOptions {
  readonly images?: readonly EncodedImage[] | undefined;
  /** Overrides the prompt's own, for varied samples. */
  readonly temperature?: number | undefined;
  readonly sample?: number | undefined;
  /** Called with every answer that did not fit, verbatim. */
  readonly onUnreadable?: ((text: string) => void) | undefined;
  /** Called for every call, including those with unusable answers. */
  readonly onUsage?: ((usage: Usage) => void) | undefined;
}

export interface PromptResult<O> {
  readonly output: O;
  /** The first answer did not fit the schema, and the second did. */
  readonly repaired: boolean;
}

const REPLY_CHARS = 4_000;
const MAX_TOKENS = 4_096;

/**
 * Runs one prompt of the registry. The answer is parsed by the prompt's schema; an answer that does not fit is
 * returned once to the model with its errors, and then it is `model-failed`.
 */
export async function runPrompt<I extends z.ZodType, O extends z.ZodType>(
  model: LanguageModel,
  spec: PromptSpec<I, O>,
  input: z.input<I>,
  options: RunPromptOptions = {},
): Promise<PromptResult<z.output<O>>> {
  const { images = [], sample, onUsage, onUnreadable, temperature, ...call } = options;
  const parsed = parseOrThrow(spec.input, input, `the input of ${spec.id}`);
  checkImages(model, spec, images);
  const { system, user } = spec.render(parsed);
  const messages: Message[] = [
    { role: "system", text: system },
    { role: "user", parts: [textPart(user), ...images.map((image) => ({ type: "image" as const, image }))] },
  ];
  const schema = spec.form === "json" ? jsonSchemaOf(spec.output) : undefined;
  let problem = "";
  let { maxTokens } = spec;
  for (let attempt = 0; attempt < 2; attempt++) {
    const request: GenerateRequest = {
      messages,
      maxTokens,
      temperature: temperature ?? spec.temperature,
      ...(schema && { json: schema }),
      ...(sample !== undefined && { sample }),
    };
    const { text, usage, finish } = await model.generate(request, call);
    onUsage?.(usage);
    const read = readOutput(spec, text);
    if (read.ok) return { output: read.output, repaired: attempt > 0 };
    onUnreadable?.(text);
    // A reasoning model may have used up all its tokens on thoughts.
    if (finish === "length") maxTokens = Math.max(maxTokens, Math.min(MAX_TOKENS, maxTokens * 16));
    problem = finish === "refused" ? "the model refused" : read.problem;
    messages.push(
      { role: "assistant", text: text.slice(0, REPLY_CHARS) },
      { role: "user", parts: [textPart(repairText(spec, problem))] },
    );
  }
  throw new LociError("model-failed", `${model.id}: no usable answer to ${spec.id}: ${problem}`);
}

/**
 * The JSON schema of a zod schema in the form for servers: of its input, so that defaults may be omitted. Bounds are
 * removed: they cost tokens in every request, and the answer is checked for them.
 */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return briefSchema(rest) as JsonSchema;
}

const BOUNDS = new Set([
  ...["default", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);

function briefSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(briefSchema);
  if (node === null || typeof node !== "object") return node;
  const { properties, ...rest } = node as Readonly<Record<string, unknown>>;
  const kept = Object.entries(rest).filter(([name]) => !BOUNDS.has(name));
  const brief = Object.fromEntries(kept.map(([name, value]) => [name, briefSchema(value)]));
  if (properties === undefined) return brief;
  const required = new Set((rest["required"] as readonly string[] | undefined) ?? []);
  const fields = Object.entries(properties as Record<string, unknown>).map(([name, value]) => [
    name,
    briefSchema(required.has(name) ? value : withoutNull(value)),
  ]);
  return { ...brief, properties: Object.fromEntries(fields) };
}

/** An optional field need not be nullable as well. */
function withoutNull(schema: unknown): unknown {
  const { anyOf, ...rest } = schema as { readonly anyOf?: readonly { readonly type?: string }[] };
  const others = anyOf?.filter(({ type }) => type !== "null");
  return others?.length === 1 ? { ...rest, ...others[0] } : schema;
}

/** The one JSON document in an answer, despite fences, an introduction or a closing remark. */
export function jsonIn(text: string): unknown {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1];
  for (const candidate of [text, fenced, braced(text)]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate);
    } catch {
      // Try the next way of reading it.
    }
  }
  return undefined;
}

function braced(text: string): string | undefined {
  const from = text.search(/[{[]/);
  const to = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  return from >= 0 && to > from ? text.slice(from, to + 1) : undefined;
}

type ReadResult<O> =
  | { readonly ok: true; readonly output: O }
  | { readonly ok: false; readonly problem: string };

function readOutput<O extends z.ZodType>(
  spec: { readonly form: "json" | "text"; readonly output: O },
  text: string,
): ReadResult<z.output<O>> {
  const value = spec.form === "json" ? jsonIn(text) : unwrapped(text);
  if (value === undefined) return { ok: false, problem: "expected one JSON document, got none" };
  const result = parseLoose(spec.output, value);
  if (result.success) return { ok: true, output: result.data };
  const issue = result.error.issues[0];
  const where = issue?.path.length ? ` at ${issue.path.map(String).join(".")}` : "";
  return { ok: false, problem: `${issue?.message ?? "it does not fit the schema"}${where}`.slice(0, 300) };
}

/** Nulls that a strict schema forces a model to write for optional fields are removed. */
export function parseLoose<O extends z.ZodType>(
  schema: O,
  value: unknown,
): z.ZodSafeParseResult<z.output<O>> {
  const asIs = schema.safeParse(value);
  return asIs.success ? asIs : schema.safeParse(withoutNulls(value));
}

/** Models put quotes around a plain answer. */
function unwrapped(text: string): string {
  return text
    .trim()
    .replace(/^(["'“`])([\s\S]*)["'”`]$/, "$2")
    .trim();
}

function repairText(spec: PromptSpec, problem: string): string {
  const form =
    spec.form === "json" ? "only the one JSON document, without any other text" : "only the text asked for";
  return `Your answer could not be used:\n${quoted("problem", problem)}\nAnswer again with ${form}.`;
}

function checkImages(model: LanguageModel, spec: PromptSpec, images: readonly EncodedImage[]): void {
  const { least, most } = spec.images;
  if (images.length < least || images.length > most) {
    throw new LociError(
      "invalid-input",
      `${spec.id} takes ${least} to ${most} pictures, got ${images.length}`,
    );
  }
  if (images.length > 0 && !model.capabilities.vision)
    throw new LociError("not-supported", `${model.id} sees no pictures, and ${spec.id} has ${images.length}`);
}

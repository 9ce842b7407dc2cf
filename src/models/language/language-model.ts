import type { EncodedImage } from "../embedder.ts";

/** A piece of a message: words, or a picture for a model that sees. */
export type MessagePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly image: EncodedImage };

/** One turn of a conversation. The answer to a tool call names the call it answers. */
export type Message =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly parts: readonly MessagePart[] }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly name: string; readonly text: string };

/** A JSON schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Something that the model may ask for; `input` is the JSON schema of what it takes. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** The server holds the model to the schema, where it can: it costs tokens, and pays where the form must be right. */
  readonly strict?: boolean;
}

/** What the model asked for. `input` is whatever it wrote: whoever runs the tool parses it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface GenerateRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  /** The tool that must be called now, where the server can be told so. */
  readonly mustCall?: string;
  /** The answer is one JSON document of this schema; servers that cannot hold the model to it are still told so. */
  readonly json?: JsonSchema;
  readonly temperature?: number;
  readonly maxTokens: number;
  /** Which of several answers to the same request: it seeds the server and keeps a cache from giving one for all. */
  readonly sample?: number;
}

/** Tokens as the server billed them, or estimated where it says nothing. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Only where prices were configured. */
  readonly costUsd?: number;
}

export const FINISH_REASONS = ["stop", "length", "tool-calls", "refused", "other"] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];

export interface Generated {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  readonly finish: FinishReason;
}

export interface GenerateOptions {
  readonly signal?: AbortSignal | undefined;
  /** The text so far, as it comes. It may start anew when a cut stream is asked again. */
  readonly onText?: ((soFar: string) => void) | undefined;
}

/**
 * Words and pictures in, words or tool calls out. Throws `aborted`, `limit-exceeded` (an answer or a budget),
 * `model-unavailable` (no server, no key, no package), `not-supported` (the server refuses tools or pictures) or
 * `model-failed` (an answer that cannot be used). Every call ends: time, bytes and retries are bounded.
 */
export interface LanguageModel {
  readonly id: string;
  readonly capabilities: { readonly vision: boolean; readonly tools: boolean };
  /** How many calls may be under way at once, where somebody set it. */
  readonly parallel?: number | undefined;
  generate(request: GenerateRequest, options?: GenerateOptions): Promise<Generated>;
  close(): Promise<void>;
}

/** What one call may hold. Beyond it the caller has a bug. */
export const LANGUAGE_LIMITS = {
  messages: 256,
  imagesPerCall: 32,
  charsPerCall: 2_000_000,
  toolsPerCall: 64,
  toolCallsPerAnswer: 32,
} as const;

export const textPart = (text: string): MessagePart => ({ type: "text", text });

import type { EncodedImage } from "../embedder.ts";

/** A part of a message: text, or a picture for a vision model. */
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

/** A tool that the model may call; `input` is the JSON schema of its arguments. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** The server enforces the schema, if it can: this costs tokens, and pays where the form must be right. */
  readonly strict?: boolean;
}

/** A tool call by the model. `input` is whatever it wrote; the tool's runner parses it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface GenerateRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  /** The tool that must be called now, if the server supports it. */
  readonly mustCall?: string;
  /** The answer is one JSON document of this schema; servers that cannot enforce it are still told so. */
  readonly json?: JsonSchema;
  readonly temperature?: number;
  readonly maxTokens: number;
  /** The sample number for repeated identical requests: it seeds the server and separates cache entries. */
  readonly sample?: number;
}

/** Tokens as billed by the server, or estimated if it reports none. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Only if prices were configured. */
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
  /** The text so far, as it arrives. It may restart when a truncated stream is requested again. */
  readonly onText?: ((soFar: string) => void) | undefined;
}

/**
 * Words and pictures in, words or tool calls out. Throws `aborted`, `limit-exceeded` (an answer or a budget),
 * `model-unavailable` (no server, no key, no package), `not-supported` (the server refuses tools or pictures) or
 * `model-failed` (an unusable answer). Every call ends: time, bytes and retries are bounded.
 */
export interface LanguageModel {
  readonly id: string;
  readonly capabilities: { readonly vision: boolean; readonly tools: boolean };
  /** Most concurrent calls, if configured. */
  readonly parallel?: number | undefined;
  generate(request: GenerateRequest, options?: GenerateOptions): Promise<Generated>;
  close(): Promise<void>;
}

/** Limits of one call. A larger call is a bug of the caller. */
export const LANGUAGE_LIMITS = {
  messages: 256,
  imagesPerCall: 32,
  charsPerCall: 2_000_000,
  toolsPerCall: 64,
  toolCallsPerAnswer: 32,
} as const;

export const textPart = (text: string): MessagePart => ({ type: "text", text });

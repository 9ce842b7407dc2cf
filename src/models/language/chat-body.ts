import { LociError } from "../../schema/index.ts";
import type { EncodedImage } from "../embedder.ts";
import { type Dialect, newDialect } from "./dialect.ts";
import { type GenerateRequest, type JsonSchema, LANGUAGE_LIMITS, type Message } from "./language-model.ts";
import { strictSchema } from "./strict-schema.ts";

/** Settings sent to one server with every request. */
export interface ChatSettings {
  readonly reasoningEffort?: string | undefined;
  /** Fields of the body unknown to this file; they are added last. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/** A request as OpenAI's `POST /chat/completions` has it. */
export function chatBody(
  model: string,
  request: GenerateRequest,
  stream: boolean,
  dialect: Dialect = newDialect(),
  { reasoningEffort, extraBody }: ChatSettings = {},
): object {
  const { messages, tools, json, mustCall, temperature, maxTokens, sample } = request;
  const knows = (field: Parameters<Dialect["without"]["has"]>[0]) => !dialect.without.has(field);
  return {
    model,
    [dialect.maxTokens]: maxTokens,
    ...(knows("temperature") ? { temperature: temperature ?? 0 } : {}),
    ...(sample === undefined || !knows("seed") ? {} : { seed: sample }),
    messages: messages.map(wireMessage),
    ...(tools && tools.length > 0
      ? {
          tools: tools.map(({ name, description, input, strict = false }) => ({
            type: "function",
            function: { name, description, ...heldTo("parameters", input, strict && knows("strict")) },
          })),
          ...(mustCall !== undefined && knows("tool_choice")
            ? { tool_choice: { type: "function", function: { name: mustCall } } }
            : {}),
        }
      : {}),
    // Most servers support json_schema by now; others ignore or refuse it, so the prompt asks for JSON too.
    ...(json && knows("response_format")
      ? {
          response_format: {
            type: "json_schema",
            json_schema: { name: "answer", ...heldTo("schema", json, knows("strict")) },
          },
        }
      : {}),
    ...(reasoningEffort !== undefined && knows("reasoning_effort")
      ? { reasoning_effort: reasoningEffort }
      : {}),
    ...(stream ? { stream: true } : {}),
    ...(stream && knows("stream_options") ? { stream_options: { include_usage: true } } : {}),
    ...extraBody,
  };
}

/** A strict schema if the server supports it and the schema allows it; else the schema as it is. */
function heldTo(name: string, schema: JsonSchema, knowsStrict: boolean): object {
  const strict = knowsStrict ? strictSchema(schema) : undefined;
  return strict ? { [name]: strict, strict: true } : { [name]: schema };
}

/** Refuses invalid requests; hitting a limit here is a bug of the caller. */
export function checkRequest(id: string, { messages, tools }: GenerateRequest): void {
  let [chars, images] = [0, 0];
  for (const message of messages) {
    if (message.role === "user") {
      for (const part of message.parts) {
        if (part.type === "image") images++;
        else chars += part.text.length;
      }
    } else chars += message.text.length;
  }
  const over =
    messages.length > LANGUAGE_LIMITS.messages ||
    chars > LANGUAGE_LIMITS.charsPerCall ||
    images > LANGUAGE_LIMITS.imagesPerCall ||
    (tools?.length ?? 0) > LANGUAGE_LIMITS.toolsPerCall;
  if (over) {
    throw new LociError(
      "limit-exceeded",
      `${id}: a call has at most ${LANGUAGE_LIMITS.messages} messages, ${LANGUAGE_LIMITS.charsPerCall} characters and ${LANGUAGE_LIMITS.imagesPerCall} pictures; got ${messages.length}, ${chars} and ${images}`,
    );
  }
}

export function mediaTypeOf({ bytes }: EncodedImage): string {
  return bytes[0] === 0x89 ? "image/png" : "image/jpeg";
}

function wireMessage(message: Message): object {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text.toWellFormed() };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text.toWellFormed() };
    case "assistant":
      return {
        role: "assistant",
        content: message.text.toWellFormed(),
        ...(message.toolCalls && message.toolCalls.length > 0
          ? {
              tool_calls: message.toolCalls.map(({ id, name, input }) => ({
                id,
                type: "function",
                function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
              })),
            }
          : {}),
      };
    case "user":
      // Text-only servers accept only a plain string here.
      if (message.parts.every(({ type }) => type === "text")) {
        const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
        return { role: "user", content: text.toWellFormed() };
      }
      return {
        role: "user",
        content: message.parts.map((part) =>
          part.type === "text"
            ? { type: "text", text: part.text.toWellFormed() }
            : { type: "image_url", image_url: { url: dataUrl(part.image) } },
        ),
      };
  }
}

function dataUrl(image: EncodedImage): string {
  return `data:${mediaTypeOf(image)};base64,${Buffer.from(image.bytes).toString("base64")}`;
}

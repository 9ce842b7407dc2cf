/** A reply of a scripted model, before it is put into a vendor's format. */
export type ScriptedReply =
  | { readonly say: string; readonly finish?: "stop" | "length" | "refused" }
  | { readonly call: readonly (readonly [name: string, input: Record<string, unknown>])[] }
  | {
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** In pieces; `cut` drops the connection before the end. */
  | { readonly pieces: readonly string[]; readonly cut?: boolean }
  /** Never answers, drops the connection half-way, or sends this many bytes. */
  | { readonly fault: "hang" | "cut" }
  | { readonly bytes: number };

type Said = Extract<ScriptedReply, { say: string } | { call: unknown }>;

/** One vendor's protocol: what tests need to answer a request and to inspect it. */
export interface Protocol {
  readonly vendor: "openai" | "anthropic" | "google";
  /** The header that carries the key. */
  readonly keyHeader: string;
  answer(reply: Said, request: string): object;
  /** The events of a stream: one or more per piece, then the final ones. */
  events(pieces: readonly string[]): { readonly said: string[]; readonly end: string[] };
  error(status: number, message: string): object;
  /** Names of the tools that a request offers. */
  toolsIn(request: string): string[];
}

const USAGE = { in: 100, out: 10 } as const;

const openai: Protocol = {
  vendor: "openai",
  keyHeader: "authorization",
  answer(reply) {
    const finish =
      "say" in reply
        ? { stop: "stop", length: "length", refused: "content_filter" }[reply.finish ?? "stop"]
        : "tool_calls";
    const message =
      "say" in reply
        ? { role: "assistant", content: reply.say }
        : {
            role: "assistant",
            content: null,
            tool_calls: reply.call.map(([name, input], n) => ({
              id: `call-${n}`,
              type: "function",
              function: { name, arguments: JSON.stringify(input) },
            })),
          };
    const usage = { prompt_tokens: USAGE.in, completion_tokens: USAGE.out };
    return { choices: [{ message, finish_reason: finish }], usage };
  },
  events: (pieces) => ({
    said: pieces.map((content) => data({ choices: [{ delta: { content } }] })),
    end: [
      data({
        choices: [{ delta: {}, finish_reason: "stop" }],
        usage: { prompt_tokens: USAGE.in, completion_tokens: USAGE.out },
      }),
      "data: [DONE]\n\n",
    ],
  }),
  error: (_status, message) => ({ error: { message } }),
  toolsIn: (request) =>
    (read<{ tools?: { function: { name: string } }[] }>(request).tools ?? []).map(
      (tool) => tool.function.name,
    ),
};

const anthropic: Protocol = {
  vendor: "anthropic",
  keyHeader: "x-api-key",
  answer(reply, request) {
    // The package requests JSON through a tool that the model has to call.
    const asJson =
      "say" in reply && anthropic.toolsIn(request).includes("json") ? objectIn(reply.say) : undefined;
    const calls = "call" in reply ? reply.call : asJson ? ([["json", asJson]] as const) : [];
    const reasons = { stop: "end_turn", length: "max_tokens", refused: "refusal" } as const;
    return {
      type: "message",
      id: "message-1",
      role: "assistant",
      model: "some-model",
      content:
        calls.length > 0
          ? calls.map(([name, input], n) => ({ type: "tool_use", id: `call-${n}`, name, input }))
          : "say" in reply
            ? [{ type: "text", text: reply.say }]
            : [],
      stop_reason: "say" in reply && asJson === undefined ? reasons[reply.finish ?? "stop"] : "tool_use",
      usage: { input_tokens: USAGE.in, output_tokens: USAGE.out },
    };
  },
  events(pieces) {
    const event = (type: string, more: object = {}) => `event: ${type}\n${data({ type, ...more })}`;
    const message = {
      id: "m",
      type: "message",
      role: "assistant",
      model: "some-model",
      content: [],
      stop_reason: null,
    };
    const usage = { input_tokens: USAGE.in, output_tokens: 0 };
    return {
      said: [
        event("message_start", { message: { ...message, usage } }),
        event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
        ...pieces.map((text) =>
          event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
        ),
      ],
      end: [
        event("content_block_stop", { index: 0 }),
        event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: USAGE.out } }),
        event("message_stop"),
      ],
    };
  },
  error: (status, message) => ({ type: "error", error: { type: `error_${status}`, message } }),
  toolsIn: (request) => (read<{ tools?: { name: string }[] }>(request).tools ?? []).map(({ name }) => name),
};

const google: Protocol = {
  vendor: "google",
  keyHeader: "x-goog-api-key",
  answer(reply) {
    const reasons = { stop: "STOP", length: "MAX_TOKENS", refused: "SAFETY" } as const;
    const parts =
      "say" in reply
        ? [{ text: reply.say }]
        : reply.call.map(([name, args]) => ({ functionCall: { name, args } }));
    const finishReason = "say" in reply ? reasons[reply.finish ?? "stop"] : "STOP";
    return {
      candidates: [{ content: { role: "model", parts }, finishReason }],
      usageMetadata: {
        promptTokenCount: USAGE.in,
        candidatesTokenCount: USAGE.out,
        totalTokenCount: USAGE.in + USAGE.out,
      },
    };
  },
  events: (pieces) => ({
    said: pieces.map((text) => data({ candidates: [{ content: { role: "model", parts: [{ text }] } }] })),
    end: [
      data({
        candidates: [{ content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP" }],
        usageMetadata: {
          promptTokenCount: USAGE.in,
          candidatesTokenCount: USAGE.out,
          totalTokenCount: USAGE.in + USAGE.out,
        },
      }),
    ],
  }),
  error: (status, message) => ({ error: { code: status, message, status: "FAILED" } }),
  toolsIn(request) {
    const { tools } = read<{ tools?: Declared | Declared[] }>(request);
    const all = tools === undefined ? [] : Array.isArray(tools) ? tools : [tools];
    return all.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
  },
};

interface Declared {
  readonly functionDeclarations?: { readonly name: string }[];
}

/** Every protocol that an adapter of ours speaks. */
export const PROTOCOLS = { openai, anthropic, google } as const;

function data(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

function read<T>(request: string): T {
  return JSON.parse(request) as T;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

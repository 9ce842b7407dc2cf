import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a server of OpenAI's chat protocol sees it, reduced to what tests check. */
export interface ChatAsked {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly max_tokens: number;
    readonly temperature: number;
    readonly stream?: boolean;
    readonly response_format?: { readonly type: string };
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly messages: readonly {
      readonly role: string;
      readonly content: string | readonly { readonly type: string; readonly text?: string }[];
      readonly tool_call_id?: string;
    }[];
  };
}

export type Reply = (response: ServerResponse, asked: ChatAsked) => void;

/** A loopback server that answers by a script, in place of a model. */
export interface ScriptedServer {
  readonly baseUrl: string;
  readonly asked: ChatAsked[];
  /** The next replies, in order; after its end every request is answered with 500. */
  script: Reply[];
  /** Answers whatever the script does not. */
  otherwise: Reply;
  close(): Promise<void>;
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const asked: ChatAsked[] = [];
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = {
      path: request.url,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    };
    asked.push(one);
    (server.script.shift() ?? server.otherwise)(response, one);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const server: ScriptedServer = {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    asked,
    script: [],
    otherwise: refuse(500),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

const USAGE = { prompt_tokens: 100, completion_tokens: 10 };

/** Plain text. */
export const say =
  (content: unknown, finish = "stop"): Reply =>
  (response) =>
    void response.end(
      JSON.stringify({
        choices: [{ message: { role: "assistant", content }, finish_reason: finish }],
        usage: USAGE,
      }),
    );

/** JSON as text, as a model without tools writes it. */
export const sayJson = (value: unknown): Reply => say(JSON.stringify(value));

/** Tool calls. */
export const call = (...calls: readonly (readonly [name: string, input: unknown])[]): Reply => {
  const toolCalls = calls.map(([name, input], n) => ({
    id: `call-${n}`,
    type: "function",
    function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
  }));
  return (response) =>
    void response.end(
      JSON.stringify({
        choices: [
          {
            message: { role: "assistant", content: null, tool_calls: toolCalls },
            finish_reason: "tool_calls",
          },
        ],
        usage: USAGE,
      }),
    );
};

export const refuse =
  (status: number, message = "no", headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) =>
    void response.writeHead(status, headers).end(JSON.stringify({ error: { message } }));

/** Never answers: the client's own limit must end it. */
export const hang: Reply = () => undefined;

/** Answers in pieces; `cut` drops the connection before the end. */
export const stream =
  (pieces: readonly string[], { cut = false }: { cut?: boolean } = {}): Reply =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const content of pieces)
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    if (cut) return void setImmediate(() => response.destroy());
    response.write(
      `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }], usage: USAGE })}\n\n`,
    );
    response.end("data: [DONE]\n\n");
  };

/** Every word of a request, in order, pictures left out. */
export function textOf({ body }: ChatAsked): string {
  return body.messages
    .map(({ content }) =>
      typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("\n"),
    )
    .join("\n");
}

/** Number of pictures in a request. */
export function imagesIn({ body }: ChatAsked): number {
  return body.messages
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .filter(({ type }) => type === "image_url").length;
}

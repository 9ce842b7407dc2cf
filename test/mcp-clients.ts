import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** What came back from a tool, whichever client called it. */
export interface Said {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly blocks: readonly { readonly type: string; readonly data?: string; readonly mimeType?: string }[];
}

export interface McpClient {
  readonly version: string | undefined;
  tools(): Promise<readonly { readonly name: string }[]>;
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<Said>;
  /** The whole answer of a list, with its hints. */
  raw(): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

export type Target =
  | { readonly url: string; readonly token?: string }
  | { readonly command: string; readonly args: readonly string[]; readonly env?: Record<string, string> };

/** How a person at the client answers; undefined: the client cannot ask. */
export type Person = ((message: string) => boolean) | undefined;

/** The official client of today, by the newest protocol or the one before. */
export async function client(target: Target, era: "modern" | "legacy", person?: Person): Promise<McpClient> {
  const made = new Client(
    { name: "test", version: "1" },
    {
      capabilities: person ? { elicitation: { form: {} } } : {},
      ...(era === "modern" && { versionNegotiation: { mode: "auto" } }),
    },
  );
  if (person)
    made.setRequestHandler("elicitation/create", async ({ params }) => ({
      action: "accept",
      content: { confirm: person(params.message) },
    }));
  await made.connect(
    "url" in target
      ? new StreamableHTTPClientTransport(new URL("/mcp", target.url), headersOf(target))
      : new StdioClientTransport({ ...target, args: [...target.args], stderr: "inherit" }),
  );
  return {
    version: made.getNegotiatedProtocolVersion(),
    tools: async () => (await made.listTools()).tools,
    raw: async () => ({ ...(await made.listTools()) }),
    call: async (name, args = {}) => saidOf(await made.callTool({ name, arguments: args })),
    close: () => made.close(),
  };
}

/** The client of the SDK before, as most hosts still have it. */
export async function oldClient(target: Target, person?: Person): Promise<McpClient> {
  const made = new OldClient(
    { name: "old test", version: "1" },
    { capabilities: person ? { elicitation: {} } : {} },
  );
  if (person)
    made.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({
      action: "accept",
      content: { confirm: person(params.message) },
    }));
  const transport =
    "url" in target
      ? new OldHttp(new URL("/mcp", target.url), headersOf(target))
      : new OldStdio({ ...target, args: [...target.args], stderr: "inherit" });
  await made.connect(transport as Parameters<typeof made.connect>[0]);
  return {
    version: undefined,
    tools: async () => (await made.listTools()).tools,
    raw: async () => ({ ...(await made.listTools()) }),
    call: async (name, args = {}) => saidOf(await made.callTool({ name, arguments: args })),
    close: () => made.close(),
  };
}

function headersOf({ token }: { readonly token?: string }) {
  return token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };
}

function saidOf(result: Readonly<Record<string, unknown>>): Said {
  const blocks = (result["content"] ?? []) as (Said["blocks"][number] & { readonly text?: string })[];
  return {
    text: blocks.flatMap(({ text }) => text ?? []).join("\n"),
    data: (result["structuredContent"] ?? {}) as Said["data"],
    isError: result["isError"] === true,
    blocks,
  };
}

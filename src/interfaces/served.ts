import { pino } from "pino";
import type { Memory, MemoryFace } from "../compose.ts";
import { connect } from "../remote/index.ts";
import { LociError } from "../schema/core.ts";
import { serve } from "./http/server.ts";

/** The result of an MCP tool: what a model reads, and the same as data. */
export interface ToolSaid {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** A memory behind a server of this process, on a port of its own: over HTTP, and by its MCP tools. */
export async function served(memory: Memory): Promise<{
  readonly face: MemoryFace;
  call(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolSaid>;
  close(): Promise<void>;
}> {
  const serving = await serve(memory, { port: 0, log: pino({ level: "silent" }) });
  const face = connect(serving.url);
  let calls = 0;
  return {
    face,
    call: async (name, input) => {
      const response = await fetch(new URL("/mcp", serving.url), {
        method: "POST",
        headers: HEADERS,
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: ++calls,
          method: "tools/call",
          params: { name, arguments: input },
        }),
      });
      return saidBy(await response.text());
    },
    close: async () => {
      await face.close();
      await serving.close();
    },
  };
}

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};

interface Result {
  readonly content?: readonly { readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** The result in a reply, which comes as one JSON document or as the data of one event. */
function saidBy(reply: string): ToolSaid {
  const json = /^data: (.*)$/m.exec(reply)?.[1] ?? reply;
  const { result } = JSON.parse(json) as { readonly result?: Result };
  if (result === undefined)
    throw new LociError("invalid-input", `the tool was not called: ${json.slice(0, 200)}`);
  return {
    text: (result.content ?? []).flatMap(({ text }) => text ?? []).join("\n"),
    data: result.structuredContent ?? {},
    isError: result.isError === true,
  };
}

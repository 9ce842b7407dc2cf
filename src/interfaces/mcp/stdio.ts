import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "pino";
import { type McpOptions, makeMcpServer } from "./server.ts";

export interface McpStdioOptions extends McpOptions {
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Bytes of one message; a fact is far smaller. */
const MAX_MESSAGE_BYTES = 1_048_576;

/** Serves one client on stdin and stdout, in either era, until it closes stdin or the signal is aborted. */
export async function serveMcpStdio({ log, signal, ...options }: McpStdioOptions): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    process.stdout.once("error", resolve);
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const handle = serveStdio(() => makeMcpServer(options), {
    transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES }),
    onerror: (error) => log.warn({ err: error }, "mcp"),
  });
  await ended;
  await handle.close();
}

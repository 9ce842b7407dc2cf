import { pino } from "pino";
import { LociError } from "../../../schema/core.ts";
import { SharedMemory } from "../../handover/shared-memory.ts";
import { TOOLS } from "../../mcp/server.ts";
import { serveMcpStdio } from "../../mcp/stdio.ts";
import type { MemoryOptions } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface McpCommandOptions extends MemoryOptions {
  readonly readOnly?: boolean;
  readonly server?: string;
  readonly log: string;
}

/** Speaks MCP on stdin and stdout until stdin ends. Stdout belongs to the protocol; all other output goes to stderr. */
export async function run(options: McpCommandOptions, terminal: Terminal): Promise<void> {
  if (terminal.json)
    throw new LociError("invalid-input", "mcp speaks its own protocol on stdout; leave out --json");
  const log = pino({ level: options.log, base: null }, pino.destination({ dest: 2, sync: true }));
  const readOnly = options.readOnly ?? false;
  const tools = TOOLS.filter(({ does }) => !readOnly || does === "read");
  if (options.server !== undefined) {
    const { connect } = await import("../../../index.ts");
    const token = process.env["LOCI_TOKEN"];
    const face = connect(options.server, token === undefined ? {} : { token });
    return serveMcpStdio({ face, tools, log, signal: terminal.signal });
  }
  const shared = new SharedMemory({
    folder: options.memory,
    environment: process.env,
    readOnly,
    log,
    ...(options.embedder !== undefined && { embedder: options.embedder }),
  });
  try {
    await serveMcpStdio({ face: shared.face, tools, log, signal: terminal.signal });
  } finally {
    await shared.close();
  }
}

/** An agent's side of MCP, with the official client over stdio. Run: npx node examples/mcp-agent.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const folder = mkdtempSync(join(tmpdir(), "loci-example-"));
const agent = new Client({ name: "example-agent", version: "1" });

// What Claude or Cursor do with an entry of "mcpServers" (docs/mcp.md): they start `loci mcp` and speak with it.
await agent.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [resolve(import.meta.dirname, "../bin/loci.mjs"), "mcp", "--memory", folder],
  }),
);

const { tools } = await agent.listTools();
console.log("tools:", tools.map(({ name }) => name).join(" "));

/** A model reads the text; programs read structuredContent. */
async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const { content, isError } = await agent.callTool({ name, arguments: args });
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return isError ? `error: ${text}` : text;
}

console.log(
  await call("remember", { text: "The spare key hangs behind the door.", at: { x: 1, y: 2, z: 1.5 } }),
);
console.log(await call("search", { text: "how do I get in?", near: { x: 0, y: 0, z: 0 }, within: 5 }));
// A mistake comes back as something that a model can act on.
console.log(await call("record", { id: "nothing" }));

await agent.close();
rmSync(folder, { recursive: true });

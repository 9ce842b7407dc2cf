import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Memory, openMemory } from "../src/compose.ts";
import { type Serving, serve } from "../src/interfaces/http/server.ts";
import { TOOLS } from "../src/interfaces/mcp/server.ts";
import { client, type McpClient, oldClient, type Person, type Target } from "./mcp-clients.ts";
import { EMBEDDER, housesFolder } from "./mcp-house.ts";

const LANES: Readonly<Record<string, (target: Target, person?: Person) => Promise<McpClient>>> = {
  "2026-07-28": (target, person) => client(target, "modern", person),
  "2025-11-25": (target, person) => client(target, "legacy", person),
  "the SDK before": oldClient,
};

let folder: Awaited<ReturnType<typeof housesFolder>>;
let memory: Memory;
let serving: Serving;

beforeAll(async () => {
  folder = await housesFolder();
  memory = await openMemory(folder.folder, { embedder: EMBEDDER });
  serving = await serve(memory, { port: 0, log: pino({ level: "silent" }) });
});

afterAll(async () => {
  await serving?.close();
  await memory?.close();
  folder?.remove();
});

describe.each(Object.entries(LANES))("mcp over http, %s", (lane, connect) => {
  let mcp: McpClient;
  beforeAll(async () => {
    mcp = await connect({ url: serving.url });
  });
  afterAll(() => mcp.close());

  it("lists every tool within 4,000 tokens", async () => {
    const tools = await mcp.tools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    expect(tools.length).toBeLessThanOrEqual(12);
    console.log(lane, JSON.stringify(tools).length / 4);
    expect(JSON.stringify(tools).length / 4).toBeLessThan(4_000);
  });

  it("calls", async () => {
    for (const [name, args] of [
      ["ask", { question: "Where is the red mug?" }],
      ["search", { text: "mug", limit: 2 }],
      ["search", { kinds: ["caption"] }],
      ["look", { id: "mug" }],
      ["look", { id: "view-kitchen" }],
      ["record", { id: "mug" }],
      ["changes", {}],
      ["remember", { text: "The plumber comes on Friday.", at: { x: 1, y: 2, z: 0 } }],
      ["forget", { ids: ["note-secret"], reason: "test" }],
      ["search", { near: { x: 1 } }],
      ["search", { from: "yesterday" }],
      ["record", { id: "nope" }],
    ] as const)
      console.log(lane, name, JSON.stringify(await mcp.call(name, args)).slice(0, 1500));
  });
});

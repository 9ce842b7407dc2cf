import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Expedition, type Memory, openMemory } from "../src/compose.ts";
import { type Serving, serve } from "../src/interfaces/http/server.ts";
import { type HouseRobot, startHouseRobot } from "./robot-house.ts";

const LONG_MS = 240_000;

function textOf({ content }: { readonly content: readonly object[] }): string {
  return content.flatMap((block) => ("text" in block ? [String(block.text)] : [])).join("\n");
}

describe("an agent that may send a robot to look", () => {
  let folder: string;
  let memory: Memory;
  let serving: Serving;
  let sent: HouseRobot;
  let mcp: Client;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "loci-mcp-explore-"));
    memory = await openMemory(folder, { embedder: "hashing:64" });
    sent = await startHouseRobot(7, 4);
    const explores = new Expedition(memory, { url: sent.robot.url, eyes: sent.eyes, settleMs: 0 });
    serving = await serve(memory, { port: 0, log: pino({ level: "silent" }), explores });
    mcp = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await mcp.connect(new StreamableHTTPClientTransport(new URL("/mcp", serving.url)));
  }, LONG_MS);

  afterAll(async () => {
    await mcp?.close();
    await serving?.close();
    await memory?.close();
    await sent?.robot.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = (name: string, args: object, options: object = {}) =>
    mcp.callTool({ name, arguments: { ...args } }, { timeout: LONG_MS, ...options });
  /** Something that stands in the house, by its kind, where there is one of it. */
  const single = () => {
    const { things } = sent.house.timeline.house;
    const kinds = Map.groupBy(things, ({ category }) => category);
    return ["bed", "sofa", "toilet", "fridge", "bathtub", "oven"].find(
      (kind) => kinds.get(kind)?.length === 1,
    )!;
  };

  it(
    "is told how far it is, and gets an answer with its evidence; the run is there to be replayed",
    async () => {
      const kind = single();
      const progress: string[] = [];
      const said = await call(
        "explore",
        { question: `Where is the ${kind}?`, maxSteps: 40 },
        { onprogress: ({ message = "" }: { message?: string }) => progress.push(message) },
      );
      const text = textOf(said);
      expect(text).toMatch(/^\[answered\] /);
      // What it is called goes by what looks said of it, and a robot looks when it does: "bed" or "brown wood king-size bed".
      expect(text).toMatch(new RegExp(`"[^"]*\\b${kind}\\b[^"]*"`));
      const data = said.structuredContent as { end: string; runId: string; items: { id: string }[] };
      expect(data).toMatchObject({ end: "answered", status: "answered" });
      expect(data.items.length).toBeGreaterThan(0);
      expect(progress.every((line) => /^[a-z-]+: /.test(line))).toBe(true);
      const listed = await (await fetch(`${serving.url}/v1/runs`)).json();
      expect(listed).toMatchObject({ runs: [{ id: data.runId, end: "answered" }] });
      const { lines } = (await (await fetch(`${serving.url}/v1/runs/${data.runId}`)).json()) as {
        lines: { kind: string }[];
      };
      expect(lines.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["run", "map", "end"]));
    },
    LONG_MS,
  );

  it(
    "may change its mind: the robot stands, and is free for the next one",
    async () => {
      const stop = new AbortController();
      const under = call(
        "navigate",
        { to: "the elephant" },
        { signal: stop.signal, onprogress: () => stop.abort() },
      );
      await expect(under).rejects.toThrow();
      await expect.poll(() => sent.robot.isDriving, { timeout: 30_000 }).toBe(false);
      await expect
        .poll(
          async () => {
            const again = await call("navigate", { to: "the elephant", maxSteps: 1 });
            return textOf(again);
          },
          { timeout: 60_000, interval: 500 },
        )
        .toMatch(/^\[(budget|absent|explored)\] /);
    },
    LONG_MS,
  );

  it(
    "that understands tasks is given one to ask for and to end",
    async () => {
      const began = await raw("tools/call", {
        name: "explore",
        arguments: { question: "Is there an elephant?", maxSteps: 2 },
      });
      expect(began).toMatchObject({ resultType: "task", status: "working", taskId: expect.any(String) });
      const { taskId } = began;
      const ended = async () => (await raw("tasks/get", { taskId }))["status"];
      await expect.poll(ended, { timeout: 120_000, interval: 300 }).toBe("completed");
      const { result } = (await raw("tasks/get", { taskId })) as { result: { content: { text: string }[] } };
      expect(result.content[0]!.text).toMatch(/^\[\w+\] /);
      const second = await raw("tools/call", {
        name: "explore",
        arguments: { question: "Is there a zebra?" },
      });
      await raw("tasks/cancel", { taskId: second["taskId"] });
      const cancelled = async () => (await raw("tasks/get", { taskId: second["taskId"] }))["status"];
      await expect.poll(cancelled, { timeout: 60_000, interval: 300 }).toBe("cancelled");
      await expect(raw("tasks/get", { taskId: "nobody's" })).rejects.toThrow("no task");
    },
    LONG_MS,
  );

  /** As a client does that knows the extension: it says so with every request. */
  async function raw(method: string, params: object): Promise<Record<string, unknown>> {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
    };
    const response = await fetch(`${serving.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": String("name" in params ? params.name : "taskId" in params ? params.taskId : ""),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
    });
    const text = await response.text();
    const json = text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "{}");
    const { result, error } = JSON.parse(json) as {
      result?: Record<string, unknown>;
      error?: { message: string };
    };
    if (error) throw new Error(error.message);
    return result!;
  }
});

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMemory } from "../src/compose.ts";
import { readServerFile } from "../src/interfaces/handover/server-file.ts";
import { SharedMemory } from "../src/interfaces/handover/shared-memory.ts";
import { client, type McpClient } from "./mcp-clients.ts";

const BIN = resolve(import.meta.dirname, "../bin/loci.mjs");
const EMBEDDER = "hashing:64";
const EACH = 1_000;
/** Calls that a client has under way at once. */
const AT_ONCE = 8;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-handover-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const memoryOf = () => join(folder, "memory");
const start = () =>
  client(
    { command: process.execPath, args: [BIN, "mcp", "--memory", memoryOf(), "--embedder", EMBEDDER] },
    "modern",
  );

/** A command of the command line, in a process of its own. */
async function loci(...args: string[]): Promise<Readonly<Record<string, unknown>>> {
  const all = [BIN, ...args, "--memory", memoryOf(), "--embedder", EMBEDDER, "--json"];
  return JSON.parse((await promisify(execFile)(process.execPath, all)).stdout);
}

/** Has a client remember facts, several at once; gives the texts whose storing was acknowledged,
 * and what was said instead. */
async function rememberMany(
  mcp: McpClient,
  who: string,
  count: number,
  onKept: (kept: number) => void = () => undefined,
): Promise<{ readonly kept: string[]; readonly refused: string[] }> {
  const refused: string[] = [];
  const kept: string[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < count) {
        const text = `Robot ${who} saw thing number ${next++}.`;
        const said = await mcp.call("remember", { text }).catch(() => undefined);
        if (said?.isError) refused.push(said.text);
        if (said === undefined || said.isError) continue;
        kept.push(text);
        onKept(kept.length);
      }
    }),
  );
  return { kept, refused };
}

/** Every fact in the memory, read by nobody's server. */
async function factsIn(path: string): Promise<string[]> {
  const memory = await openMemory(path, { create: false, embedder: EMBEDDER });
  try {
    const { hits } = await memory.search({ kinds: ["caption"], rank: "id", limit: 10_000 });
    return hits.map(({ record }) => record.text.join(" "));
  } finally {
    await memory.close();
  }
}

describe("several mcp processes on one memory", () => {
  it("keeps all that two of them write at once", { timeout: 180_000 }, async () => {
    const both = await Promise.all([start(), start()]);
    const told = await Promise.all(both.map((mcp, n) => rememberMany(mcp, "AB"[n]!, EACH)));
    expect(told.flatMap(({ refused }) => refused)).toEqual([]);
    const kept = told.map((one) => one.kept);
    expect(kept.map(({ length }) => length)).toEqual([EACH, EACH]);
    const server = join(memoryOf(), "server.json");
    expect(statSync(server).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(server, "utf8")).url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    await Promise.all(both.map((mcp) => mcp.close()));
    expect((await factsIn(memoryOf())).toSorted()).toEqual(kept.flat().toSorted());
  });

  it("loses nothing that was acknowledged when the one who holds it is killed", {
    timeout: 180_000,
  }, async () => {
    const both = await Promise.all([start(), start()]);
    let killed = 0;
    const progress = (at: number) => {
      if (at !== EACH / 2 || killed !== 0) return;
      killed = JSON.parse(readFileSync(join(memoryOf(), "server.json"), "utf8")).pid;
      process.kill(killed, "SIGKILL");
    };
    const told = await Promise.all(both.map((mcp, n) => rememberMany(mcp, "AB"[n]!, EACH, progress)));
    expect(told.flatMap(({ refused }) => refused)).toEqual([]);
    const kept = told.map((one) => one.kept);
    expect(killed).toBeGreaterThan(0);
    // One ended in the middle; the other took its place and finished.
    expect(Math.min(...kept.map(({ length }) => length))).toBeLessThan(EACH);
    expect(Math.max(...kept.map(({ length }) => length))).toBe(EACH);
    await Promise.all(both.map((mcp) => mcp.close()));
    const facts = await factsIn(memoryOf());
    expect(new Set(facts).size).toBe(facts.length);
    expect(kept.flat().filter((text) => !facts.includes(text))).toEqual([]);
  });

  it("goes on when the one who holds it ends", { timeout: 180_000 }, async () => {
    const [first, second] = [await start(), await start()];
    const one = await first.call("remember", { text: "First holds." });
    const two = await second.call("remember", { text: "Second goes through it." });
    expect([one.isError, two.isError]).toEqual([false, false]);
    await first.close();
    expect((await second.call("remember", { text: "Second took its place." })).isError).toBe(false);
    expect((await second.call("search", { text: "holds" })).text).toContain("First holds.");
    await second.close();
    expect(await factsIn(memoryOf())).toEqual([
      "First holds.",
      "Second goes through it.",
      "Second took its place.",
    ]);
  });

  it("lets commands write through whoever holds it", { timeout: 180_000 }, async () => {
    const mcp = await start();
    await mcp.call("remember", { text: "The agent holds it." });
    const said = await loci("remember", "The command goes through it.", "--topic", "door");
    expect(said).toMatchObject({ text: ["The command goes through it."], topic: "door" });
    expect((await mcp.call("search", { text: "command" })).text).toContain("The command goes through it.");
    const corner = await loci("name", "--at", "1,1,0", "--as", "Grandma's corner", "--author", "anna");
    expect(corner).toMatchObject({ says: "Grandma's corner", author: "anna" });
    expect(await loci("undo", corner["id"] as string)).toMatchObject({ id: corner["id"] });
    const gone = await loci("forget", "--text", "command", "--all", "--reason", "a test");
    expect(gone["forgotten"]).toHaveLength(1);
    await mcp.close();
    expect(await factsIn(memoryOf())).toEqual(["The agent holds it."]);
  });
});

describe("mcp beside serve", () => {
  /** The server in a process of its own, once it listens. */
  async function serving(): Promise<ChildProcess> {
    const args = [
      BIN,
      "serve",
      "--memory",
      memoryOf(),
      "--embedder",
      EMBEDDER,
      "--port",
      "0",
      "--log",
      "error",
    ];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout!, "data");
    return child;
  }

  it("goes through it, forgets beside who reads, and outlives it", { timeout: 180_000 }, async () => {
    // Reads by itself, with the memory open, before there is a server.
    const reader = await start();
    expect((await reader.call("search", {})).isError).toBe(false);
    const server = await serving();
    const mcp = await start();
    const said = await mcp.call("remember", { text: "Said beside the server." });
    expect(said.isError).toBe(false);
    expect((await reader.call("search", { text: "server" })).text).toContain("Said beside the server.");
    const ids = [said.data["id"]];
    const { confirm } = (await mcp.call("forget", { ids, reason: "a test" })).data;
    expect((await mcp.call("forget", { ids, reason: "a test", confirm })).data).toMatchObject({
      wiped: true,
    });
    expect((await reader.call("search", { text: "server" })).text).not.toContain("Said beside the server.");
    server.kill("SIGKILL");
    await once(server, "exit");
    for (const one of [mcp, reader])
      expect((await one.call("remember", { text: "Said after the server." })).isError).toBe(false);
    await Promise.all([mcp.close(), reader.close()]);
    expect(await factsIn(memoryOf())).toEqual(["Said after the server.", "Said after the server."]);
  });
});

describe("the file that says who serves", () => {
  const write = (content: unknown, mode = 0o600) => {
    const path = join(folder, "server.json");
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    chmodSync(path, mode);
    return readServerFile(folder);
  };
  const file = { format: 1, url: "http://127.0.0.1:7077", pid: 1, token: "loci_".padEnd(48, "x") };

  it("is believed where only its owner could write it, and leads nowhere but here", () => {
    expect(readServerFile(folder)).toBeUndefined();
    expect(write(file)).toEqual(file);
    expect(write(file, 0o644)).toBeUndefined();
    for (const url of [
      "http://192.168.1.5:7077",
      "http://127.0.0.1.evil.example:80",
      "https://127.0.0.1:1",
      "http://u@127.0.0.1:1",
    ])
      expect(write({ ...file, url })).toBeUndefined();
    expect(write("{")).toBeUndefined();
    expect(write({ ...file, token: "short" })).toBeUndefined();
  });
});

describe("one process that shares a memory", () => {
  const shared = (options = {}) =>
    new SharedMemory({ folder: memoryOf(), embedder: EMBEDDER, log: pino({ level: "silent" }), ...options });

  it("takes no place to read, and gives back what it does not use", async () => {
    const agent = shared({ idleMs: 20 });
    const other = await openMemory(memoryOf(), { embedder: EMBEDDER });
    expect((await agent.face.search({ text: "anything" })).hits).toEqual([]);
    await (await other.writer()).close();
    await agent.face.remember({ text: "Said by the agent." });
    // Free again after a while, with the server's file gone.
    await expect.poll(() => other.as({}).remember("Said by the other."), { timeout: 10_000 }).toBeDefined();
    expect(existsSync(join(memoryOf(), "server.json"))).toBe(false);
    // What the other wrote is seen, and once he is done the place is taken again.
    const [first] = (await agent.face.search({ text: "Said by the other." })).hits;
    expect(first?.record.text).toEqual(["Said by the other."]);
    await other.close();
    await agent.face.remember({ text: "Said again." });
    await agent.close();
    expect(await factsIn(memoryOf())).toHaveLength(3);
  });

  it("says who is in the way where nobody serves", async () => {
    const other = await openMemory(memoryOf(), { embedder: EMBEDDER });
    await other.writer();
    const agent = shared({ waitMs: 50 });
    await expect(agent.face.remember({ text: "x" })).rejects.toMatchObject({ code: "memory-busy" });
    expect((await agent.face.stats()).records.caption).toBe(0);
    await agent.close();
    await other.close();
  });

  it("never writes where it was told to read", async () => {
    await (await openMemory(memoryOf(), { embedder: EMBEDDER })).close();
    const agent = shared({ readOnly: true });
    await expect(agent.face.remember({ text: "x" })).rejects.toMatchObject({ code: "memory-read-only" });
    await agent.close();
  });
});

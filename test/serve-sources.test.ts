import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMemory, type SourceStatus } from "../src/compose.ts";
import { startToyBridge, type ToyBridge } from "../src/sensors/testing/toy-bridge.ts";
import { pictureUs, TOY_TOPICS, toyDrive } from "../src/sensors/testing/toy-drive.ts";
import { client } from "./mcp-clients.ts";
import { type Running, type Served, served, started } from "./served.ts";

const drive = await toyDrive();

let folder: string;
let open: Running[];
let bridges: ToyBridge[];
let sockets: Server[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-sources-"));
  open = [];
  bridges = [];
  sockets = [];
});
afterEach(async () => {
  for (const { child, ended } of open) {
    child.kill("SIGKILL");
    await ended;
  }
  for (const bridge of bridges) await bridge.close();
  for (const server of sockets) server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serving(...args: string[]): Promise<Served> {
  const server = await served(folder, ...args);
  open.push(server);
  return server;
}

/** A robot that sends pictures `from` … with each connection; slower than they are taken in. */
async function robot(from: number, count: number, port = 0): Promise<ToyBridge> {
  const bridge = await startToyBridge(
    { topics: TOY_TOPICS, publish: (send) => drive(send, from, count, 60) },
    port,
  );
  bridges.push(bridge);
  return bridge;
}

const portOf = ({ url }: ToyBridge) => Number(new URL(url.replace("rosbridge:", "http:")).port);

async function sourcesOf({ url }: Served): Promise<SourceStatus[]> {
  return (await fetch(`${url}/v1/sources`)).json() as Promise<SourceStatus[]>;
}

/** Resolves with the sources once they are so. */
async function until(
  server: Served,
  isSo: (sources: readonly SourceStatus[]) => boolean,
): Promise<SourceStatus[]> {
  for (;;) {
    const sources = await sourcesOf(server);
    if (isSo(sources)) return sources;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** When the memory's looks were taken, by agent. */
async function looksOf(agent: string): Promise<number[]> {
  const memory = await openMemory(folder, { create: false });
  try {
    const { hits } = await memory.search({ kinds: ["observation"], limit: 1_000, rank: "latest" });
    return hits
      .filter(({ record }) => record.author === agent)
      .map(({ record }) => record.validFromUs)
      .sort((a, b) => a - b);
  } finally {
    await memory.close();
  }
}

const times = (from: number, count: number) => Array.from({ length: count }, (_, n) => pictureUs(from + n));

describe("a robot beside a server", () => {
  it("is taken in through the server that holds the memory", async () => {
    const server = await serving();
    const before = await client({ url: server.url }, "modern");
    expect((await before.tools()).map(({ name }) => name)).toContain("start_source");
    await before.close();
    const bridge = await robot(1, 4);
    const taking = started(
      "ingest",
      `${bridge.url}?agent=rob1&detector=none&rate=50&frames=4&when-behind=drop`,
      "--memory",
      folder,
      "--json",
    );
    open.push(taking);
    expect([await taking.ended, taking.err().includes("memory-busy")]).toEqual([0, false]);
    expect(JSON.parse(taking.out())).toMatchObject({ state: "finished", frames: { came: 4, taken: 4 } });
    const question = await fetch(`${server.url}/v1/stats`);
    expect(((await question.json()) as { records: { observation: number } }).records.observation).toBe(4);
    const agent = await client({ url: server.url }, "modern");
    expect((await agent.tools()).map(({ name }) => name)).toContain("stop_source");
    const [{ id }] = (await sourcesOf(server)) as [SourceStatus];
    expect((await agent.call("sources")).text).toContain(`[${id}] finished: 4 of 4 frames, 0 dropped`);
    expect((await agent.call("stop_source", { id: "none" })).isError).toBe(true);
    await agent.close();
    expect(await looksOf("rob1")).toEqual(times(1, 4));
  });

  it("is stopped there when whoever asked for it is interrupted", async () => {
    const server = await serving();
    const bridge = await robot(1, 2);
    const taking = started("ingest", `${bridge.url}?detector=none`, "--memory", folder, "--json");
    open.push(taking);
    await until(server, ([one]) => one !== undefined && one.frames.taken > 0);
    taking.child.kill("SIGINT");
    expect(await taking.ended).toBe(0);
    expect(JSON.parse(taking.out())).toMatchObject({ state: "stopped" });
    expect(await sourcesOf(server)).toMatchObject([{ state: "stopped" }]);
  });

  it("loses nothing and doubles nothing when one of two dies and comes back", async () => {
    const [one, two] = [await robot(1, 6), await robot(1, 3)];
    const port = portOf(two);
    const how = "detector=none&rate=50&when-behind=drop";
    const server = await serving(
      ...["--ingest", `${one.url}?agent=one&${how}`],
      ...["--ingest", `${two.url}?agent=two&${how}`],
    );
    const ofTwo = (sources: readonly SourceStatus[]) => sources.find(({ source }) => source === two.url)!;
    await until(server, (sources) => ofTwo(sources).frames.taken === 3);
    await two.close();
    // It comes back where it was, and sends a picture again that it sent before.
    await robot(3, 4, port);
    await until(server, (sources) => ofTwo(sources).frames.taken === 6);
    await until(server, (sources) => sources.every(({ frames }) => frames.taken >= 6));
    const sources = await sourcesOf(server);
    expect(ofTwo(sources)).toMatchObject({ state: "running", dropped: {}, skipped: {} });
    expect(ofTwo(sources).reconnects).toBeGreaterThan(0);
    expect(sources.find(({ source }) => source === one.url)).toMatchObject({ frames: { came: 6, taken: 6 } });
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(await looksOf("one")).toEqual(times(1, 6));
    expect(await looksOf("two")).toEqual(times(1, 6));
  });

  it("goes on while the memory is kept within limits", async () => {
    const bridge = await robot(1, 400);
    const server = await serving(
      "--ingest",
      `${bridge.url}?agent=rob1&detector=none&rate=50&when-behind=drop`,
    );
    await until(server, ([source]) => source!.frames.taken > 3);
    const kept = started("retain", "--max-age", "0.00001", "--memory", folder, "--json");
    open.push(kept);
    expect([await kept.ended, kept.err()]).toEqual([0, ""]);
    expect(JSON.parse(kept.out())).toMatchObject({ isWithinBudget: true });
    const [after] = await sourcesOf(server);
    await until(server, ([source]) => source!.frames.taken > after!.frames.taken + 3);
    expect(await sourcesOf(server)).toMatchObject([{ state: "running", problem: null, skipped: {} }]);
  });
});

describe("a server with a source that is amiss", () => {
  it("is ready while a robot is away, and ends when it is told to", async () => {
    const silent = createServer(() => undefined);
    sockets.push(silent);
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const server = await serving("--ingest", `rosbridge://127.0.0.1:${port}`);
    const ready = await fetch(`${server.url}/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { sources: { connecting: 1 } }]);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  it.each([
    ["/nowhere/at-all.mcap", "[invalid-input]"],
    ["nope://robot:9090", "expected foxglove://HOST:PORT"],
    ["rosbridge://robot:9090?colour=red", "expected options of a source"],
    ["rosbridge://robot:9090?when-behind=hurry", "whenBehind"],
  ])("does not start with %s", async (source, words) => {
    const running = started("serve", "--memory", folder, "--port", "0", "--ingest", source);
    open.push(running);
    expect(await running.ended).toBe(1);
    expect(
      running
        .err()
        .split("\n")
        .filter((line) => line.startsWith("loci:")),
    ).toHaveLength(1);
    expect(running.err()).toContain(words);
  });
});

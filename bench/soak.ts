/**
 * A robot's day in short: `node bench/soak.ts BAG [--minutes 30] [--cut 3] [--kill 10] [--speed 8]`. The bag is replayed over and
 * over as foxglove_bridge, through a relay that cuts the robot's network; the server that takes it in is asked, watched,
 * shown on a page and in Foxglove and followed by an agent meanwhile, and killed and started again by this script as a supervisor would. Prints a row for
 * each interval: memory, disk, descriptors, latency. Linux only.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import WebSocket from "ws";
import type { SourceStatus } from "../src/compose.ts";

const LOCI = resolve(import.meta.dirname, "../bin/loci.mjs");
/** How long the robot's network is away. */
const AWAY_MS = 10_000;
const ROW_MS = 30_000;
const ASK_MS = 2_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "30" },
    cut: { type: "string", default: "3" },
    kill: { type: "string", default: "10" },
    speed: { type: "string", default: "8" },
    detector: { type: "string", default: "eyes" },
    rule: { type: "string", default: "newest" },
  },
});
const [bag] = positionals;
if (bag === undefined) throw new Error("expected a recording: node bench/soak.ts BAG");
const minutes = (name: keyof typeof values) => Number(values[name]) * 60_000;

const folder = mkdtempSync(join(tmpdir(), "loci-soak-"));
const memory = join(folder, "memory");
const stop = new AbortController();
const counts = { cuts: 0, kills: 0, asks: 0, agentCalls: 0, pages: 0, events: 0, watched: 0, foxglove: 0 };
/** Why calls failed, by who called: "ask: 503 overloaded". */
const failures = new Map<string, number>();
/** Set while the supervisor has killed the server and waits for it: what fails then fails of that. */
let isAway = false;
const askedMs: number[] = [];
let server: { readonly child: ChildProcess; readonly url: string; readonly foxglove: string } | undefined;

const robot = await said([
  "replay",
  resolve(bag),
  "--port",
  "0",
  "--speed",
  values.speed,
  "--loop",
  "--json",
]);
const relay = await relayTo(Number(new URL(robot.line["url"] as string).port));
const how = `agent=robot&rate=30&when-behind=${values.rule}&detector=${values.detector}`;
await begin();

const work = [
  supervise(),
  cutting(),
  asking(),
  agent(),
  following(),
  paging(),
  watching(),
  viewing(),
  rows(),
];
await new Promise((done) => setTimeout(done, minutes("minutes")));
stop.abort();
await Promise.allSettled(work);
const endedBy = await end("SIGTERM");
robot.child.kill("SIGTERM");
relay.close();
console.log(JSON.stringify({ ...counts, endedBy, failures: Object.fromEntries(failures) }));
await verified();
rmSync(folder, { recursive: true, force: true });

async function said(args: readonly string[]) {
  const child = spawn(process.execPath, [LOCI, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((done, fail) => {
    createInterface({ input: child.stdout }).once("line", done);
    child.once("exit", (code) => fail(new Error(`${args[0]} ended with ${code}`)));
  });
  return { child, line: JSON.parse(line) as Record<string, unknown> };
}

async function begin(): Promise<void> {
  const source = `foxglove://127.0.0.1:${relay.port}?${how}`;
  const args = ["serve", "--memory", memory, "--port", "0", "--json", "--log", "error", "--foxglove", "0"];
  const { child, line } = await said([...args, "--ingest", source]);
  server = { child, url: String(line["url"]), foxglove: String(line["foxglove"]) };
  isAway = false;
}

async function end(signal: NodeJS.Signals): Promise<unknown> {
  const { child } = server!;
  const ended = new Promise((done) => child.once("exit", (code, by) => done(code ?? by)));
  child.kill(signal);
  return ended;
}

/** Kills the server now and then, and starts it again. */
async function supervise(): Promise<void> {
  while (await rested(minutes("kill"))) {
    counts.kills++;
    isAway = true;
    await end("SIGKILL");
    await begin();
  }
}

async function cutting(): Promise<void> {
  while (await rested(minutes("cut"))) {
    counts.cuts++;
    relay.cut(true);
    await rested(AWAY_MS);
    relay.cut(false);
  }
}

async function asking(): Promise<void> {
  while (await rested(ASK_MS)) {
    const fromMs = performance.now();
    counts.asks++;
    await called("ask", async () => {
      const body = JSON.stringify({ question: "Where is the sofa?" });
      const headers = { "content-type": "application/json" };
      await read(await fetch(`${server!.url}/v1/ask`, { method: "POST", headers, body }));
      askedMs.push(performance.now() - fromMs);
    });
  }
}

/** An agent that asks what is being taken in, by MCP, with a connection for each time. */
async function agent(): Promise<void> {
  while (await rested(5 * ASK_MS)) {
    counts.agentCalls++;
    const client = new Client({ name: "soak", version: "1" }, { capabilities: {} });
    await called("agent", async () => {
      await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server!.url)));
      await client.callTool({ name: "sources", arguments: {} });
    });
    await client.close().catch(() => undefined);
  }
}

/** What the page hears: changes as they come, over a stream that is opened again when it breaks. */
async function following(): Promise<void> {
  const { signal } = stop;
  while (!signal.aborted) {
    await called("stream", async () => {
      const headers = { accept: "text/event-stream" };
      const response = await fetch(`${server!.url}/v1/changes`, { headers, signal });
      for await (const part of response.body!) counts.events += part.length > 0 ? 1 : 0;
    });
    await rested(1_000);
  }
}

/** What the page draws: the scene, its states and sources, as often as it asks for them. */
async function paging(): Promise<void> {
  while (await rested(2 * ASK_MS)) {
    counts.pages++;
    await called("page", async () => {
      for (const path of ["/v1/feed", "/v1/feed/states", "/v1/sources"])
        await read(await fetch(`${server!.url}${path}`));
    });
  }
}

/** A standing question, made anew where the server forgot it, and its events. */
async function watching(): Promise<void> {
  const { signal } = stop;
  while (!signal.aborted) {
    await called("watch", async () => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ question: "Tell me when a cup is seen." });
      const made = await read(await fetch(`${server!.url}/v1/watches`, { method: "POST", headers, body }));
      const { id } = JSON.parse(made) as { id: string };
      const events = await fetch(`${server!.url}/v1/watches/${id}/events`, { signal });
      for await (const part of events.body!) counts.watched += part.length > 0 ? 1 : 0;
    });
    await rested(1_000);
  }
}

/** A Foxglove viewer that subscribes to everything. */
async function viewing(): Promise<void> {
  while (await rested(1_000))
    await called("foxglove", async () => {
      const socket = new WebSocket(server!.foxglove, "foxglove.sdk.v1");
      const over = () => socket.terminate();
      stop.signal.addEventListener("abort", over, { once: true });
      socket.on("message", (data, isBinary) => {
        counts.foxglove++;
        if (isBinary) return;
        const said = JSON.parse(String(data)) as { op: string; channels?: { id: number }[] };
        if (said.op !== "advertise") return;
        const subscriptions = (said.channels ?? []).map(({ id }) => ({ id, channelId: id }));
        socket.send(JSON.stringify({ op: "subscribe", subscriptions }));
      });
      await new Promise<void>((done, fail) => socket.once("close", done).once("error", fail));
    });
}

/** What fails is counted by its cause; a stream that breaks because the server was killed is no failure. */
async function called(who: string, call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (stop.signal.aborted) return;
    const { message, cause } = error as Error;
    const why = isAway
      ? "the server was killed"
      : `${(cause as NodeJS.ErrnoException)?.code ?? ""} ${message}`;
    const key = `${who}: ${why.trim().slice(0, 100)}`;
    failures.set(key, (failures.get(key) ?? 0) + 1);
  }
}

async function read(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 80)}`);
  return text;
}

async function rows(): Promise<void> {
  const fromMs = performance.now();
  while (await rested(ROW_MS)) {
    try {
      const { child, url } = server!;
      const [source] = (await (await fetch(`${url}/v1/sources`)).json()) as [SourceStatus];
      const sorted = askedMs.splice(0).sort((a, b) => a - b);
      console.log(
        JSON.stringify({
          minute: Number(((performance.now() - fromMs) / 60_000).toFixed(1)),
          rssMb: Math.round(
            Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1_024,
          ),
          diskMb: Number((bytesIn(memory) / 1e6).toFixed(1)),
          descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
          state: source.state,
          taken: source.frames.taken,
          dropped: source.dropped,
          known: source.skipped["duplicate"] ?? 0,
          pictureToAnswerMs: source.latencyMs?.median ?? null,
          askMedianMs: Math.round(sorted[Math.floor(sorted.length / 2)] ?? -1),
          askLongestMs: Math.round(sorted.at(-1) ?? -1),
        }),
      );
    } catch (error) {
      console.log(JSON.stringify({ away: String(error).slice(0, 100) }));
    }
  }
}

/** A robot's network that can go away. */
async function relayTo(port: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const listener = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  return {
    port: (listener.address() as { port: number }).port,
    cut(now: boolean) {
      isCut = now;
      if (now) for (const socket of sockets) socket.destroy();
    },
    close: () => listener.close(),
  };
}

async function verified(): Promise<void> {
  const child = spawn(process.execPath, [LOCI, "verify", "--memory", memory], { stdio: "inherit" });
  await new Promise((done) => child.once("exit", done));
}

/** False once the soak is over. */
async function rested(ms: number): Promise<boolean> {
  const { signal } = stop;
  if (signal.aborted) return false;
  return new Promise((done) => {
    const over = () => {
      clearTimeout(timer);
      done(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", over);
      done(true);
    }, ms);
    signal.addEventListener("abort", over, { once: true });
  });
}

function bytesIn(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) =>
        sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}

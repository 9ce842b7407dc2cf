import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Memory, openMemory } from "../src/compose.ts";
import type { Terminal } from "../src/interfaces/cli/terminal.ts";
import { publishEvents } from "../src/interfaces/live/rosbridge.ts";
import { startToyBridge, type ToyBridge, type ToySaid } from "../src/sensors/testing/toy-bridge.ts";

let folder: string;
let memory: Memory;
let bridges: ToyBridge[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-rosbridge-"));
  memory = await openMemory(folder, { embedder: "hashing:64" });
  bridges = [];
});
afterEach(async () => {
  for (const bridge of bridges) await bridge.close();
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

async function robot(hear: (said: ToySaid) => void, port?: number): Promise<ToyBridge> {
  const bridge = await startToyBridge({ topics: {}, publish: () => {}, hear }, port);
  bridges.push(bridge);
  return bridge;
}

async function happens(...words: string[]): Promise<void> {
  await memory.write({
    records: words.map((word, n) => ({
      kind: "event" as const,
      id: `event-${word}`,
      type: "custom" as const,
      text: [word],
      labels: word.startsWith("secret") ? ["vault"] : [],
      validFromUs: 1_000 + n,
      validToUs: 1_001 + n,
    })),
  });
}

/** Collects what is said on the topic until there are so many. */
function collector(count: number) {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const heard: string[] = [];
  const hear = ({ op, msg }: ToySaid) => {
    if (op !== "publish") return;
    const { text } = JSON.parse((msg as { data: string }).data) as { text: string[] };
    heard.push(text[0]!);
    if (heard.length === count) resolve(heard);
  };
  return { hear, all: promise };
}

it("tells a robot what happens from now on, and only what it may know", async () => {
  await happens("before");
  const { hear, all } = collector(2);
  const bridge = await robot(hear);
  const stop = new AbortController();
  const afterUs = (await memory.stats()).lastCommitUs!;
  const guest = memory.as({ principal: { id: "robot", labels: [] } });
  const telling = publishEvents(guest, { url: bridge.url, afterUs, signal: stop.signal, settleMs: 0 });
  await happens("secret-one");
  await happens("first", "second");
  expect(await all).toEqual(["first", "second"]);
  stop.abort();
  await telling;
  expect(bridge.asked.filter(({ op }) => op === "advertise")).toMatchObject([
    { topic: "/loci/events", type: "std_msgs/msg/String" },
  ]);
  await guest.close();
});

it("waits for a robot that is not there yet, and then leaves nothing out", async () => {
  const gone = await robot(() => {});
  const port = Number(new URL(gone.url.replace("rosbridge:", "http:")).port);
  await gone.close();
  const stop = new AbortController();
  let waited = () => {};
  const waiting = new Promise<void>((resolve) => {
    waited = resolve;
  });
  const telling = publishEvents(memory, {
    url: gone.url,
    afterUs: 0,
    signal: stop.signal,
    tries: 1,
    pauseMs: 10,
    settleMs: 0,
    onWaiting: () => waited(),
  });
  await happens("first", "second");
  await waiting;
  await happens("third");
  const { hear, all } = collector(3);
  await robot(hear, port);
  expect(await all).toEqual(["first", "second", "third"]);
  stop.abort();
  await telling;
});

it("a goal on the command line needs a robot to drive, and a thing that is known", async () => {
  const { run } = await import("../src/interfaces/cli/commands/goal.ts");
  const terminal = { signal: new AbortController().signal } as Terminal;
  const options = { memory: folder, embedder: "hashing:64" };
  await expect(run({ ...options, drive: true }, terminal, "the sofa")).rejects.toThrow("--robot");
  await expect(run(options, terminal, "the sofa")).rejects.toThrow("sofa");
});

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { createParser } from "eventsource-parser";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMemory } from "../src/index.ts";

const LOCI = resolve(import.meta.dirname, "../bin/loci.mjs");
const CLIENTS = 8;

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-stream-"));
});
afterEach(() => {
  child?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** The real command in a process of its own. */
async function serve(): Promise<string> {
  const started = spawn(
    process.execPath,
    [LOCI, "serve", "--memory", folder, "--port", "0", "--json", "--log", "error"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  child = started;
  const line = await new Promise<string>((done, fail) => {
    createInterface({ input: started.stdout }).once("line", done);
    started.once("exit", (code) => fail(new Error(`serve ended with ${code}`)));
  });
  return (JSON.parse(line) as { url: string }).url;
}

/** Reads a stream until it ends, however it does; what came is added to what the client has. */
async function follow(url: string, had: { id: string; put: string[] }[]): Promise<void> {
  const last = had.at(-1)?.id;
  try {
    const response = await fetch(`${url}/v1/changes?after=0`, {
      headers: last ? { "last-event-id": last } : {},
    });
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        if (event !== "commit") return;
        const { put } = JSON.parse(data) as { put: { id: string }[] };
        had.push({ id: id!, put: put.map((record) => record.id) });
      },
    });
    const decoder = new TextDecoder();
    for await (const part of response.body!) parser.feed(decoder.decode(part, { stream: true }));
  } catch {
    // The server was killed: what had come until then counts, a half event does not.
  }
}

async function writeUntilGone(url: string, writer: number): Promise<void> {
  for (let n = 0; n < 10_000; n++) {
    const facts = fetch(`${url}/v1/facts`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: `Writer ${writer} says ${n}.`, id: `w${writer}-${url.slice(-5)}-${n}` }),
    });
    const response = await facts.catch(() => undefined);
    if (response?.status !== 200) return;
    await response.arrayBuffer().catch(() => undefined);
  }
}

describe("streams of changes", () => {
  it("go on without a gap or a double when the server is killed under load", async () => {
    const clients = Array.from({ length: CLIENTS }, () => [] as { id: string; put: string[] }[]);
    for (let life = 0; life < 3; life++) {
      const url = await serve();
      const streams = clients.map((had) => follow(url, had));
      const writers = [0, 1].map((writer) => writeUntilGone(url, writer));
      await new Promise((done) => setTimeout(done, 1_200));
      child!.kill("SIGKILL");
      await Promise.all([...streams, ...writers]);
    }
    // A last life in which nothing is written: everybody gets what is missing.
    const url = await serve();
    const memory = await openMemory(folder, { create: false });
    const reader = await memory.reader();
    const commits: { id: string; put: string[] }[] = [];
    for await (const { commitUs, put } of reader.changes({ afterUs: 0, live: false }))
      commits.push({ id: String(commitUs), put: put.map(({ id }) => id) });
    await memory.close();
    expect(commits.length).toBeGreaterThan(50);
    const streams = clients.map((had) => follow(url, had));
    await expect
      .poll(() => clients.map((had) => had.at(-1)?.id), { timeout: 20_000 })
      .toEqual(clients.map(() => commits.at(-1)!.id));
    child!.kill("SIGTERM");
    await Promise.all(streams);
    for (const had of clients) expect(had).toEqual(commits);
  }, 60_000);
});

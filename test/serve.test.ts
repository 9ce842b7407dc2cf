import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMemory } from "../src/index.ts";

const LOCI = resolve(import.meta.dirname, "../bin/loci.mjs");

interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals>;
}

let folder: string;
let served: Served | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-serve-"));
});
afterEach(async () => {
  served?.child.kill("SIGKILL");
  await served?.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** The real command in a process of its own; its one line says where it is. */
async function serve(...args: string[]): Promise<Served> {
  const child = spawn(
    process.execPath,
    [LOCI, "serve", "--memory", folder, "--port", "0", "--json", ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = new Promise<number | NodeJS.Signals>((done) =>
    child.once("exit", (code, signal) => done(signal ?? code ?? -1)),
  );
  const line = await new Promise<string>((done, fail) => {
    createInterface({ input: child.stdout }).once("line", done);
    void ended.then((code) => fail(new Error(`serve ended with ${code}`)));
  });
  served = { url: (JSON.parse(line) as { url: string }).url, child, ended };
  return served;
}

const post = (url: string, path: string, body: unknown) =>
  fetch(url + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });

/** Writes without a pause until the server is gone; the ids that it was told are kept, and each is told at once. */
async function writeUntilGone(url: string, writer: number, onWritten: () => void): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let n = 0; n < 10_000; n++) {
    const id = `w${writer}-${n}`;
    const looks = [
      {
        time: 1_767_225_600_000_000 + n * 100_000,
        agent: id,
        detections: [{ category: "mug", position: { x: n, y: writer, z: 0 } }],
      },
    ];
    try {
      const response =
        n % 2 === 0
          ? await post(url, "/v1/facts", { text: `Fact ${n}.`, id })
          : await post(url, "/v1/detections", { looks });
      if (response.status !== 200) return acknowledged;
      const body = (await response.json()) as { id?: string };
      acknowledged.push(body.id ?? id);
      onWritten();
    } catch {
      return acknowledged;
    }
  }
  return acknowledged;
}

describe("serve", () => {
  it("loses nothing that it acknowledged when it is killed under load, and goes on", async () => {
    const { url, child, ended } = await serve("--log", "error");
    let written = 0;
    const enough = Promise.withResolvers<void>();
    const onWritten = () => {
      if (++written > 20) enough.resolve();
    };
    const writers = [0, 1, 2, 3].map((writer) => writeUntilGone(url, writer, onWritten));
    const searches = (async () => {
      for (;;) await post(url, "/v1/search", { text: "mug" }).then((response) => response.arrayBuffer());
    })().catch(() => undefined);
    await Promise.race([enough.promise, ended]);
    child.kill("SIGKILL");
    await Promise.all([ended, searches]);
    const acknowledged = (await Promise.all(writers)).flat();
    expect(acknowledged.length).toBeGreaterThan(20);

    const memory = await openMemory(folder, { create: false });
    const facts = acknowledged.filter((id) => Number(id.split("-")[1]) % 2 === 0);
    const authors = acknowledged.filter((id) => Number(id.split("-")[1]) % 2 === 1);
    expect((await (await memory.reader()).get(facts)).filter((record) => record === undefined)).toEqual([]);
    const looked = await memory.search({ kinds: ["detection"], limit: 10_000 });
    const seen = new Set(looked.hits.map(({ record }) => record.author));
    expect(authors.filter((author) => !seen.has(author))).toEqual([]);
    expect((await memory.verify()).problems).toEqual([]);
    await memory.close();

    const again = await serve("--log", "error");
    expect((await fetch(`${again.url}/v1/records/${facts[0]}`)).status).toBe(200);
  });

  it("ends in order when it is told to", async () => {
    const { url, child, ended } = await serve("--log", "error");
    const writes = Array.from({ length: 20 }, (_, n) =>
      post(url, "/v1/facts", { text: "Late.", id: `late-${n}` }),
    );
    await writes[0];
    child.kill("SIGTERM");
    const answers = await Promise.allSettled(writes);
    expect(await ended).toBe(0);
    const kept = answers.flatMap((answer, n) =>
      answer.status === "fulfilled" && answer.value.status === 200 ? [`late-${n}`] : [],
    );
    const memory = await openMemory(folder, { create: false });
    expect((await (await memory.reader()).get(kept)).every((record) => record !== undefined)).toBe(true);
    await memory.close();
  });
});

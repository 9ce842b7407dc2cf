import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Memory, openMemory } from "../src/compose/memory.ts";
import { localPeer } from "../src/compose/sync.ts";
import { syncMemories } from "../src/sharing/sync/index.ts";
import { beliefOf } from "../src/sharing/testing/belief.ts";
import { BEGIN_US, robotStep } from "../src/sharing/testing/robots.ts";

const BIN = resolve(import.meta.dirname, "../bin/loci.mjs");
const EMBEDDER = "hashing:16";
const ROBOTS = ["a", "b", "c"];
const STEPS = 24;
const LONG_MS = 600_000;

const base = mkdtempSync(join(tmpdir(), "loci-sync-"));
const place = (...names: string[]) => join(base, ...names);
afterAll(() => rmSync(base, { recursive: true, force: true }));

let expected: string[];

/** Robots whose clocks are ten minutes apart, each with some MB of pictures, and what a memory of all of them believes. */
beforeAll(async () => {
  const all = await openMemory(place("all"), { embedder: EMBEDDER });
  const server = await localPeer(all, "all");
  for (const [n, robot] of ROBOTS.entries()) {
    let us = BEGIN_US + n * 600_000_000;
    const memory = await openMemory(place(robot), { embedder: EMBEDDER, nowUs: () => (us += 1_000_000) });
    for (let step = 0; step < STEPS; step++)
      await memory.write(robotStep(robot, 3, step, { notes: 10, pictureBytes: 200_000 }));
    const peer = await localPeer(memory, robot);
    await syncMemories(peer, server, { pull: false });
    await peer.close();
    await memory.close();
  }
  expected = await beliefOf(await all.reader());
  await server.close();
  await all.close();
}, LONG_MS);

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function withMemory<T>(path: string, work: (memory: Memory) => Promise<T>): Promise<T> {
  const memory = await openMemory(path, { create: false, embedder: EMBEDDER });
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}

/** Nothing lost, nothing doubled, nothing damaged. */
async function isWhole(path: string): Promise<void> {
  await withMemory(path, async (memory) => {
    expect(await beliefOf(await memory.reader())).toEqual(expected);
    expect((await memory.verify()).problems).toEqual([]);
    expect(await memory.unfinished()).toEqual([]);
  });
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

function loci(args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [BIN, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const said = { out: "", err: "" };
  child.stdout!.on("data", (text) => {
    said.out += text;
  });
  child.stderr!.on("data", (text) => {
    said.err += text;
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...said }));
  ending.push(() => child.kill("SIGKILL"));
  return { child, ended };
}

/** A real server; gives its port once it listens. */
async function serve(folder: string): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const { child } = loci(["serve", "--memory", folder, "--port", "0", "--embedder", EMBEDDER, "--json"]);
  let said = "";
  for await (const text of child.stdout!) {
    said += text;
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return { port: Number(port), child };
  }
  throw new Error(`the server ended: ${said}`);
}

interface Link {
  readonly url: string;
  /** Where it leads now. */
  port: number;
  /** Called with all bytes that came through from the client so far. */
  onBytes: (bytes: number) => void;
}

/** A link that cuts every connection once so many bytes went through it. */
async function link(port: number, cutAfter = Number.POSITIVE_INFINITY): Promise<Link> {
  const sockets = new Set<Socket>();
  let total = 0;
  const server = createServer((near) => {
    const far = connect(made.port, "127.0.0.1");
    let bytes = 0;
    const cut = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", cut).on("close", cut);
    }
    const through = (to: Socket) => (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > cutAfter) return cut();
      to.write(piece);
      if (to !== far) return;
      total += piece.length;
      made.onBytes(total);
    };
    near.on("data", through(far));
    far.on("data", through(near));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  ending.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: Link = { url, port, onBytes: () => undefined };
  return made;
}

/** Copies of the robots, so that each test begins with the same. */
function fleet(name: string): (robot: string) => string {
  mkdirSync(place(name));
  for (const robot of ROBOTS) cpSync(place(robot), place(name, robot), { recursive: true });
  return (robot) => place(name, robot);
}

const syncing = (folder: string, remote: string, ...more: string[]) =>
  loci(["sync", remote, "--memory", folder, "--embedder", EMBEDDER, "--json", ...more]);

describe("robots that sync with a server", () => {
  it("lose and double nothing over a link that drops every segment", { timeout: LONG_MS }, async () => {
    const robot = fleet("drops");
    const { port, child } = await serve(robot("server"));
    // A segment is over a megabyte and goes in pieces of 262,144 bytes: each connection dies in its second piece.
    const { url } = await link(port, 400_000);
    for (const one of ROBOTS) {
      const { code, err, out } = await syncing(robot(one), url, "--push").ended;
      expect(err).toBe("");
      expect(code).toBe(0);
      expect(JSON.parse(out).pushed).toMatchObject({ taken: STEPS, known: 0 });
    }
    child.kill("SIGTERM");
    await once(child, "close");
    await isWhole(robot("server"));
    // The other way: a robot that was given nothing but an address.
    const again = await serve(robot("server"));
    const back = await link(again.port, 400_000);
    expect((await syncing(place("drops", "new"), back.url, "--pull").ended).code).toBe(0);
    await isWhole(place("drops", "new"));
  });

  it("survive kill -9 of either end, at whatever byte", { timeout: LONG_MS }, async () => {
    const robot = fleet("kills");
    let server = await serve(robot("server"));
    const over = await link(server.port);
    let kills = 0;
    for (const [n, one] of ROBOTS.entries()) {
      for (const [k, at] of [150_000, 900_000, 2_100_000].entries()) {
        const run = syncing(robot(one), over.url, "--push");
        const victim = (n + k) % 2 === 0 ? run.child : server.child;
        const dead = once(victim, "close");
        const killed = new Promise<boolean>((done) => {
          let began: number | undefined;
          over.onBytes = (bytes) => {
            began ??= bytes;
            if (bytes - began > at && victim.kill("SIGKILL")) done(true);
          };
        });
        const wasKilled = await Promise.race([killed, run.ended.then(() => false)]);
        over.onBytes = () => undefined;
        kills += Number(wasKilled);
        if (wasKilled) await dead;
        if (wasKilled && victim === server.child) {
          // The server comes back elsewhere while the robot goes on trying.
          server = await serve(robot("server"));
          over.port = server.port;
        }
        await run.ended;
      }
      const last = await syncing(robot(one), over.url, "--push").ended;
      expect(last.err).toBe("");
      expect(last.code).toBe(0);
    }
    // A robot that outlives its server sends the rest at once; one that gave up comes again, and dies again.
    expect(kills).toBeGreaterThanOrEqual(5);
    server.child.kill("SIGKILL");
    await once(server.child, "close");
    await isWhole(robot("server"));
    for (const one of ROBOTS)
      await withMemory(robot(one), async (memory) => expect((await memory.verify()).problems).toEqual([]));
  });

  it("go on when there is room again on a full disk", { timeout: LONG_MS }, async (context) => {
    const disk = place("disk");
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", disk], { stdio: "pipe" });
    } catch {
      context.skip("needs root to mount a small tmpfs");
    }
    ending.push(() => execFileSync("umount", ["-l", disk], { stdio: "pipe" }));
    const robot = fleet("full");
    const server = await serve(join(disk, "server"));
    const { url } = await link(server.port);
    expect((await syncing(robot("a"), url, "--push").ended).code).toBe(0);
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - 3_000_000), 1));
    const refused = await syncing(robot("b"), url, "--push").ended;
    expect(refused.code).not.toBe(0);
    expect(refused.err).toMatch(/memory-full/);
    rmSync(join(disk, "filler"));
    for (const one of ["b", "c"]) expect((await syncing(robot(one), url, "--push").ended).code).toBe(0);
    server.child.kill("SIGTERM");
    await once(server.child, "close");
    await isWhole(join(disk, "server"));
  });
});

const postgres = process.env["LOCI_TEST_POSTGRES_URL"];
describe("three robots that sync into one PostgreSQL", () => {
  if (postgres === undefined) {
    it.skip("needs LOCI_TEST_POSTGRES_URL=postgres://…, a server with pgvector", () => undefined);
    return;
  }
  it("lose and double nothing over a link that drops, all at once", { timeout: LONG_MS }, async () => {
    const robot = fleet("postgres");
    const direct = new URL(postgres);
    direct.searchParams.set("scene", `sync-${process.pid}-${Date.now()}`);
    // The tables are there before the robots come.
    await withPostgres(direct, async () => undefined);
    const over = await link(Number(direct.port || 5432), 2_000_000);
    const dropping = new URL(direct);
    dropping.host = new URL(over.url).host;
    for (let tries = 0, left = [...ROBOTS]; left.length > 0; tries++) {
      expect(tries).toBeLessThan(20);
      const runs = left.map((one) => syncing(robot(one), dropping.href, "--push").ended);
      const done = await Promise.all(runs);
      left = left.filter((_, n) => done[n]!.code !== 0);
    }
    await withPostgres(direct, async (memory) => {
      expect(await beliefOf(await memory.reader())).toEqual(expected);
      expect((await memory.verify()).problems).toEqual([]);
    });
  });
});

async function withPostgres(url: URL, work: (memory: Memory) => Promise<void>): Promise<void> {
  const memory = await openMemory(url.href, {
    embedder: EMBEDDER,
    environment: { LOCI_STATE: place("state") },
  });
  try {
    await work(memory);
  } finally {
    await memory.close();
  }
}

describe("what cannot be synced is said in one line, by its code", () => {
  const failing = async (remote: string, env: Record<string, string> = {}) => {
    const run = loci(["sync", remote, "--memory", place("a"), "--embedder", EMBEDDER], env);
    const { code, err } = await run.ended;
    expect(code).not.toBe(0);
    expect(err.trim().split("\n")).toHaveLength(1);
    return err;
  };

  it("a remote that is no memory, and one of another kind", async () => {
    expect(await failing("ftp://host/memory", {})).toContain("sync knows folders");
    writeFileSync(place("file"), "no memory");
    expect(await failing(place("file"))).toMatch(/loci: /);
    const other = createServer((socket) => socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"));
    await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
    ending.push(() => other.close());
    const { port } = other.address() as AddressInfo;
    expect(await failing(`http://127.0.0.1:${port}`)).toContain("is no Loci server that syncs");
  });
});

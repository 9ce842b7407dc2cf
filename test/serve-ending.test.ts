import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { type Running, served, started } from "./served.ts";

let folder: string;
let open: Running[];
let taken: (Server | SocketServer)[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-ending-"));
  open = [];
  taken = [];
});
afterEach(async () => {
  for (const { child, ended } of open) {
    child.kill("SIGKILL");
    await ended;
  }
  for (const server of taken) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A port that somebody else listens on. */
async function takenPort(server: Server | SocketServer = createServer()): Promise<number> {
  taken.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const linesOf = (text: string) => text.split("\n").filter((line) => line.startsWith("loci:"));

describe("a server that cannot start", () => {
  it.each(["--foxglove", "--port"])("ends with a code and one line where %s is taken", async (option) => {
    const port = await takenPort();
    const running = started("serve", "--memory", folder, "--port", "0", option, String(port));
    open.push(running);
    expect(await running.ended).toBe(1);
    expect(linesOf(running.err())).toHaveLength(1);
    expect(running.err()).toContain(`${port}`);
    expect(running.err()).toContain("[invalid-input]");
  });
});

describe("a server that is told to end", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("ends by %s whatever is open", async (signal) => {
    // A robot that takes the connection and says nothing.
    const silent = await takenPort(createSocketServer(() => undefined));
    const server = await served(folder, "--foxglove", "0", "--rosbridge", `ws://127.0.0.1:${silent}`);
    open.push(server);
    const stream = await fetch(`${server.url}/v1/changes`, { headers: { accept: "text/event-stream" } });
    expect(stream.status).toBe(200);
    const viewer = new WebSocket(server.foxglove!, "foxglove.sdk.v1");
    await once(viewer, "open");
    await fetch(`${server.url}/v1/facts`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "The cup is on the table." }),
    });
    server.child.kill(signal);
    expect(await server.ended).toBe(0);
    viewer.terminate();
    await stream.body?.cancel().catch(() => undefined);
  });
});

describe("health and readiness", () => {
  it("say that a server lives, and that it can do what it is there for", async () => {
    const server = await served(folder);
    open.push(server);
    const health = await fetch(`${server.url}/health`);
    expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
    const ready = await fetch(`${server.url}/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ready", reasons: [] }]);
  });
});

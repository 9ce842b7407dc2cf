import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "vitest";
import WebSocket from "ws";
import type { SourceStatus } from "../../src/compose.ts";
import { client } from "../../test/mcp-clients.ts";
import { type Running, type Served, served, started } from "../../test/served.ts";
import { launch, openPage, WITHOUT_CHROMIUM } from "./browser.ts";

const LONG_MS = 600_000;

let folder: string;
let open: Running[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-replay-"));
  open = [];
});
afterEach(async () => {
  for (const { child, ended } of open) {
    child.kill("SIGKILL");
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

async function ran(...args: string[]): Promise<void> {
  const running = started(...args);
  open.push(running);
  expect([await running.ended, existsSync(folder) ? "" : running.err()]).toEqual([0, ""]);
}

async function sourceOf({ url }: Served): Promise<SourceStatus> {
  const [source] = (await (await fetch(`${url}/v1/sources`)).json()) as SourceStatus[];
  return source!;
}

async function until(server: Served, isSo: (source: SourceStatus) => boolean): Promise<SourceStatus> {
  for (;;) {
    const source = await sourceOf(server);
    if (isSo(source)) return source;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The bag as a robot with a foxglove_bridge, beginning with the first listener. */
async function robot(bag: string): Promise<string> {
  const replay = started("replay", bag, "--port", "0", "--speed", "0.5", "--wait", "--json");
  open.push(replay);
  const [line] = (await once(createInterface({ input: replay.child.stdout! }), "line")) as [string];
  return (JSON.parse(line) as { source: string }).source;
}

it("a robot's bag through foxglove_bridge is on the page, in Foxglove, with an agent and in answers while it runs", {
  timeout: LONG_MS,
}, async () => {
  const bag = join(folder, "bag");
  const simulated = ["--seed", "70011", "--minutes", "0.2", "--fps", "2", "--format", "mcap", "--plain"];
  await ran("simulate", "house", "--out", bag, ...simulated);
  const source = await robot(join(bag, "recording.mcap"));
  const how = "agent=robot&rate=30&when-behind=drop&detector=none";
  const server = await served(join(folder, "live"), "--foxglove", "0", "--ingest", `${source}?${how}`);
  open.push(server);

  const viewer = new WebSocket(server.foxglove!, "foxglove.sdk.v1");
  const advertised = new Promise<void>((resolve) =>
    viewer.on("message", (data, isBinary) => {
      if (!isBinary && String(data).includes('"advertise"')) resolve();
    }),
  );
  const first = await until(server, ({ frames }) => frames.taken > 0);
  // What is durable is in answers before the robot has ended.
  const stats = (await (await fetch(`${server.url}/v1/stats`)).json()) as {
    records: { observation: number };
  };
  expect(stats.records.observation).toBeGreaterThanOrEqual(first.frames.taken);
  const answered = await fetch(`${server.url}/v1/ask`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ question: "Where is the robot?" }),
  });
  expect(answered.status).toBe(200);
  await advertised;
  viewer.terminate();
  const agent = await client({ url: server.url }, "modern");
  expect((await agent.call("sources")).text).toContain("frames");
  await agent.close();
  if (!WITHOUT_CHROMIUM) {
    const browser = await launch();
    const { page, errors } = await openPage(browser, server.url);
    await page.getByRole("button", { name: /robots/i }).click();
    await page.waitForSelector(".sources li");
    expect(await page.locator(".sources").textContent()).toContain("frames");
    expect(errors).toEqual([]);
    await browser.close();
  }
  const last = await until(server, ({ frames, state }) => frames.taken >= 20 || state === "reconnecting");
  expect(last).toMatchObject({ kind: "live", dropped: {}, skipped: {} });
  expect(last.latencyMs!.median).toBeGreaterThan(0);
});

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launch, openPage, WHY_SKIPPED, WITHOUT_CHROMIUM } from "./browser.ts";

const LONG_MS = 180_000;
const LOCI = resolve(import.meta.dirname, "../../bin/loci.mjs");

describe.skipIf(WITHOUT_CHROMIUM)(`the viewer where there is little to show${WHY_SKIPPED}`, () => {
  let browser: Browser;
  let folder: string;
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    browser = await launch();
  }, LONG_MS);
  afterAll(() => browser?.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "loci-viewer-"));
  });
  afterEach(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The real command on a memory of its own. */
  const start = (port = 0): Promise<string> => {
    const args = [LOCI, "serve", "--memory", folder, "--port", String(port), "--json", "--log", "error"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    server = child;
    return new Promise((done, fail) => {
      createInterface({ input: child.stdout }).once("line", (line) =>
        done((JSON.parse(line) as { url: string }).url),
      );
      child.once("exit", (code) => fail(new Error(`serve ended with ${code}`)));
    });
  };
  const stop = async () => {
    const child = server;
    server = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await ended;
  };
  const write = async (url: string) => {
    const body = JSON.stringify({ records: mug() });
    const response = await fetch(`${url}/v1/records`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(response.status).toBe(200);
  };

  it(
    "an empty memory says so, and shows the first thing that is written",
    async () => {
      const url = await start();
      const { page, errors } = await openPage(browser, url);
      expect(await page.textContent(".page h2")).toBe("Nothing remembered yet");
      await write(url);
      await page.waitForSelector(".intro");
      expect(await page.textContent(".intro p")).toMatch(/^1 thing, /);
      expect(errors).toEqual([]);
      await page.close();
    },
    LONG_MS,
  );

  it(
    "a memory of one record is a page with one thing",
    async () => {
      const url = await start();
      await write(url);
      const { page, errors } = await openPage(browser, url);
      await page.click("text=Rooms and things");
      await page.click(".browse summary");
      await page.click(".browse .rows button");
      expect(await page.textContent(".thing h2")).toBe("red mug");
      expect(errors).toEqual([]);
      await page.close();
    },
    LONG_MS,
  );

  it(
    "a memory that needs a token asks for one, refuses a wrong one, and opens to the right one",
    async () => {
      const url = await start();
      await write(url);
      const said = execFileSync(
        process.execPath,
        [LOCI, "token", "add", "somebody", "--labels", "*", "--memory", folder, "--json"],
        { encoding: "utf8" },
      );
      const { token } = JSON.parse(said) as { token: string };
      await expect.poll(async () => (await fetch(`${url}/v1/feed`)).status, { timeout: 30_000 }).toBe(401);
      const { page } = await openPage(browser, url);
      expect(await page.textContent(".page h2")).toBe("This memory needs a token");
      await page.fill("#token", "loci_wrong");
      await page.keyboard.press("Enter");
      await page.waitForSelector("text=That one was not let in.");
      await page.fill("#token", token);
      await page.keyboard.press("Enter");
      await page.waitForSelector(".intro");
      await page.close();
    },
    LONG_MS,
  );

  it(
    "a server that goes away and comes back is waited for",
    async () => {
      const url = await start();
      await write(url);
      const { page } = await openPage(browser, url);
      await page.waitForSelector(".live.live");
      await stop();
      await page.waitForSelector(".notices .away");
      expect(await page.textContent(".intro p")).toContain("1 thing");
      await start(Number(new URL(url).port));
      await page.waitForSelector(".notices .away", { state: "detached" });
      await page.close();
    },
    LONG_MS,
  );

  it(
    "a browser without WebGL has no map, but the rest of the page",
    async () => {
      const url = await start();
      await write(url);
      const plain = await launch({ webgl: false });
      try {
        const { page } = await openPage(plain, url);
        expect(await page.textContent(".view .page h2")).toBe("No map in this browser");
        await page.fill("#question", "Where is the mug?");
        await page.keyboard.press("Enter");
        await page.waitForSelector(".answer");
      } finally {
        await plain.close();
      }
    },
    LONG_MS,
  );
});

function mug() {
  const thing = { name: "red mug", category: "mug", validFromUs: 1_767_603_600_000_000, validToUs: null };
  const anchor = { submap: "world", p: { x: 1, y: 2, z: 0.8 } };
  return [
    { kind: "track" as const, id: "track-mug", ...thing },
    {
      kind: "state" as const,
      id: "state-mug",
      trackId: "track-mug",
      anchor,
      extent: { x: 0.1, y: 0.1, z: 0.12 },
      ...thing,
    },
  ];
}

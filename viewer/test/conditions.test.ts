import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startToyBridge } from "../../src/sensors/testing/toy-bridge.ts";
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
  const start = (port = 0, ...more: string[]): Promise<string> => {
    const args = [
      LOCI,
      "serve",
      "--memory",
      folder,
      "--port",
      String(port),
      "--json",
      "--log",
      "error",
      ...more,
    ];
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
  const write = async (url: string, records: object[] = mug()) => {
    const body = JSON.stringify({ records });
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
    "a browser without WebGL has a plan from above, and the rest of the page",
    async () => {
      const url = await start();
      await write(url);
      const plain = await launch({ webgl: false });
      try {
        const { page } = await openPage(plain, url);
        expect(await page.textContent(".plan-note")).toContain("A plan from above");
        const box = (await page.locator("canvas.plan").boundingBox())!;
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        await expect.poll(() => page.textContent(".thing h2"), { timeout: 60_000 }).toBe("red mug");
        await page.fill("#question", "Where is the mug?");
        await page.keyboard.press("Enter");
        await page.waitForSelector(".answer");
      } finally {
        await plain.close();
      }
    },
    LONG_MS,
  );

  it(
    "storeys switch, and a map that nobody joined is shown as one of its own",
    async () => {
      const url = await start();
      await write(url, [
        ...room("room-down", "kitchen", 0),
        ...room("room-up", "attic", 3),
        ...thing("mug", "world", { x: 1, y: 1, z: 0.8 }),
        ...thing("trunk", "world", { x: 2, y: 2, z: 3.4 }),
        ...thing("ladder", "scan-of-the-shed", { x: 1, y: 0, z: 0.5 }),
      ]);
      const { page, errors } = await openPage(browser, url);
      const texts = () =>
        page.evaluate(() => {
          const { stage } = (window as unknown as { lociViewer: Inside }).lociViewer;
          stage.draw();
          return stage.labels.texts;
        });
      await expect
        .poll(texts, { timeout: 60_000 })
        .toEqual(expect.arrayContaining(["mug", "trunk", "attic"]));
      await page.click(".toolbar >> text=Floor 1");
      const up = await texts();
      expect(up).toEqual(expect.arrayContaining(["trunk", "attic"]));
      expect(up).not.toContain("mug");
      await page.click(".toolbar >> text=Ground");
      expect(await texts()).not.toContain("trunk");
      expect(await page.textContent(".intro .note")).toContain("2 maps that nobody has joined");
      await page.selectOption(".toolbar select", "scan-of-the-shed");
      await expect.poll(texts, { timeout: 60_000 }).toEqual(["ladder"]);
      expect(await page.textContent(".intro .note")).toContain("“scan-of-the-shed” is shown");
      expect(errors).toEqual([]);
      await page.close();
    },
    LONG_MS,
  );

  it(
    "a click on the floor is a goal that a listening robot gets, once it was confirmed",
    async () => {
      const robot = await startToyBridge({ topics: {}, publish: () => {} });
      try {
        const url = await start(0, "--rosbridge", robot.url);
        await write(url, [...room("room-down", "kitchen", 0), ...mug()]);
        const { page } = await openPage(browser, url);
        const floor = await page.evaluate(() => {
          const { stage } = (window as unknown as { lociViewer: Inside }).lociViewer;
          stage.draw();
          return stage.screenOf(3, 3, 0);
        });
        await page.mouse.click(floor.x, floor.y);
        await page.click(".spot >> text=Send the robot");
        const goals = () => robot.asked.filter(({ op, topic }) => op === "publish" && topic === "/goal_pose");
        expect(await page.textContent(".confirm")).toMatch(/Go to \d\.\d\d, \d\.\d\d, facing/);
        expect(goals()).toEqual([]);
        await page.click(".confirm .chip");
        await expect.poll(() => goals().length, { timeout: 60_000 }).toBe(1);
        const { pose } = goals()[0]!.msg as { pose: { position: { x: number; y: number } } };
        expect(Math.hypot(pose.position.x - 3, pose.position.y - 3)).toBeLessThan(0.2);
        await page.close();
      } finally {
        await stop();
        await robot.close();
      }
    },
    LONG_MS,
  );
});

interface Inside {
  readonly stage: {
    draw(): void;
    readonly labels: { readonly texts: string[] };
    screenOf(x: number, y: number, z: number): { x: number; y: number };
  };
}

const FROM_US = 1_767_603_600_000_000;

function room(id: string, name: string, z: number) {
  const corners = [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
  ] as const;
  const hull = corners.map(([x, y]) => ({ x, y, z }));
  const anchor = { submap: "world", p: { x: 0, y: 0, z: 0 } };
  return [
    { kind: "region", id, type: "room", level: 1, name, hull, anchor, validFromUs: FROM_US, validToUs: null },
  ];
}

function thing(name: string, submap: string, p: { x: number; y: number; z: number }) {
  const common = { name, category: name, validFromUs: FROM_US, validToUs: null };
  return [
    { kind: "track", id: `track-${name}`, ...common },
    {
      kind: "state",
      id: `state-${name}`,
      trackId: `track-${name}`,
      anchor: { submap, p },
      extent: { x: 0.5, y: 0.5, z: 0.5 },
      ...common,
    },
  ];
}

function mug() {
  const thing = { name: "red mug", category: "mug", validFromUs: FROM_US, validToUs: null };
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

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { viewerFolder } from "../../src/interfaces/http/viewer-files.ts";
import { type TestServer, testServer } from "../../src/interfaces/testing/test-server.ts";
import type { RunLine } from "../../src/schema/exploration-run.ts";
import { launch, type OpenPage, openPage, WHY_SKIPPED, WITHOUT_CHROMIUM } from "./browser.ts";

const LONG_MS = 600_000;
const PICTURES = resolve(import.meta.dirname, "../../.cache/viewer");
const FROM_US = 1_767_603_600_000_000;
const at = (x: number, y: number) => ({ x, y, z: 0 });
const stand = (x: number, y: number) => ({ position: at(x, y), yawRad: 0 });

const frontier = (id: string, x: number, y: number, more: object) => ({
  id,
  stand: stand(x, y),
  middle: at(x, y),
  lengthM: 1.2,
  gainM2: 4.5,
  costM: 3.2,
  scores: { gain: 0.7, relevance: 0.25 },
  ...more,
});

const step = (n: number, x: number, more: object) => ({
  kind: "step",
  n,
  agentId: "rob",
  timeUs: FROM_US + n * 10_000_000,
  pose: stand(x, 2),
  sdM: 0.05,
  frontiers: [],
  checklist: [{ what: "where the red mug is", known: n === 2 }],
  decision: { kind: "explore", reason: "the nearest of what is left" },
  used: [],
  made: [],
  pathM: x,
  planMs: 1,
  ...more,
});

/** An exploration of three steps in a flat of two rooms: a look round, a drive to a frontier, an answer. */
const RUN = [
  {
    kind: "run",
    version: 1,
    id: "run-mug",
    question: "Where is the red mug?",
    task: "answer",
    policy: "memory",
    mode: "loci",
    agents: [{ id: "rob", start: stand(1, 2) }],
    budget: { steps: 50, pathM: 100, seconds: 600 },
    switches: { planner: true, stopping: true, answering: true },
    place: { family: "site" },
    sceneId: "default",
    startedUs: FROM_US,
  },
  map(0, "20f20u"),
  step(0, 1, {
    decision: { kind: "look-around", reason: "nothing is known here yet" },
    made: ["state-chair"],
  }),
  step(1, 1.5, {
    frontiers: [
      frontier("door", 4, 2, { fate: "chosen" }),
      frontier("window", 0.5, 3.5, {
        fate: "kept",
        gainM2: 1.2,
        scores: { showing: 0.4, shownM2: 1.6, costM: 3.2, stop: 2 },
      }),
      frontier("corner", 3.5, 0.5, {
        fate: "discarded",
        costM: null,
        why: "no way leads there",
        scores: { shownM2: 0, stop: 0 },
      }),
    ],
    decision: {
      kind: "explore",
      reason: "behind the door lies a kitchen",
      goal: stand(4, 2),
      target: "door",
    },
    belief: { text: "I have not seen it.", status: "unknown", confidence: 0.1 },
    used: ["state-chair"],
    went: { outcome: "arrived", pathM: 2.5, turnRad: 0.3 },
  }),
  map(2, "40f"),
  step(2, 4, {
    decision: { kind: "answer", reason: "it is in view" },
    used: ["state-mug"],
    made: ["state-mug"],
  }),
  {
    kind: "end",
    end: "answered",
    why: "it was seen and the answer is sure enough",
    answer: null,
    steps: 3,
    pathM: { rob: 4 },
    seconds: 30,
    looked: [{ room: "kitchen", share: 0.8 }],
  },
] as unknown as RunLine[];

function map(n: number, row: string) {
  const head = { kind: "map", n, floorZ: 0, originX: 0, originY: 0, cellM: 0.2, width: 40, height: 20 };
  return { ...head, runs: row.repeat(20) };
}

declare const lociViewer: {
  readonly stage: { draw(): void; readonly labels: { readonly texts: string[] } };
  readonly store: { lit: { value: Set<string> }; time: { value: number } };
};

describe.skipIf(WITHOUT_CHROMIUM)(`the viewer replays an exploration${WHY_SKIPPED}`, () => {
  let server: TestServer;
  let browser: Browser;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    const viewer = await viewerFolder();
    server = await testServer({
      viewer,
      memory: { embedder: "hashing:64" },
      tokens: [],
      fill: async (memory) => {
        await memory.write({
          records: [...room("hall", 0), ...room("kitchen", 4), ...thing("chair", 1), ...thing("mug", 5)],
        });
        mkdirSync(join(memory.folder, "runs"));
        const lines = RUN.map((line) => `${JSON.stringify(line)}\n`).join("");
        writeFileSync(join(memory.folder, "runs", "run-mug.jsonl"), lines);
        writeFileSync(
          join(memory.folder, "runs", "cut.jsonl"),
          lines
            .split("\n")
            .slice(0, 3)
            .join("\n")
            .replace(String(FROM_US), String(FROM_US - 1_000_000)),
        );
        writeFileSync(join(memory.folder, "runs", "none.jsonl"), "not a run");
      },
    });
    browser = await launch();
    open = await openPage(browser, server.url);
    page = open.page;
    mkdirSync(PICTURES, { recursive: true });
  }, LONG_MS);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const texts = () =>
    page.evaluate(() => {
      lociViewer.stage.draw();
      return lociViewer.stage.labels.texts;
    });

  it(
    "lists what was recorded, and opens it at its first step",
    async () => {
      await page.click(".tabs >> text=Robots");
      await page.waitForSelector(".runs");
      expect(await page.locator(".runs li").allTextContents()).toEqual([
        expect.stringMatching(/^Where is the red mug\?.*3 steps, answered/),
        expect.stringMatching(/^Where is the red mug\?.*cut off/),
      ]);
      await page.click(".runs button >> nth=0");
      await page.waitForSelector(".run .decision");
      expect(await page.textContent(".run .decision")).toContain(
        "rob looks around" + "nothing is known here yet",
      );
      expect(await page.textContent(".run")).toMatch(/Step 1 of 3.*Memories it made \(1\)chair/s);
    },
    LONG_MS,
  );

  it(
    "shows what was weighed and decided at a step, on the card and on the map",
    async () => {
      await page.click('[aria-label="Step on"]');
      await page.waitForSelector("text=Step 2 of 3");
      const frontiers = await page.locator(".frontiers li").allTextContents();
      expect(frontiers[0]).toMatch(/^chosen4\.5 m² unknown, 3\.2 m away.*gain 0\.70 · relevance 0\.25$/);
      expect(frontiers[1]).toMatch(/promises 0\.40 · seen from there 1\.6 m² · stop 2 of the tour$/);
      expect(frontiers[2]).toMatch(/^discarded4\.5 m² unknownno way leads there$/);
      expect(await page.textContent(".run")).toContain("So far: I have not seen it. 10 %");
      expect(await texts()).toEqual(expect.arrayContaining(["goes here", "1.2 m² unknown"]));
      expect(await page.evaluate(() => [...lociViewer.store.lit.value])).toEqual(["track-chair"]);
      await page.screenshot({ path: join(PICTURES, "run.png") });
    },
    LONG_MS,
  );

  it(
    "goes on by keys to the end, which says how it ended",
    async () => {
      await page.locator(".run h2").click();
      await page.keyboard.press("ArrowRight");
      await page.waitForSelector("text=How it ended: answered");
      expect(await page.textContent(".ended")).toMatch(/sure enough.*3 steps, 4\.0 m driven.*kitchen 80 %/s);
      // The steps go on after the last observation; time ends where the memory's observations end.
      expect(await page.evaluate(() => lociViewer.store.time.value)).toBe(1);
      expect(await texts()).not.toContain("goes here");
    },
    LONG_MS,
  );

  it(
    "has an address of its own for every step, and nothing that axe calls serious",
    async () => {
      await page.waitForFunction(() => /run=run-mug/.test(location.hash) && /n=2/.test(location.hash));
      const linked = await openPage(browser, page.url().replace("n=2", "n=1"));
      await linked.page.waitForSelector("text=Step 2 of 3");
      await linked.page.evaluate(axe.source);
      const found = await linked.page.evaluate(async () => {
        const { axe } = window as unknown as {
          axe: {
            run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
          };
        };
        const { violations } = await axe.run();
        return violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
      });
      expect(found).toEqual([]);
      await linked.page.close();
      await page.keyboard.press("Escape");
      await page.waitForSelector(".run", { state: "detached" });
      expect(open.errors).toEqual([]);
    },
    LONG_MS,
  );
});

function room(name: string, x: number) {
  const hull = [at(x, 0), at(x + 4, 0), at(x + 4, 4), at(x, 4)];
  const anchor = { submap: "world", p: at(0, 0) };
  const region = { kind: "region" as const, type: "room" as const, level: 1, name, hull, anchor };
  return [{ ...region, id: `room-${name}`, validFromUs: FROM_US, validToUs: null }];
}

function thing(name: string, x: number) {
  const common = { name, category: name, validFromUs: FROM_US, validToUs: null };
  const anchor = { submap: "world", p: { x, y: 1, z: 0.4 } };
  const state = { kind: "state" as const, id: `state-${name}`, trackId: `track-${name}`, anchor };
  return [
    { kind: "track" as const, id: `track-${name}`, ...common },
    { ...state, extent: { x: 0.5, y: 0.5, z: 0.8 }, ...common },
    // The time line covers the whole run.
    {
      kind: "caption" as const,
      id: `note-${name}`,
      source: "human" as const,
      text: [name],
      validFromUs: FROM_US,
      validToUs: FROM_US + 60_000_000,
    },
  ];
}

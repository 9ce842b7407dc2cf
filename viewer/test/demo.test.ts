import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, type OpenPage, openPage, WHY_SKIPPED, WITHOUT_CHROMIUM } from "./browser.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PICTURES = join(ROOT, ".cache", "viewer");
/** Software rendering on a machine with other load. */
const LONG_MS = 900_000;

/** What the page exposes for tests. */
interface Inside {
  readonly stage: {
    screenOf(x: number, y: number, z: number): { x: number; y: number };
    draw(): void;
    readonly labels: { readonly texts: string[] };
    readonly solids: { readonly rows: readonly InsideRow[] };
  };
  readonly store: Record<string, { value: unknown }> & {
    time: { value: number };
    lit: { value: Set<string> };
    loaded: { value: { rows: readonly InsideRow[]; tracks: Map<string, InsideRow[]> } };
  };
}
interface InsideRow {
  readonly id: string;
  readonly track: string;
  readonly category: string;
  readonly type: string;
  readonly before: InsideRow | null;
  readonly from: number;
  readonly departs: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
declare const lociViewer: Inside;

/** The demo as a user starts it; prints the address of its page. */
async function startDemo(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [join(ROOT, "bin/loci.mjs"), "demo", "--port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const url = await new Promise<string>((done, fail) => {
    createInterface({ input: child.stderr! }).on("line", (line) => {
      const [found] = /http:\/\/[\d.:]+/.exec(line) ?? [];
      if (found) done(found);
    });
    child.once("exit", (code) => fail(new Error(`the demo ended with ${code}`)));
  });
  return { url, child };
}

describe.skipIf(WITHOUT_CHROMIUM)(`the viewer on the demo's memory${WHY_SKIPPED}`, () => {
  let demo: { url: string; child: ChildProcess };
  let browser: Browser;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    demo = await startDemo();
    browser = await launch();
    open = await openPage(browser, demo.url);
    page = open.page;
    mkdirSync(PICTURES, { recursive: true });
  }, LONG_MS);

  afterAll(async () => {
    await browser?.close();
    demo?.child.kill("SIGTERM");
  });

  it(
    "says what it is, names rooms and things, and shows time",
    async () => {
      expect(await page.textContent("h1")).toBe("What the robots remember");
      expect(await page.textContent(".intro p")).toMatch(
        /^\d+ things in 3 rooms, seen by 2 robots, 5 – 6 January 2026\./,
      );
      const texts = await page.evaluate(() => {
        lociViewer.stage.draw();
        return lociViewer.stage.labels.texts;
      });
      expect(texts).toEqual(expect.arrayContaining(["kitchen", "living room", "robot-1", "robot-2"]));
      expect(await page.locator(".gap").textContent()).toContain("23 h");
    },
    LONG_MS,
  );

  it(
    "answers a question and lights its evidence, with a picture",
    async () => {
      await page.fill("#question", "Where is the sofa?");
      await page.keyboard.press("Enter");
      expect(await page.textContent(".answer")).toMatch(/^In the living room/);
      await page.waitForSelector(".evidence img");
      const lit = await page.evaluate(() =>
        [...lociViewer.store.lit.value].map(
          (track) => lociViewer.store.loaded.value.tracks.get(track)![0]!.category,
        ),
      );
      expect(lit).toEqual(["sofa"]);
      await page.click(".how summary");
      expect(await page.textContent(".how code")).toContain('things(category: "sofa")');
      await page.screenshot({ path: join(PICTURES, "answer.png") });
    },
    LONG_MS,
  );

  it(
    "follows up on what was asked before",
    async () => {
      await page.click(".followups >> text=When did you last see it?");
      await page.waitForFunction(() => document.querySelectorAll(".answer").length === 2);
      expect(await page.locator(".answer").last().textContent()).toMatch(/09:01|just now|ago/i);
      await page.keyboard.press("Escape");
    },
    LONG_MS,
  );

  it(
    "moves a thing that moved when time is dragged over its move",
    async () => {
      const moved = await page.evaluate(() => {
        // Carried from the fridge to the counter; another was moved within the fridge, and a soap on the washbasin.
        const row = lociViewer.store.loaded.value.rows.find(
          ({ x, y, before, category }) =>
            before !== null && category === "carton" && Math.hypot(x - before.x, y - before.y) > 1,
        )!;
        return { ...row, before: { ...row.before! } };
      });
      /** How much of the colour of the selection, which is drawn through everything, lies around a place. */
      const selectedNear = async ({ x, y, z }: { x: number; y: number; z: number }) =>
        page.evaluate(
          ([x, y, z]) => {
            const at = lociViewer.stage.screenOf(x!, y!, z!);
            const canvas = document.querySelector<HTMLCanvasElement>("canvas.map")!;
            const rect = canvas.getBoundingClientRect();
            lociViewer.stage.draw();
            const copy = document.createElement("canvas");
            [copy.width, copy.height] = [canvas.width, canvas.height];
            const pen = copy.getContext("2d")!;
            pen.drawImage(canvas, 0, 0);
            const { data } = pen.getImageData(
              Math.round(at.x - rect.left) - 12,
              Math.round(at.y - rect.top) - 12,
              24,
              24,
            );
            let found = 0;
            for (let n = 0; n < data.length; n += 4)
              if (Math.hypot(data[n]! - 0x1f, data[n + 1]! - 0x6f, data[n + 2]! - 0xeb) < 24) found++;
            return found;
          },
          [x, y, z],
        );
      const track = page.locator(".track");
      const box = (await track.boundingBox())!;
      const shareOf = (time: number) =>
        page.evaluate(
          (t) => (lociViewer.store["axis"] as { value: { shareOf(t: number): number } }).value.shareOf(t),
          time,
        );
      const dragTo = async (time: number) => {
        const handle = (await page.locator(".handle").last().boundingBox())!;
        await page.mouse.move(handle.x + handle.width / 2, handle.y + 10);
        await page.mouse.down();
        await page.mouse.move(box.x + (await shareOf(time)) * box.width, handle.y + 10, { steps: 4 });
        await page.mouse.up();
      };
      await page.evaluate((id) => {
        lociViewer.store["selected"]!.value = id;
      }, moved.track);
      await page.waitForSelector(".thing .story");
      await dragTo(moved.departs - 3);
      expect(await page.evaluate(() => lociViewer.store.time.value)).toBeLessThan(moved.departs);
      expect(await selectedNear(moved.before)).toBeGreaterThan(4);
      expect(await selectedNear(moved)).toBe(0);
      await dragTo(moved.from + 12);
      expect(await page.evaluate(() => lociViewer.store.time.value)).toBeGreaterThan(moved.from);
      expect(await selectedNear(moved)).toBeGreaterThan(4);
      expect(await selectedNear(moved.before)).toBe(0);
    },
    LONG_MS,
  );

  it(
    "tells the life of a thing: stays, moves and pictures",
    async () => {
      const story = await page.locator(".thing .story li").allTextContents();
      expect(story[0]).toMatch(/^First seen in the kitchen/);
      expect(story.some((line) => /was moved|Found in/.test(line))).toBe(true);
      await page.waitForSelector(".pictures img");
      await page.screenshot({ path: join(PICTURES, "life.png") });
      await page.click(".thing .close");
    },
    LONG_MS,
  );

  it(
    "compares two moments with one camera and lists what differs",
    async () => {
      await page.click("text=Go to latest");
      await page.click("text=Compare");
      await page.waitForSelector(".compare .rows");
      expect(await page.locator(".handle").count()).toBe(2);
      expect(await page.textContent(".compare")).toMatch(
        /Moved[\s\S]*carton[\s\S]*Gone[\s\S]*kettle[\s\S]*looked: not there/,
      );
      await page.screenshot({ path: join(PICTURES, "compare.png") });
      await page.keyboard.press("c");
      expect(await page.locator(".handle").count()).toBe(1);
    },
    LONG_MS,
  );

  it(
    "shows what was believed then beside what was so",
    async () => {
      const moved = await page.evaluate(() => {
        const { rows } = lociViewer.store.loaded.value;
        const far = rows.filter(
          ({ before, type, x, y }) =>
            before !== null && type === "object" && Math.hypot(x - before.x, y - before.y) > 1,
        );
        const row = far[0]!;
        // A moment before it was seen in its new place: only today its position then is known.
        lociViewer.store["moment"]!.value = row.from - 0.01 * (row.from - row.departs);
        return { track: row.track };
      });
      await page.keyboard.press("b");
      await page.waitForSelector(".compare h3");
      const heading = page.locator(".compare h3", { hasText: "Believed elsewhere" });
      await heading.waitFor();
      const where = await page.evaluate(
        (track) => lociViewer.store.loaded.value.tracks.get(track)!.at(-1)!.category,
        moved.track,
      );
      expect(await page.textContent(".compare")).toContain(where);
      expect(await page.textContent(".halves")).toMatch(/As it was[\s\S]*As believed then/);
      await page.screenshot({ path: join(PICTURES, "belief.png") });
      await page.keyboard.press("Escape");
      await page.waitForSelector(".compare", { state: "detached" });
      await page.click("text=Go to latest");
    },
    LONG_MS,
  );

  it(
    "goes along with a robot and shows what it sees",
    async () => {
      await page.click(".tabs >> text=Robots");
      await page.click(".robots button >> nth=0");
      await page.waitForSelector(".replay img");
      await page.waitForFunction(() => location.hash.includes("replay="));
      await page.keyboard.press("Escape");
      await page.waitForSelector(".replay", { state: "detached" });
      await page.evaluate(() => {
        lociViewer.store["playing"]!.value = false;
        lociViewer.store["moment"]!.value = null;
      });
      await page.click(".tabs >> text=Robots");
      await page.click("text=Whole map");
    },
    LONG_MS,
  );

  it(
    "follows what is written meanwhile",
    async () => {
      const from = Date.UTC(2026, 0, 6, 9, 1, 30) * 1000;
      const thing = { name: "red umbrella", category: "umbrella", validFromUs: from, validToUs: null };
      const place = { submap: "world", p: { x: 3, y: 1, z: 0.5 } };
      const records = [
        { kind: "track", id: "track-umbrella", ...thing },
        {
          kind: "state",
          id: "state-umbrella",
          trackId: "track-umbrella",
          anchor: place,
          extent: { x: 0.4, y: 0.4, z: 1 },
          ...thing,
        },
      ];
      const written = await fetch(`${demo.url}/v1/records`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ records }),
      });
      expect(written.status).toBe(200);
      await page.waitForFunction(() => lociViewer.store.loaded.value.tracks.has("track-umbrella"));
      const texts = await page.evaluate(() => {
        lociViewer.store["selected"]!.value = "track-umbrella";
        lociViewer.stage.draw();
        return lociViewer.stage.labels.texts;
      });
      expect(texts).toContain("red umbrella");
      await page.keyboard.press("Escape");
    },
    LONG_MS,
  );

  it(
    "opens a link at the same moment with the same thing",
    async () => {
      await page.evaluate(() => {
        lociViewer.store["moment"]!.value = 60;
        lociViewer.store["selected"]!.value = "track-umbrella";
      });
      await page.waitForFunction(
        () => /t=\d+/.test(location.hash) && location.hash.includes("track-umbrella"),
      );
      const linked = await openPage(browser, page.url());
      await linked.page.waitForSelector(".thing h2");
      expect(await linked.page.evaluate(() => lociViewer.store.time.value)).toBe(60);
      expect(await linked.page.textContent(".thing h2")).toBe("red umbrella");
      await linked.page.close();
      await page.evaluate(() => {
        lociViewer.store["moment"]!.value = null;
        lociViewer.store["selected"]!.value = null;
      });
    },
    LONG_MS,
  );

  it(
    "has nothing that axe calls serious, in light and dark",
    async () => {
      await page.evaluate(axe.source);
      for (const theme of ["light", "dark"]) {
        await page.evaluate((value) => {
          lociViewer.store["theme"]!.value = value;
        }, theme);
        const found = await page.evaluate(async () => {
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
        expect(found, theme).toEqual([]);
      }
    },
    LONG_MS,
  );

  it("complained of nothing", () => {
    expect(open.errors).toEqual([]);
  });

  it(
    "fits wide, middling and narrow screens, dark and light",
    async () => {
      await page.close();
      for (const [width, height] of [
        [1440, 900],
        [1024, 768],
        [390, 844],
      ] as const) {
        for (const dark of [false, true]) {
          const { page, errors } = await openPage(browser, `${demo.url}/#q=Where+is+the+sofa%3F`, {
            width,
            height,
            dark,
          });
          await page.waitForSelector(".answer");
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
          await page.screenshot({ path: join(PICTURES, `${width}-${dark ? "dark" : "light"}.png`) });
          expect(errors).toEqual([]);
          await page.close();
        }
      }
    },
    LONG_MS,
  );
});

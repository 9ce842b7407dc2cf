/**
 * What the viewer costs in a browser without a graphics card, fed with blocks of the real format: first useful paint, draw
 * calls, script of one step of the slider, a pick, frames a second, and the size of the page.
 * npx node bench/viewer.bench.ts [--states N] [--points N] [--url URL]   (needs Chromium: LOCI_CHROMIUM or /usr/bin/chromium)
 * With --url the page of a running server is opened instead, and only its first useful paint is measured.
 */
import { readdirSync, readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { viewerFolder } from "../src/interfaces/http/viewer-files.ts";
import { serveMadeFeed } from "./viewer/made-feed.ts";

const { values } = parseArgs({
  options: {
    states: { type: "string", default: "100000" },
    points: { type: "string", default: "2000000" },
    url: { type: "string" },
  },
});
const [states, points] = [Number(values.states), Number(values.points)];
const PAINTS = 5;
const MOVES_MS = 6_000;

interface Figures {
  readonly drawCalls: number;
  readonly sliderMs: number;
  readonly pickMs: number;
  readonly frameMs: number;
}

/** Measured inside the page, so that nothing of the driver's own time is counted. */
const MEASURE = `(() => {
  const { stage, store } = lociViewer;
  const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
  const { axis } = store;
  const gl = stage.renderer.getContext();
  const pixel = new Uint8Array(4);
  const slider = [], frames = [], picks = [];
  for (let n = 0; n < 12; n++) {
    const began = performance.now();
    store.moment.value = axis.value.timeAt(n / 12);
    stage.draw();
    slider.push(performance.now() - began);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    frames.push(performance.now() - began);
  }
  const rect = stage.renderer.domElement.getBoundingClientRect();
  for (let n = 0; n < 200; n++) {
    const [x, y] = [rect.left + (0.2 + 0.6 * ((n * 0.618) % 1)) * rect.width, rect.top + (0.3 + 0.4 * ((n * 0.414) % 1)) * rect.height];
    const began = performance.now();
    stage.pick(x, y);
    picks.push(performance.now() - began);
  }
  return { drawCalls: stage.renderer.info.render.calls, sliderMs: median(slider), pickMs: median(picks), frameMs: median(frames) };
})()`;

/** Frames a second that reach the screen while something goes on, after a second in which the page learns what it can afford. */
async function framesDuring(page: Page, begin: string, end: string): Promise<number> {
  await page.evaluate(begin);
  await page.waitForTimeout(1_500);
  const count = async () => ({
    frames: (await page.evaluate("lociViewer.stage.frames")) as number,
    at: (await page.evaluate("performance.now()")) as number,
  });
  const before = await count();
  await page.waitForTimeout(MOVES_MS);
  const after = await count();
  await page.evaluate(end);
  return ((after.frames - before.frames) * 1_000) / (after.at - before.at);
}

/** From the beginning of the navigation until rooms, things and words are on the screen; the browser is running already. */
async function paints(browser: Browser, url: string): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n <= PAINTS; n++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    await page.goto(url);
    await page.waitForFunction(() => performance.getEntriesByName("first-useful-paint").length > 0);
    found.push(await page.evaluate(() => performance.getEntriesByName("first-useful-paint")[0]!.startTime));
    await context.close();
  }
  return found.slice(1).map(Math.round);
}

const executablePath = process.env["LOCI_CHROMIUM"] ?? "/usr/bin/chromium";
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const rounded = (n: number) => Number(n.toFixed(2));
const machine = `${cpus().length} × ${cpus()[0]?.model ?? "?"}, load ${loadavg()[0]!.toFixed(1)}, software WebGL`;

if (values.url !== undefined) {
  console.log(JSON.stringify({ machine, firstUsefulPaintMs: await paints(browser, values.url) }, null, 2));
} else {
  const folder = (await viewerFolder())!;
  const feed = await serveMadeFeed(folder, states, points);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(300_000);
  await page.goto(feed.url);
  await page.waitForFunction(`lociViewer.stage?.points.count >= ${0.99 * points}`);
  const figures = (await page.evaluate(MEASURE)) as Figures;
  const playing = await framesDuring(
    page,
    "lociViewer.store.moment.value = 0; lociViewer.store.playing.value = true",
    "lociViewer.store.playing.value = false",
  );
  const turning = await framesDuring(
    page,
    `window.turning = setInterval(() => lociViewer.stage.controls.rotate(0.02, 0, true), 16)`,
    "clearInterval(window.turning)",
  );
  await page.close();
  const painted = await paints(browser, feed.url);
  const gzip = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "map-app.html")
    .reduce((sum, entry) => sum + gzipSync(readFileSync(join(entry.parentPath, entry.name))).length, 0);
  console.log(
    JSON.stringify(
      {
        machine,
        states,
        points,
        firstUsefulPaintMs: painted,
        drawCalls: figures.drawCalls,
        sliderScriptMs: rounded(figures.sliderMs),
        pickMs: rounded(figures.pickMs),
        framesPerSecondAtRest: rounded(1_000 / figures.frameMs),
        framesPerSecondPlaying: rounded(playing),
        framesPerSecondTurning: rounded(turning),
        pageGzipKb: rounded(gzip / 1_000),
      },
      null,
      2,
    ),
  );
  feed.close();
}
await browser.close();
process.exit(0);

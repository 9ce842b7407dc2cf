/**
 * What the viewer costs in a browser, fed with blocks of the real format: draw calls, script of one step of the slider, a
 * pick, frames a second in software WebGL, and the size of the page.
 * npx node bench/viewer.bench.ts [--states N] [--points N]   (needs Chromium: LOCI_CHROMIUM or /usr/bin/chromium)
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus } from "node:os";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium, type Page } from "playwright-core";
import { encodeBlock } from "../src/exchange/feed/block.ts";
import { Random } from "../src/geometry/index.ts";
import { viewerFolder } from "../src/interfaces/http/viewer-files.ts";

const { values } = parseArgs({
  options: { states: { type: "string", default: "100000" }, points: { type: "string", default: "2000000" } },
});
const [STATES, POINTS] = [Number(values.states), Number(values.points)];
const OPEN = 3.402_823_466_385_288_6e38;
const START_US = Date.UTC(2026, 0, 5) * 1_000;
const DAYS_S = 7 * 86_400;
const WIDE_M = 96;
const CHUNK_M = 16;
const PAGE = 8_192;
const CLASSES = 60;
const random = new Random("viewer");
const between = (low: number, high: number) => low + (high - low) * random.next();

/** A page of states: things all over a hall, a tenth of which move once. */
function states(first: number, count: number): Uint8Array<ArrayBuffer> {
  const f32 = (width = 1) => new Float32Array(width * count);
  const u16 = () => new Uint16Array(count);
  const columns = {
    position: f32(3),
    size: f32(3),
    yaw: f32(),
    from: f32(),
    to: f32().fill(OPEN),
    lastSeen: f32(),
    absent: f32().fill(OPEN),
    believedFrom: f32(),
    believedTo: f32().fill(OPEN),
    seen: new Uint32Array(count).fill(5),
    confidence: f32().fill(0.9),
    track: new Uint32Array(count),
    name: new Uint32Array(count),
    class: u16(),
    room: u16().fill(0xffff),
    agent: u16(),
    map: u16(),
    type: new Uint8Array(count),
    flags: new Uint8Array(count),
  };
  const tracks: string[] = [];
  for (let n = 0; n < count; n++) {
    const isMove = n % 10 === 9;
    if (!isMove) tracks.push(`track-${first + n}`);
    columns.track[n] = tracks.length - 1;
    columns.flags[n] = isMove ? 1 : 0;
    columns.class[n] = (first + n) % CLASSES;
    columns.position.set([between(0, WIDE_M), between(0, WIDE_M), between(0.1, 2)], 3 * n);
    columns.size.set([between(0.1, 0.6), between(0.1, 0.6), between(0.1, 0.6)], 3 * n);
    columns.yaw[n] = between(0, 6.28);
    columns.from[n] = isMove ? DAYS_S / 2 : between(0, DAYS_S / 3);
    columns.lastSeen[n] = columns.from[n]! + 600;
  }
  const last = first + count;
  const header = {
    format: 1,
    count,
    next: last < STATES ? String(last) : null,
    revision: null,
    isUpdate: false,
    reload: false,
    gone: [],
    timeOriginUs: START_US,
    memoryOriginUs: START_US,
    origin: { x: 0, y: 0, z: 0 },
    maps: ["world"],
  };
  const classes = Array.from({ length: CLASSES }, (_, n) => `kind ${n}`);
  const id = Array.from({ length: count }, (_, n) => `state-${first + n}`);
  return encodeBlock("states", header, {
    id,
    tracks,
    names: ["a thing"],
    classes,
    rooms: [],
    agents: ["robot"],
    ...columns,
  });
}

function points(x: number, y: number, count: number): Uint8Array<ArrayBuffer> {
  const position = new Int16Array(3 * count);
  const colour = new Uint8Array(3 * count);
  for (let n = 0; n < count; n++) {
    position.set([random.int(0, 4_095), random.int(0, 4_095), random.int(0, 512)], 3 * n);
    colour.set([random.int(80, 220), random.int(80, 220), random.int(80, 220)], 3 * n);
  }
  const levels = [0.48, 0.24, 0.12, 0.06].map((cubeM, n) => ({
    cubeM,
    points: Math.round(count / 4 ** (3 - n)),
  }));
  const header = {
    format: 1,
    count,
    total: count,
    origin: { x, y, z: 0 },
    unitM: 1 / 256,
    levels,
    pieces: [{ fromUs: START_US, agent: "robot" }],
  };
  return encodeBlock("points", header, { position, colour, piece: new Uint16Array(count) });
}

const side = WIDE_M / CHUNK_M;
const chunkPoints = Math.ceil(POINTS / side ** 2);
const chunks = Array.from({ length: side ** 2 }, (_, n) => ({
  x: (n % side) * CHUNK_M,
  y: Math.floor(n / side) * CHUNK_M,
})).map(({ x, y }) => ({
  id: `world:${x / CHUNK_M}:${y / CHUNK_M}`,
  etag: "1",
  map: "world",
  x,
  y,
  sizeM: CHUNK_M,
  points: chunkPoints,
  fromUs: START_US,
}));
const outline = [
  [0, 0],
  [WIDE_M, 0],
  [WIDE_M, WIDE_M],
  [0, WIDE_M],
].map(([x, y]) => ({ x, y }));
const scene = {
  format: 1,
  revision: "1.0",
  span: { fromUs: START_US, toUs: START_US + DAYS_S * 1e6 },
  counts: { states: STATES, tracks: STATES, events: 0 },
  maps: ["world"],
  chunks,
  regions: [
    {
      id: "hall",
      type: "room",
      name: "hall",
      map: "world",
      z: 0,
      outline,
      fromUs: START_US,
      toUs: null,
      coverage: 1,
    },
  ],
};
const blocks = new Map(chunks.map(({ id, x, y }) => [id, points(x, y, chunkPoints)]));
const pages = new Map<number, Uint8Array<ArrayBuffer>>();
for (let first = 0; first < STATES; first += PAGE)
  pages.set(first, states(first, Math.min(PAGE, STATES - first)));
const noWays = encodeBlock(
  "ways",
  {
    format: 1,
    count: 0,
    next: null,
    timeOriginUs: START_US,
    origin: { x: 0, y: 0, z: 0 },
    maps: ["world"],
    ways: [],
  },
  {
    map: new Uint16Array(0),
    time: new Float32Array(0),
    position: new Float32Array(0),
    rotation: new Float32Array(0),
  },
);

const folder = (await viewerFolder())!;
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, "http://localhost");
  const file = join(folder, pathname === "/" ? "index.html" : pathname);
  if (pathname === "/v1/feed") response.end(JSON.stringify(scene));
  else if (pathname.startsWith("/v1/feed/map/"))
    response.end(blocks.get(decodeURIComponent(pathname.slice(13))));
  else if (pathname === "/v1/feed/states")
    response.end(pages.get(Number(searchParams.get("after") ?? 0)) ?? pages.get(0));
  else if (pathname === "/v1/feed/ways") response.end(noWays);
  else if (pathname === "/v1/feed/ground") response.end("[]");
  else if (pathname.startsWith("/v1/")) response.writeHead(404).end("{}");
  else if (existsSync(file))
    response.setHeader("content-type", TYPES[extname(file)] ?? "").end(readFileSync(file));
  else response.writeHead(404).end();
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

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

const executablePath = process.env["LOCI_CHROMIUM"] ?? "/usr/bin/chromium";
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page: Page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.setDefaultTimeout(300_000);
const began = performance.now();
await page.goto(url);
await page.waitForSelector(".intro");
const readyMs = performance.now() - began;
await page.waitForFunction(`lociViewer.stage.points.count >= ${0.99 * POINTS}`);
const figures = (await page.evaluate(MEASURE)) as Figures;
/** As somebody sees it who plays time: drawn with fewer points and without edges where the machine is slow. */
const PLAYED_MS = 8_000;
await page.evaluate("lociViewer.store.playing.value = true; lociViewer.store.moment.value = 0");
const framesBefore = (await page.evaluate("lociViewer.stage.frames")) as number;
const playedFrom = performance.now();
await page.waitForTimeout(PLAYED_MS);
const framesPlayed = ((await page.evaluate("lociViewer.stage.frames")) as number) - framesBefore;
const playedFps = (framesPlayed * 1_000) / (performance.now() - playedFrom);
await browser.close();
server.close();
const gzip = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .reduce((sum, entry) => sum + gzipSync(readFileSync(join(entry.parentPath, entry.name))).length, 0);
const rounded = (n: number) => Number(n.toFixed(2));
console.log(
  JSON.stringify(
    {
      machine: `${cpus().length} × ${cpus()[0]?.model ?? "?"}, software WebGL`,
      states: STATES,
      points: POINTS,
      firstUsefulPaintMs: Math.round(readyMs),
      drawCalls: figures.drawCalls,
      sliderScriptMs: rounded(figures.sliderMs),
      pickMs: rounded(figures.pickMs),
      framesPerSecondWhole: rounded(1_000 / figures.frameMs),
      framesPerSecondPlaying: rounded(playedFps),
      pageGzipKb: rounded(gzip / 1_000),
    },
    null,
    2,
  ),
);
process.exit(0);

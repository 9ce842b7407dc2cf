/**
 * A server of the viewer's page with a made-up memory behind it, in blocks of the real format: things all over a hall for a
 * week, and its surfaces. Everything is made before the first request, so that what is measured is the page.
 */
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { encodeBlock } from "../../src/exchange/feed/block.ts";
import { Random } from "../../src/geometry/index.ts";

const OPEN = 3.402_823_466_385_288_6e38;
const START_US = Date.UTC(2026, 0, 5) * 1_000;
const DAYS_S = 7 * 86_400;
const WIDE_M = 96;
const CHUNK_M = 16;
const PAGE = 8_192;
const CLASSES = 60;

export interface MadeFeed {
  readonly url: string;
  close(): void;
}

/** Serves the page in `folder` with so many states of things and points of surfaces. */
export async function serveMadeFeed(folder: string, states: number, points: number): Promise<MadeFeed> {
  const random = new Random("viewer");
  const side = WIDE_M / CHUNK_M;
  const chunks = chunksOf(side, Math.ceil(points / side ** 2));
  const blocks = new Map(
    chunks.map(({ id, x, y }) => [id, pointsBlocks(random, x, y, Math.ceil(points / side ** 2))]),
  );
  const pages = new Map<number, Uint8Array<ArrayBuffer>>();
  for (let first = 0; first < states; first += PAGE)
    pages.set(first, statesBlock(random, first, Math.min(PAGE, states - first), states));
  const scene = sceneOf(states, chunks);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    const file = join(folder, pathname === "/" ? "index.html" : pathname);
    if (pathname === "/v1/feed") response.end(JSON.stringify(scene));
    else if (pathname.startsWith("/v1/feed/map/")) {
      const levels = blocks.get(decodeURIComponent(pathname.slice(13)))!;
      response.end(levels[Number(searchParams.get("level") ?? levels.length - 1)]);
    } else if (pathname === "/v1/feed/states")
      response.end(pages.get(Number(searchParams.get("after") ?? 0)) ?? pages.get(0));
    else if (pathname === "/v1/feed/ways") response.end(NO_WAYS);
    else if (pathname === "/v1/feed/ground") response.end("[]");
    else if (pathname.startsWith("/v1/")) response.writeHead(404).end("{}");
    else if (existsSync(file))
      response.setHeader("content-type", TYPES[extname(file)] ?? "").end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

function chunksOf(side: number, points: number) {
  return Array.from({ length: side ** 2 }, (_, n) => {
    const [column, row] = [n % side, Math.floor(n / side)];
    return {
      id: `world:${column}:${row}`,
      etag: "1",
      map: "world",
      x: column * CHUNK_M,
      y: row * CHUNK_M,
      sizeM: CHUNK_M,
      points,
      fromUs: START_US,
    };
  });
}

function sceneOf(states: number, chunks: ReturnType<typeof chunksOf>) {
  const corners = [
    [0, 0],
    [WIDE_M, 0],
    [WIDE_M, WIDE_M],
    [0, WIDE_M],
  ] as const;
  const hall = {
    id: "hall",
    type: "room",
    name: "hall",
    map: "world",
    z: 0,
    outline: corners.map(([x, y]) => ({ x, y })),
    fromUs: START_US,
    toUs: null,
    coverage: 1,
  };
  return {
    format: 1,
    revision: "1.0",
    span: { fromUs: START_US, toUs: START_US + DAYS_S * 1e6 },
    counts: { states, tracks: states, events: 0 },
    maps: ["world"],
    chunks,
    regions: [hall],
  };
}

/** A page of states: things all over a hall, a tenth of which move once. */
function statesBlock(random: Random, first: number, count: number, all: number): Uint8Array<ArrayBuffer> {
  const between = (low: number, high: number) => low + (high - low) * random.next();
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
    next: last < all ? String(last) : null,
    revision: null,
    isUpdate: false,
    reload: false,
    gone: [],
    timeOriginUs: START_US,
    memoryOriginUs: START_US,
    origin: { x: 0, y: 0, z: 0 },
    maps: ["world"],
  };
  return encodeBlock("states", header, {
    id: Array.from({ length: count }, (_, n) => `state-${first + n}`),
    tracks,
    names: ["a thing"],
    classes: Array.from({ length: CLASSES }, (_, n) => `kind ${n}`),
    rooms: [],
    agents: ["robot"],
    ...columns,
  });
}

const CUBES_M = [0.48, 0.24, 0.12, 0.06];

/** One chunk at each of its levels, coarsest first. */
function pointsBlocks(random: Random, x: number, y: number, count: number): Uint8Array<ArrayBuffer>[] {
  const position = new Int16Array(3 * count);
  const colour = new Uint8Array(3 * count);
  for (let n = 0; n < count; n++) {
    position.set([random.int(0, 4_095), random.int(0, 4_095), random.int(0, 512)], 3 * n);
    colour.set([random.int(80, 220), random.int(80, 220), random.int(80, 220)], 3 * n);
  }
  const levels = CUBES_M.map((cubeM, n) => ({ cubeM, points: Math.round(count / 4 ** (3 - n)) }));
  return levels.map(({ points }, level) =>
    encodeBlock(
      "points",
      {
        format: 1,
        count: points,
        total: count,
        origin: { x, y, z: 0 },
        unitM: 1 / 256,
        levels: levels.slice(0, level + 1),
        pieces: [{ fromUs: START_US, agent: "robot" }],
      },
      {
        position: position.slice(0, 3 * points),
        colour: colour.slice(0, 3 * points),
        piece: new Uint16Array(points),
      },
    ),
  );
}

const NO_WAYS = encodeBlock(
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

/**
 * What the feed of a viewer costs: 100k states with five sightings each, and two million surface points seen twice.
 * npx node bench/feed.bench.ts [--states N] [--points N] [--labels]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import {
  MapChunks,
  parseRevision,
  readPoints,
  readStates,
  sceneOf,
  statesBlock,
  statesSince,
} from "../src/exchange/feed/index.ts";
import { fromYaw, Random } from "../src/geometry/index.ts";
import { encodeSurface } from "../src/map/codec.ts";
import { EmbeddedEngine, type MemoryReader, type MemoryWriter } from "../src/memory/index.ts";
import { blobRefOf, type RecordInput, type SightingInput } from "../src/schema/core.ts";

const { values } = parseArgs({
  options: {
    states: { type: "string", default: "100000" },
    points: { type: "string", default: "2000000" },
    labels: { type: "boolean", default: false },
  },
});
const STATES = Number(values.states);
const ROOM_M = 8;
const CUBE_M = 0.06;
const SECOND = 1_000_000;
const START_US = Date.UTC(2026, 0, 5) * 1_000;
const SIGHTINGS = 5;
const random = new Random("feed");

/** Floor, ceiling and walls of a room of eight metres, a point a cube, each a little beside its middle. */
function room(): { readonly positions: Int16Array; readonly colours: Uint8Array; readonly count: number } {
  const steps = Math.floor(ROOM_M / CUBE_M);
  const high = Math.floor(2.6 / CUBE_M);
  const centimetres: number[] = [];
  const put = (u: number, v: number, w: number) =>
    centimetres.push(u * 6 + random.int(1, 5), v * 6 + random.int(1, 5), w * 6 + random.int(1, 5));
  for (let u = 0; u < steps; u++) for (let v = 0; v < steps; v++) for (const w of [0, high]) put(u, v, w);
  for (let u = 0; u < steps; u++)
    for (let w = 1; w < high; w++) {
      put(u, 0, w);
      put(0, u, w);
    }
  const positions = Int16Array.from(centimetres);
  return { positions, colours: new Uint8Array(positions.length).fill(128), count: positions.length / 3 };
}

async function fill(writer: MemoryWriter): Promise<{ rooms: number; rawPoints: number }> {
  let [rooms, rawPoints] = [0, 0];
  for (let distinct = 0; distinct < Number(values.points); rooms++) {
    for (const visit of [0, 1]) {
      const { positions, colours, count } = room();
      if (visit === 0) distinct += count;
      rawPoints += count;
      const blob = encodeSurface({ count, positions, colours, unitM: 0.01 });
      const submap = `visit-${visit}-${rooms}`;
      const record: RecordInput = {
        kind: "region",
        id: `map-${submap}`,
        type: "map",
        level: 0,
        name: submap,
        surface: blobRefOf(blob),
        validFromUs: START_US + (visit * 1_000 + rooms) * SECOND,
        validToUs: null,
        anchor: { submap, p: { x: 0, y: 0, z: 0 } },
      };
      const p = { x: (rooms % 6) * ROOM_M, y: Math.floor(rooms / 6) * ROOM_M, z: 0 };
      const edge = {
        parent: "world",
        child: submap,
        transform: { p, q: fromYaw(0) },
        kind: "submap" as const,
      };
      await writer.write({ records: [record], blobs: [blob], frames: [edge] });
    }
  }
  for (let from = 0; from < STATES; from += 2_500) {
    const records: RecordInput[] = [];
    const sightings: SightingInput[] = [];
    for (let n = from; n < Math.min(STATES, from + 2_500); n++) {
      const fromUs = START_US + n * SECOND;
      const common = { name: `red thing ${n % 500}`, category: `thing ${n % 80}`, validFromUs: fromUs };
      records.push({ ...common, kind: "track", id: `track-${n}`, validToUs: null });
      records.push({
        ...common,
        kind: "state",
        id: `state-${n}`,
        trackId: `track-${n}`,
        validToUs: n % 10 === 0 ? fromUs + 3_600 * SECOND : null,
        labels: n % 10 === 1 ? ["private"] : [],
        anchor: { submap: "world", p: { x: random.range(0, 48), y: random.range(0, 48), z: 1 } },
        extent: { x: 0.3, y: 0.3, z: 0.3 },
      });
      for (let i = 0; i < SIGHTINGS; i++)
        sightings.push({ stateId: `state-${n}`, timeUs: fromUs + i * SECOND, outcome: "seen" });
    }
    await writer.write({ records, sightings });
  }
  return { rooms, rawPoints };
}

async function timed<T>(
  what: string,
  work: () => Promise<T>,
  more: (value: T) => string = () => "",
): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  const value = await work();
  const ms = performance.now() - began;
  delay.disable();
  console.log(
    `${what.padEnd(44)} ${ms.toFixed(0).padStart(7)} ms   longest stall ${(delay.max / 1e6).toFixed(0)} ms   ${more(value)}`,
  );
  return value;
}

async function allStates(reader: MemoryReader): Promise<{ count: number; bytes: number; blocks: number }> {
  const total = { count: 0, bytes: 0, blocks: 0 };
  for (let after: string | undefined; ; ) {
    const bytes = await statesBlock(reader, { after });
    const block = readStates(bytes);
    total.count += block.count;
    total.bytes += bytes.length;
    total.blocks++;
    if (block.next === null) return total;
    after = block.next;
  }
}

const folder = mkdtempSync(join(tmpdir(), "loci-feed-bench-"));
const engine = await EmbeddedEngine.open({ folder, create: true, nowUs: () => Date.now() * 1_000 });
try {
  const writer = await engine.writer();
  const { rooms, rawPoints } = await timed("filling", () => fill(writer));
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}; ${STATES} states; ${2 * rooms} pieces with ${rawPoints} points`,
  );
  const principal = { id: "guest", labels: [] };
  const reader = await engine.reader(values.labels ? { principal } : {});
  const chunks = new MapChunks();
  const list = await timed(
    "list of chunks, first",
    () => chunks.list(reader),
    (all) => `${all.length} chunks`,
  );
  await timed("list of chunks, again", () => chunks.list(reader));
  const blocks = await timed(
    "every chunk, first",
    async () => {
      const all: Uint8Array[] = [];
      for (const { id } of list) all.push((await chunks.chunk(reader, id))!.bytes);
      return all;
    },
    (all) => `${(all.reduce((sum, { length }) => sum + length, 0) / 1e6).toFixed(1)} MB`,
  );
  await timed("every chunk, again", async () => {
    for (const { id } of list) await chunks.chunk(reader, id);
  });
  await timed("every chunk, coarsest level", async () => {
    for (const { id } of list) await chunks.chunk(reader, id, { level: 0 });
  });
  await timed(
    "reading the chunks",
    async () => blocks.reduce((sum, bytes) => sum + readPoints(bytes).count, 0),
    (count) => `${count} points`,
  );
  const scene = await timed(
    "scene",
    () => sceneOf(reader, list),
    ({ revision }) => revision,
  );
  await timed(
    "every state",
    () => allStates(reader),
    ({ count, bytes, blocks: n }) => `${count} rows, ${(bytes / 1e6).toFixed(1)} MB, ${n} blocks`,
  );
  const since = parseRevision(scene.revision);
  await timed("what changed since: nothing", () => statesSince(reader, since));
  await writer.write({ sightings: [{ stateId: "state-0", timeUs: START_US + 9 * SECOND, outcome: "seen" }] });
  await timed(
    "what changed since: one state",
    () => statesSince(reader, since),
    (bytes) => `${bytes.length} B`,
  );
} finally {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * What the map costs, on one thread: frames into the grid and the surface, an update of rooms, places and forest,
 * and the region forest at scale. npx node bench/map.bench.ts [--leaves N] [--frames N]
 */
import { parseArgs } from "node:util";
import { Random } from "../src/geometry/index.ts";
import {
  buildForest,
  deleteLeaf,
  extractiveSummariser,
  insertLeaf,
  SceneMap,
  summarise,
} from "../src/map/index.ts";
import { furniture, tour, twoRooms } from "../src/map/testing/test-world.ts";
import type { MemoryReader } from "../src/memory/index.ts";

const { values } = parseArgs({
  options: { leaves: { type: "string", default: "100000" }, frames: { type: "string", default: "960" } },
});
const leafCount = Number(values.leaves);
const frameCount = Number(values.frames);
const INSERTS = 2_000;

/** Processor time, since the machine may be shared. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function benchFrames(): Promise<void> {
  const empty = {
    frames: async () => ({ resolve: () => undefined }),
    search: async () => ({ hits: [] }),
    get: async (ids: readonly string[]) => ids.map(() => undefined),
  } as unknown as MemoryReader;
  const bed = furniture(1, 3.2, { x: 2, y: 1.4, z: 0.5 });
  const small = tour([...twoRooms(), bed]);
  // The size of the simulator's frames: each pixel of the small ones four times.
  const walk = small.map((percept) => {
    const { width, height, data, unitM } = percept.depth!;
    const large = new Uint16Array(width * height * 4);
    for (let i = 0; i < large.length; i++)
      large[i] = data[Math.floor(i / (width * 4)) * width + Math.floor((i % (width * 2)) / 2)]!;
    return { ...percept, depth: { width: width * 2, height: height * 2, data: large, unitM } };
  });
  const map = await SceneMap.open(empty);
  for (let round = 0; round < 2; round++) {
    const began = cpuMs();
    for (let i = 0; i < frameCount; i++) {
      const percept = walk[i % walk.length]!;
      map.observe({ ...percept, observationId: `o${round}-${i}` }, { stateOf: [], changed: [] });
    }
    const spent = cpuMs() - began;
    const updateBegan = cpuMs();
    await map.update([{ id: "bed", category: "bed", box: bed }], walk.at(-1)!.timeUs + round * 1_000_000);
    if (round === 0) continue;
    console.log(`observe  ${((frameCount / spent) * 1_000).toFixed(0)} frames/s at 160×120 (warm)`);
    console.log(`update   ${(cpuMs() - updateBegan).toFixed(1)} ms, ${map.rooms().length} rooms`);
  }
}

async function benchForest(): Promise<void> {
  const random = new Random("forest");
  let [x, y, yaw] = [0, 0, 0];
  const paths = Array.from({ length: leafCount }, (_, i) => {
    yaw += random.normal(0, 0.3);
    x += Math.cos(yaw) * 5;
    y += Math.sin(yaw) * 5;
    return { id: `path-${i}`, position: { x, y, z: 0 } };
  });
  const field = paths.map((_, i) => ({
    id: `field-${i}`,
    position: { x: random.range(0, 2_000), y: random.range(0, 2_000), z: 0 },
  }));
  const crowd = paths.map((_, i) => ({
    id: `crowd-${i}`,
    position: { x: random.normal(0, 3), y: random.normal(0, 3), z: 0 },
  }));
  for (const [name, leaves] of Object.entries({ paths, field, crowd })) {
    const began = cpuMs();
    const forest = buildForest(leaves, name === "crowd" ? { firstM: 2 } : {});
    const built = cpuMs() - began;
    const insertBegan = cpuMs();
    for (let i = 0; i < INSERTS; i++) {
      const { position } = leaves[random.int(0, leaves.length)]!;
      insertLeaf(forest, {
        id: `new-${i}`,
        position: { x: position.x + random.normal(0, 5), y: position.y + random.normal(0, 5), z: 0 },
      });
    }
    const inserted = (cpuMs() - insertBegan) / INSERTS;
    const deleteBegan = cpuMs();
    for (let i = 0; i < INSERTS; i++) deleteLeaf(forest, `new-${i}`);
    const deleted = (cpuMs() - deleteBegan) / INSERTS;
    const summariseBegan = cpuMs();
    const content = { lines: () => [], things: () => [{ category: "tree", count: 1 }] };
    await summarise(forest, { summariser: extractiveSummariser, content });
    console.log(
      `${name.padEnd(6)}   ${leafCount} leaves built in ${(built / 1_000).toFixed(2)} s; insert ${(inserted * 1_000).toFixed(0)} µs, ` +
        `delete ${(deleted * 1_000).toFixed(0)} µs; summaries ${((cpuMs() - summariseBegan) / 1_000).toFixed(2)} s`,
    );
  }
}

await benchFrames();
await benchForest();

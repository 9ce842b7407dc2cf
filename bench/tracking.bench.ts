/**
 * Tracking: detections a second at growing numbers of known things, and how flat that is. A flat world of
 * furniture-size boxes, one every other metre, of which a frame shows about ten with their depth; everything that
 * tracking does to a frame is in the time (of the processor, not of the wall), perception and memory are not.
 * node bench/tracking.bench.ts [--n 1000,10000,50000] [--frames 200]
 */
import { parseArgs } from "node:util";
import { Random, vec3 } from "../src/geometry/index.ts";
import type { HitOf, MemoryReader } from "../src/memory/index.ts";
import type { Percept } from "../src/schema/index.ts";
import { Tracker } from "../src/tracking/index.ts";
import { BACKGROUND, look, type ToyThing, thing } from "../src/tracking/testing/toy-room.ts";

const { values } = parseArgs({
  options: {
    n: { type: "string", default: "1000,10000,50000" },
    frames: { type: "string", default: "200" },
  },
});
const SPACING_M = 2;
const KINDS = ["chair", "table", "shelf", "plant", "lamp", "box", "bench", "stool"];
const COLOURS = ["red", "blue", "green", "white", "black"];

function world(n: number): ToyThing[] {
  const random = new Random("tracking-bench");
  const side = Math.ceil(Math.sqrt(n));
  return Array.from({ length: n }, (_, i) => {
    const [x, y] = [(i % side) * SPACING_M + random.range(-0.4, 0.4), Math.floor(i / side) * SPACING_M];
    const high = random.range(0.3, 1.2);
    return thing(
      `t${i}`,
      random.pick(KINDS),
      [x, y + random.range(-0.4, 0.4), high / 2],
      [random.range(0.2, 0.8), random.range(0.2, 0.8), high],
      { colour: random.pick(COLOURS) },
    );
  });
}

/** A memory in which all of them are known. */
function readerOf(things: readonly ToyThing[]): MemoryReader {
  const hits = things.map(({ id, category, centre, extent, attributes = {} }) => ({
    record: {
      kind: "state",
      id: `state-${id}`,
      trackId: `track-${id}`,
      sceneId: "toy",
      author: "robot",
      labels: [],
      validFromUs: 1,
      validToUs: null,
      anchor: { submap: "world", p: centre },
      extent,
      text: [`${attributes["colour"]} ${category}`],
      name: `${attributes["colour"]} ${category}`,
      category,
      attributes: { colour: { value: attributes["colour"]!, p: 1, support: 5, lastUs: 1 } },
      views: [],
    },
  })) as unknown as HitOf<"state">[];
  const page = { hits, given: false };
  return {
    search: async ({ rank }: { rank: string }) => {
      if (rank !== "earliest" || page.given) return { hits: [] };
      page.given = true;
      return { hits: page.hits };
    },
    get: async () => [],
    presence: async () => [],
    frames: async () => ({ resolve: () => ({ p: vec3(0, 0, 0), q: { w: 1, x: 0, y: 0, z: 0 } }) }),
  } as unknown as MemoryReader;
}

function walk(things: readonly ToyThing[], frames: number): Percept[] {
  const side = Math.ceil(Math.sqrt(things.length)) * SPACING_M;
  return Array.from({ length: frames }, (_, i) => {
    const at = vec3(side / 2 + 6 * Math.cos(i / 30), side / 2 + 6 * Math.sin(i / 30), 0.5);
    const from = vec3(at.x - 5 * Math.cos(i / 7), at.y - 5 * Math.sin(i / 7), 1.8);
    const near = things.filter(
      ({ centre }) => Math.abs(centre.x - from.x) < 9 && Math.abs(centre.y - from.y) < 9,
    );
    return look({ timeS: 10 + i / 2, from, at, things: near });
  });
}

const rows: Record<string, string | number>[] = [];
for (const n of values.n.split(",").map(Number)) {
  const things = world(n);
  const opened = performance.now();
  const tracker = await Tracker.open(readerOf(things), { sceneId: "toy", background: BACKGROUND });
  const openMs = performance.now() - opened;
  const percepts = walk(things, Number(values.frames));
  const detections = percepts.reduce((sum, percept) => sum + percept.detections.length, 0);
  let matched = 0;
  const began = process.cpuUsage();
  for (const percept of percepts) matched += (await tracker.observe(percept)).counts.matched;
  const { user, system } = process.cpuUsage(began);
  const ms = (user + system) / 1_000;
  rows.push({
    things: n,
    "detections/s": Math.round((detections / ms) * 1000),
    "ms/frame": (ms / percepts.length).toFixed(2),
    "detections/frame": (detections / percepts.length).toFixed(1),
    matched: `${((100 * matched) / detections).toFixed(1)} %`,
    "open ms": Math.round(openMs),
  });
}
console.table(rows);
console.log(
  `flat: ${((100 * Number(rows.at(-1)!["detections/s"])) / Number(rows[0]!["detections/s"])).toFixed(0)} % of the speed at ${rows[0]!["things"]} things is left at ${rows.at(-1)!["things"]}`,
);

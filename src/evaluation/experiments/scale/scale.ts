import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "../../../compose/memory.ts";
import { Random } from "../../../geometry/index.ts";
import type { MemoryReader, SearchRequest } from "../../../memory/index.ts";
import type { TextEmbedder } from "../../../models/index.ts";
import { type RecordInput, throwIfAborted } from "../../../schema/index.ts";
import { claim } from "../claims.ts";
import type { Experiment } from "../experiment.ts";
import type { Lab } from "../lab.ts";
import type { Mark } from "../mark.ts";

const SIZES = [1_000, 10_000, 100_000] as const;
const QUERIES = 60;
const BATCH = 5_000;
const SIDE_M = 200;
const START_US = Date.UTC(2026, 0, 5) * 1_000;
const KINDS = ["mug", "carton", "barrel", "shelf", "chair", "crate", "ladder", "lamp"];
const COLOURS = ["red", "green", "blue", "white", "black", "yellow"];

/** The most frequent searches of a large memory, and the target: an answer needs several of them. */
const SEARCHES = ["meaning", "space", "time", "meaning near a place"] as const;
const TARGET_MS = 50;

export const scale: Experiment = {
  name: "scale",
  shows: "10³ to 10⁵ things: how long searches by meaning, place, time and all of them take",
  claims: SEARCHES.map((search) =>
    claim(
      `${search} in time`,
      `p95 of searches by ${search} stays under ${TARGET_MS} ms at 10⁵ things`,
      (figures) => {
        const marks = figures.marks.filter(({ config, metric }) => config === "100000" && metric === search);
        const sorted = marks.map(({ value }) => value).sort((a, b) => a - b);
        return sorted.length === 0 ? null : sorted[Math.ceil(0.95 * sorted.length) - 1]! <= TARGET_MS;
      },
    ),
  ),
  limits:
    "Made-up things in a hall, the shipped encoder, exact search, one process, this machine with whatever else runs on it. A million and peers: `loci bench` and docs/performance.md. Nothing is answered here, so nothing stands blind beside it.",
  async measure(lab) {
    const marks: Mark[] = [];
    for (const size of SIZES) marks.push(...(await timed(lab, size)));
    return { marks, stated: [`${QUERIES} searches of each kind a size, milliseconds.`] };
  },
};

async function timed(lab: Lab, size: number): Promise<Mark[]> {
  const folder = await mkdtemp(join(tmpdir(), "loci-scale-"));
  const memory = await openMemory(folder);
  try {
    const random = new Random(`scale/${lab.seeds[0]}`);
    for (let n = 0; n < size; n += BATCH) {
      throwIfAborted(lab.signal);
      lab.progress(`${n} of ${size} things`);
      const count = Math.min(BATCH, size - n);
      await memory.write({ records: Array.from({ length: count }, (_, k) => thing(n + k, random)) });
    }
    const [reader, embedder] = [await memory.reader(), await memory.embedder()];
    return await searched(reader, embedder, size, random);
  } finally {
    await memory.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function searched(
  reader: MemoryReader,
  embedder: TextEmbedder,
  size: number,
  random: Random,
): Promise<Mark[]> {
  const marks: Mark[] = [];
  for (let n = 0; n < QUERIES; n++)
    for (const search of SEARCHES) {
      const request = await requestOf(search, embedder, random);
      const began = performance.now();
      await reader.search(request);
      marks.push({
        config: String(size),
        suite: "scale",
        metric: search,
        scene: "hall",
        item: String(n),
        value: performance.now() - began,
        slices: [],
      });
    }
  return marks;
}

async function requestOf(
  search: (typeof SEARCHES)[number],
  embedder: TextEmbedder,
  random: Random,
): Promise<SearchRequest> {
  const text = `${random.pick(COLOURS)} ${random.pick(KINDS)}`;
  const [vector] = await embedder.embed([text]);
  const centre = { x: random.range(0, SIDE_M), y: random.range(0, SIDE_M), z: 0.5 };
  const fromUs = START_US + random.int(0, 1_000) * 1_000_000;
  switch (search) {
    case "meaning":
      return { kinds: ["state"], meaning: { vector: vector! }, limit: 10 };
    case "space":
      return { kinds: ["state"], space: { type: "radius", centre, radiusM: 5 }, limit: 10 };
    case "time":
      return { kinds: ["state"], time: { overlaps: { fromUs, toUs: fromUs + 60_000_000 } }, limit: 10 };
    default:
      return {
        kinds: ["state"],
        meaning: { vector: vector! },
        space: { type: "radius", centre, radiusM: 20 },
        limit: 10,
      };
  }
}

function thing(n: number, random: Random): RecordInput {
  const category = random.pick(KINDS);
  return {
    kind: "state",
    id: `state-${n}`,
    trackId: `track-${n}`,
    name: `${category} ${n}`,
    category,
    text: [`a ${random.pick(COLOURS)} ${category}`],
    validFromUs: START_US + n * 1_000_000,
    validToUs: null,
    anchor: {
      submap: "world",
      p: { x: random.range(0, SIDE_M), y: random.range(0, SIDE_M), z: 0.5 },
    },
    extent: { x: 0.4, y: 0.4, z: 0.4 },
  };
}

/**
 * Simulated houses as joining meets them: each robot's map as a sketch, and where it lies in truth. A house is simulated and
 * taken in once, without a join, and kept, so that a change of the alignment alone is measured in seconds.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { ingestRecording, openMemory } from "../../src/compose.ts";
import { readTruth, type Truth } from "../../src/evaluation/tracking/truth.ts";
import type { Transform } from "../../src/geometry/index.ts";
import type { MapSketch } from "../../src/sharing/align/sketch.ts";
import { mapsIn, sketchOf } from "../../src/sharing/maps.ts";
import { type RecordOptions, recordHouse, TRUTH_FILE } from "../../src/world/recorder/index.ts";
import { thingsIn } from "./names.ts";

/** One robot's map of a house. */
export interface RobotMap {
  readonly agentId: string;
  readonly root: string;
  readonly mapFromWorld: Transform;
  readonly sketch: MapSketch;
}

export interface JoinHouse {
  readonly seed: number;
  readonly folder: string;
  readonly truth: Truth;
  readonly robots: readonly RobotMap[];
  /** Which true thing each thing of a map is, by the segments that it was seen as; null for none. */
  readonly names: ReadonlyMap<string, string | null>;
}

export interface HouseSettings {
  readonly cache: string;
  readonly agents: number;
  readonly minutes: number;
  readonly fps: number;
  readonly noise: number;
}

/** The options that say which houses are meant, for every command here. */
export const HOUSE_OPTIONS = {
  cache: { type: "string" },
  seeds: { type: "string" },
  agents: { type: "string", default: "2" },
  minutes: { type: "string", default: "4" },
  fps: { type: "string", default: "1" },
  noise: { type: "string", default: "0.5" },
} as const;

export function settingsOf(values: {
  readonly cache?: string | undefined;
  readonly agents: string;
  readonly minutes: string;
  readonly fps: string;
  readonly noise: string;
}): HouseSettings {
  return {
    cache: values.cache!,
    agents: Number(values.agents),
    minutes: Number(values.minutes),
    fps: Number(values.fps),
    noise: Number(values.noise),
  };
}

/** "42001-42020,42031" as numbers. */
export function seedsNamed(list: string): number[] {
  return list.split(",").flatMap((part) => {
    const [from, to = from] = part.split("-").map(Number) as [number, number?];
    return Array.from({ length: to - from + 1 }, (_, n) => from + n);
  });
}

/** The house, made where it is not kept; `make: false` answers undefined then. */
export async function openHouse(
  seed: number,
  settings: HouseSettings,
  make = true,
): Promise<JoinHouse | undefined> {
  const { cache, agents, minutes, fps, noise } = settings;
  const folder = join(cache, `${seed}-${agents}robots-${minutes}min-${fps}fps-noise${noise}`);
  const [recording, memory, kept] = ["recording", "memory", "maps.bin"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  if (!existsSync(kept)) {
    if (!make) return undefined;
    await mkdir(folder, { recursive: true });
    await record(recordOf(seed, settings, recording));
    await rm(memory, { recursive: true, force: true });
    const taken = await openMemory(memory);
    try {
      await ingestRecording(taken, recording, { join: false });
      const reader = await taken.reader();
      const sketches: Record<string, MapSketch> = {};
      for (const { root } of await mapsIn(reader, "default"))
        sketches[root] = await sketchOf(reader, "default", root);
      await writeFile(`${kept}.partial`, serialize(sketches));
    } finally {
      await taken.close();
    }
    await rename(`${kept}.partial`, kept);
  }
  const sketches = deserialize(await readFile(kept)) as Record<string, MapSketch>;
  const truthPath = join(recording, TRUTH_FILE);
  const document = JSON.parse(await readFile(truthPath, "utf8")) as {
    agents: { id: string; mapFrame: string; mapFromWorld: Transform }[];
  };
  const robots = document.agents.flatMap(({ id, mapFrame, mapFromWorld }) => {
    const sketch = sketches[mapFrame];
    return sketch ? [{ agentId: id, root: mapFrame, mapFromWorld, sketch }] : [];
  });
  const names = await namesOf(folder, memory, truthPath);
  return { seed, folder, truth: await readTruth(truthPath), robots, names };
}

async function namesOf(folder: string, place: string, truthPath: string): Promise<JoinHouse["names"]> {
  const kept = join(folder, "names.json");
  if (!existsSync(kept)) {
    const memory = await openMemory(place);
    try {
      await writeFile(kept, JSON.stringify([...(await thingsIn(await memory.reader(), truthPath))]));
    } finally {
      await memory.close();
    }
  }
  return new Map(JSON.parse(await readFile(kept, "utf8")) as [string, string | null][]);
}

/** Small pictures: what is measured is where maps lie, not how well a camera sees. */
export function recordOf(
  seed: number,
  { agents, minutes, fps, noise }: HouseSettings,
  out: string,
): RecordOptions {
  const size = { width: 80, height: 60 };
  return { family: "house", size, lidar: false, seed, agents, minutes, fps, noise, out };
}

async function record(options: RecordOptions): Promise<void> {
  if (existsSync(join(options.out, TRUTH_FILE))) return;
  await rm(options.out, { recursive: true, force: true });
  await recordHouse(options);
}

/**
 * Simulated houses as tracking meets them: the recording, what the pipeline handed to the tracker (percepts, corrections
 * of the map, ends), and the truth. A stream is made once with the whole pipeline and kept, so that a change of tracking
 * alone is measured in seconds a house.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { ingestInto, openMemory } from "../../src/compose.ts";
import { readTruth, type Truth } from "../../src/evaluation/tracking/truth.ts";
import type { Transform } from "../../src/geometry/index.ts";
import type { FrameEdgeInput, Percept } from "../../src/schema/index.ts";
import { openRecording } from "../../src/sensors/index.ts";
import { Tracker } from "../../src/tracking/index.ts";
import { recordHouse, TRUTH_FILE } from "../../src/world/recorder/index.ts";

export interface HouseOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly rate: number;
  readonly rooms?: number | undefined;
}

export type Step =
  | { readonly kind: "observe"; readonly percept: Percept }
  | { readonly kind: "correct"; readonly places: ReadonlyMap<string, Transform>; readonly timeUs: number }
  | { readonly kind: "settle" }
  | { readonly kind: "finish"; readonly timeUs: number };

/** All that the tracker of one recording was told. */
export interface House {
  readonly name: string;
  readonly background: { readonly mean: number; readonly sd: number };
  readonly frames: readonly FrameEdgeInput[];
  readonly steps: readonly Step[];
}

/** "131-133,401": six minutes each, as in the first standing table; from 300 on fifteen in five rooms, as in the second. */
export function housesNamed(list: string): HouseOptions[] {
  return list.split(",").flatMap((part) => {
    const [from, to = from] = part.split("-").map(Number) as [number, number?];
    return Array.from({ length: to - from + 1 }, (_, n) => {
      const seed = from + n;
      const isLong = seed > 300 && seed < 1_000;
      return isLong ? { seed, minutes: 15, rate: 240, rooms: 5 } : { seed, minutes: 6, rate: 120 };
    });
  });
}

export async function openHouse(
  cache: string,
  options: HouseOptions,
): Promise<{ readonly house: House; readonly truth: Truth }> {
  const { seed, minutes, rate, rooms } = options;
  const name = `${seed}-${minutes}min-rate${rate}${rooms === undefined ? "" : `-rooms${rooms}`}`;
  const recording = join(cache, name, "recording");
  if (!existsSync(join(recording, TRUTH_FILE))) {
    await mkdir(join(cache, name), { recursive: true });
    const size = rooms === undefined ? {} : { rooms, floors: 1 };
    const out = `${recording}.partial`;
    await rm(out, { recursive: true, force: true });
    await recordHouse({
      family: "house",
      seed,
      minutes,
      fps: 2,
      noise: 0.5,
      rate,
      ...size,
      lidar: false,
      out,
    });
    await rename(out, recording);
  }
  const kept = join(cache, name, "steps.bin");
  if (!existsSync(kept)) {
    await writeFile(`${kept}.partial`, serialize(await overheard(name, recording)));
    await rename(`${kept}.partial`, kept);
  }
  return {
    house: deserialize(await readFile(kept)) as House,
    truth: await readTruth(join(recording, TRUTH_FILE)),
  };
}

/** Runs the whole pipeline and notes what it says to its tracker. */
async function overheard(name: string, recording: string): Promise<House> {
  const steps: Step[] = [];
  const frames: FrameEdgeInput[] = [];
  const submaps = new Set<string>();
  let background = { mean: 0, sd: 1 };
  const { open } = Tracker;
  const { observe, correct, finish, settle } = Tracker.prototype;
  Tracker.open = (reader, options) => {
    background = options.background;
    return open.call(Tracker, reader, options);
  };
  Object.assign(Tracker.prototype, {
    observe(this: Tracker, percept: Percept) {
      const { rgb: _, segments: __, captions: ___, ...rest } = percept as Percept & Record<string, unknown>;
      steps.push({ kind: "observe", percept: rest as Percept });
      submaps.add(percept.submap);
      return observe.call(this, percept);
    },
    correct(this: Tracker, placeOf: (submap: string) => Transform | undefined, timeUs: number) {
      const places = [...submaps].flatMap((submap) => {
        const place = placeOf(submap);
        return place ? [[submap, place] as const] : [];
      });
      steps.push({ kind: "correct", places: new Map(places), timeUs });
      return correct.call(this, placeOf, timeUs);
    },
    settle(this: Tracker, regionAt: Parameters<Tracker["settle"]>[0]) {
      steps.push({ kind: "settle" });
      return settle.call(this, regionAt);
    },
    finish(this: Tracker, timeUs: number) {
      steps.push({ kind: "finish", timeUs });
      return finish.call(this, timeUs);
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "loci-houses-"));
  const memory = await openMemory(join(folder, "memory"));
  const { write } = memory;
  memory.write = (batch) => {
    frames.push(...(batch.frames ?? []));
    return write.call(memory, batch);
  };
  const source = await openRecording(recording);
  try {
    await ingestInto(memory, source);
    return { name, background, frames, steps };
  } finally {
    Object.assign(Tracker, { open });
    Object.assign(Tracker.prototype, { observe, correct, finish, settle });
    await source.close();
    await memory.close();
    await rm(folder, { recursive: true, force: true });
  }
}

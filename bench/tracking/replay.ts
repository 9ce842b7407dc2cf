/**
 * Tracking alone over kept houses: what it writes (as a digest, to see that a change changes nothing), how it scores, and
 * what it costs. `node bench/tracking/replay.ts --cache DIR --seeds 131-134,401 [--digest] [--examples]`
 */
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "../../src/compose.ts";
import { scoreMemory, type TrackingScore } from "../../src/evaluation/tracking/score.ts";
import type { Truth } from "../../src/evaluation/tracking/truth.ts";
import { detectionsOf, observationOf } from "../../src/ingest/records.ts";
import type { MemoryReader } from "../../src/memory/index.ts";
import { LIMITS, type RecordInput, type SightingInput } from "../../src/schema/index.ts";
import { Tracker, type TrackerOptions, type TrackerStep } from "../../src/tracking/tracker.ts";
import type { House } from "./houses.ts";

/** A memory of nothing, which is all that a tracker reads when it begins. */
const EMPTY = { search: async () => ({ hits: [] }) } as unknown as MemoryReader;

export interface Replayed {
  readonly digest: string;
  readonly cpuMs: number;
  readonly records: ReadonlyMap<string, RecordInput>;
  readonly sightings: readonly SightingInput[];
}

/** Everything that the tracker writes of one house; of each record the last version. */
export async function replay(house: House, options: Partial<TrackerOptions> = {}): Promise<Replayed> {
  const hash = createHash("sha256");
  const records = new Map<string, RecordInput>();
  const sightings: SightingInput[] = [];
  const tracker = await Tracker.open(EMPTY, { sceneId: "default", background: house.background, ...options });
  const cpu = process.cpuUsage();
  let outputMs = 0;
  for (const step of house.steps) {
    let told: Pick<TrackerStep, "records"> & Partial<TrackerStep>;
    if (step.kind === "observe") told = await tracker.observe(step.percept);
    else if (step.kind === "correct")
      told = await tracker.correct((submap) => step.places.get(submap), step.timeUs);
    else if (step.kind === "settle") told = tracker.settle(() => undefined);
    else told = await tracker.finish(step.timeUs);
    const began = performance.now();
    hash.update(JSON.stringify([told.records, told.sightings, told.tracked]));
    for (const record of told.records) records.set(record.id, record);
    sightings.push(...(told.sightings ?? []));
    if (step.kind === "observe" && told.tracked) {
      const percept = { ...step.percept, captions: [], dropped: 0 };
      for (const one of [observationOf(percept), ...detectionsOf(percept, told.tracked.stateOf)])
        records.set(one.id, one);
    }
    outputMs += performance.now() - began;
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    digest: hash.digest("hex").slice(0, 16),
    cpuMs: (user + system) / 1e3 - outputMs,
    records,
    sightings,
  };
}

/** The figures of `eval tracking`, but for the rooms, which the map makes. */
export async function scoreOf(
  house: House,
  truth: Truth,
  { records, sightings }: Replayed,
): Promise<TrackingScore> {
  const folder = await mkdtemp(join(tmpdir(), "loci-replay-"));
  const memory = await openMemory(join(folder, "memory"), { embedder: "hashing:8" });
  try {
    // What names another must not come in a batch before it: detections, of which there are most, name states.
    const [first, last] = [false, true].map((isLast) =>
      [...records.values()].filter(({ kind }) => (kind === "detection") === isLast),
    );
    const all = [...first!, ...last!];
    await memory.write({ frames: [...house.frames] });
    for (let at = 0; at < all.length; at += LIMITS.recordsPerBatch)
      await memory.write({ records: all.slice(at, at + LIMITS.recordsPerBatch) });
    const most = LIMITS.recordsPerBatch;
    for (let at = 0; at < sightings.length; at += most)
      await memory.write({ sightings: sightings.slice(at, at + most) });
    return await scoreMemory(await memory.reader(), truth);
  } finally {
    await memory.close();
    await rm(folder, { recursive: true, force: true });
  }
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestRecording } from "./ingest.ts";
import type { Memory } from "./memory.ts";

export interface DemoHooks {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

export interface DemoSummary {
  readonly frames: number;
  readonly tracks: number;
  readonly moved: number;
}

const MINUTES = 2;
const DAY_US = 86_400_000_000;
/** Monday 5 January 2026, 09:00 UTC: a fixed date makes the demo reproducible. */
const START_US = Date.UTC(2026, 0, 5, 9) * 1000;
const SEED = 11;

/**
 * The sample memory: two robots tour a small house on two mornings, and in between things are moved, opened and taken
 * away. It uses the same path as a real recording: frames on disk, ingest, memory.
 */
export async function buildDemo(memory: Memory, hooks: DemoHooks = {}): Promise<DemoSummary> {
  const { recordHouse } = await import("../world/recorder/index.ts");
  const folder = await mkdtemp(join(tmpdir(), "loci-demo-"));
  const total = { frames: 0, tracks: 0, moved: 0 };
  try {
    for (const day of [0, 1]) {
      const out = join(folder, `day-${day + 1}`);
      const name = day === 0 ? "the first morning" : "the second morning";
      await recordHouse(
        {
          family: "house",
          seed: SEED,
          agents: 2,
          minutes: MINUTES,
          fps: 1,
          rooms: 5,
          objects: 80,
          rate: 2,
          people: 1,
          noise: { depth: 0.4, masks: 0.3, labels: 0.3, captions: 0.3, pose: 0.2 },
          lidar: false,
          startUs: START_US + day * DAY_US,
          life: { startUs: START_US, minutes: 24 * 60 + 60 },
          agentPrefix: "robot",
          out,
        },
        {
          signal: hooks.signal,
          onProgress: ({ frames, totalFrames }) =>
            hooks.onProgress?.(`${name}: two robots look around, ${frames} of ${totalFrames} frames`),
        },
      );
      const summary = await ingestRecording(
        memory,
        out,
        {},
        {
          signal: hooks.signal,
          onProgress: ({ frames, totalFrames }) =>
            hooks.onProgress?.(`${name}: remembering, ${frames} of ${totalFrames} frames`),
        },
      );
      total.frames += summary.written;
    }
    const { records } = await memory.stats();
    total.tracks = records.track;
    total.moved = await memory
      .events()
      .where({ category: ["move"] })
      .count();
    return total;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fromAxisAngle, multiply } from "../geometry/index.ts";
import { truthEyes } from "../perception/eyes/testing/truth-eyes.ts";
import { Seeing, seeThrough } from "../perception/index.ts";
import { type SyntheticBox, syntheticFrame } from "../perception/testing/synthetic-frame.ts";
import { createRecording, type Frame } from "../sensors/index.ts";
import { ingestRecording } from "./ingest.ts";
import type { Eyes } from "./ingest-eyes.ts";
import { type Memory, openMemory } from "./memory.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-eyes-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const FRAMES = 8;
const INTRINSICS = { fx: 150, fy: 150, cx: 80, cy: 60, width: 160, height: 120 };
const LONG_M = 2.8;
/** Floor, wall, and in front of it a sideboard that no single frame shows whole, with a box on it. */
const ROOM: readonly SyntheticBox[] = [
  { min: { x: -4, y: -4, z: -0.1 }, max: { x: 4, y: 4, z: 0 } },
  { min: { x: -4, y: 2, z: 0 }, max: { x: 4, y: 2.1, z: 3 } },
  {
    name: "sideboard",
    colour: [120, 80, 40],
    min: { x: -LONG_M / 2, y: 1.6, z: 0 },
    max: { x: LONG_M / 2, y: 2, z: 0.8 },
  },
  { name: "box", colour: [200, 30, 30], min: { x: 0.2, y: 1.7, z: 0.8 }, max: { x: 0.5, y: 1.9, z: 1 } },
];

/** A camera that moves along the sideboard at arm's length. */
function framesOf(): Frame[] {
  const level = { w: Math.SQRT1_2, x: -Math.SQRT1_2, y: 0, z: 0 };
  const q = multiply(level, fromAxisAngle({ x: 1, y: 0, z: 0 }, -0.4));
  return Array.from({ length: FRAMES }, (_, index) => {
    const worldFromCamera = { p: { x: -1.2 + (2.4 * index) / (FRAMES - 1), y: 0.3, z: 1.3 }, q };
    const frame = syntheticFrame({ intrinsics: INTRINSICS, submapFromCamera: worldFromCamera }, ROOM);
    const timeUs = 1_700_000_000_000_000 + 1_500_000 * index;
    return { ...frame, index, timeUs, mapFrame: "world", worldFromCamera };
  });
}

/** Our own eyes with a network that knows the truth. */
function ownEyes(frames: readonly Frame[]): Eyes {
  const seeing = new Seeing(async () => truthEyes(frames));
  return {
    look: (frame) => seeing.look(frame),
    through: (items, isWanted) =>
      seeThrough(
        items,
        seeing,
        async (item) => (item.kind === "frame" && (await isWanted(item.frame)) ? item.frame : undefined),
        (_, frame) => ({ kind: "frame", frame }),
      ),
    close: () => seeing.close(),
  };
}

function openNew(name: string): Promise<Memory> {
  return openMemory(join(folder, name), { embedder: "hashing:32", nowUs: () => 1 });
}

test("an ingest that was stopped half way and is taken up again has the same things, which reach as far", async () => {
  const frames = framesOf();
  const run = join(folder, "run");
  const writer = await createRecording(run, { format: "folder" });
  for (const { masks: _masks, detections: _detections, ...frame } of frames) await writer.writeFrame(frame);
  await writer.finish();

  const whole = await openNew("whole");
  await ingestRecording(whole, run, { eyes: ownEyes(frames) });
  const { digest } = await whole.verify({ deep: true });
  const { hits } = await (await whole.reader()).search({ kinds: ["state"], limit: 20 });
  const longest = Math.max(...hits.map(({ record }) => record.extent?.x ?? 0));
  expect(longest).toBeGreaterThan(0.9 * LONG_M);
  await whole.close();

  const halved = await openNew("halved");
  const stop = new AbortController();
  const stopped = ingestRecording(
    halved,
    run,
    { eyes: ownEyes(frames) },
    { signal: stop.signal, onProgress: ({ frames: done }) => void (done === FRAMES / 2 && stop.abort()) },
  );
  await expect(stopped).rejects.toThrow();
  const { records } = await (await halved.reader()).stats();
  expect(records.observation).toBeGreaterThan(0);
  expect(records.observation).toBeLessThan(FRAMES);
  await ingestRecording(halved, run, { eyes: ownEyes(frames) });
  expect((await halved.verify({ deep: true })).digest).toBe(digest);
  await halved.close();
});

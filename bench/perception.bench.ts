/**
 * Frames a second of perception: gate, lifting, looks, words and their vectors, and the cost of a kept view.
 *   node bench/perception.bench.ts [--recording PATH] [--frames 400]
 * Without a recording it looks at synthetic frames with 15 things each. Frames are decoded before the clock starts.
 * Times are given by the wall and by the processor; on a busy machine only the second says anything.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { boxFromCentre, type Transform } from "../src/geometry/index.ts";
import { openEmbedder, parseEmbedderSpec } from "../src/models/index.ts";
import { isRefused, Perception, ViewKeeper } from "../src/perception/index.ts";
import { levelCamera, syntheticFrame } from "../src/perception/testing/synthetic-frame.ts";
import type { Frame, Percept } from "../src/schema/core.ts";
import { openRecording } from "../src/sensors/index.ts";

const { values } = parseArgs({
  options: { recording: { type: "string" }, frames: { type: "string", default: "400" } },
});
const wanted = Number(values.frames);
const ORIGIN: Transform = { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } };

interface Look {
  readonly frame: Frame;
  readonly submapFromCamera: Transform;
}

console.log(`${cpus().length} × ${cpus()[0]?.model || process.arch}, Node ${process.version}`);
const embedder = await openEmbedder(parseEmbedderSpec("loci", {}));
if (values.recording === undefined) {
  for (const [width, height] of [
    [160, 120],
    [640, 480],
  ] as const) {
    await measure(`synthetic ${width}×${height}`, syntheticLooks(width, height));
  }
} else await measure(values.recording, await recordedLooks(values.recording));
await embedder.close();

async function measure(name: string, looks: readonly Look[]): Promise<void> {
  const perception = new Perception({ embedder, sceneId: "bench" });
  const rounds = Math.max(1, Math.ceil(wanted / looks.length));
  const perceiveAll = async () => {
    const percepts: Percept[] = [];
    for (const [n, { frame, submapFromCamera }] of looks.entries()) {
      const place = {
        submap: "bench",
        submapFromCamera,
        worldFromSubmap: ORIGIN,
        observationId: `frame-${n}`,
      };
      const percept = await perception.perceive(frame, place);
      if (!isRefused(percept)) percepts.push(percept);
    }
    return percepts;
  };
  let percepts = await perceiveAll();
  const { wallMs, cpuMs } = await time(async () => {
    for (let round = 0; round < rounds; round++) percepts = await perceiveAll();
  });
  const frames = rounds * looks.length;
  const detections = percepts.reduce((sum, one) => sum + one.detections.length, 0) / percepts.length;
  const lifted = percepts.flatMap((one) => one.detections).filter(({ solid }) => solid).length;
  console.log(
    `${name}: ${looks.length} frames, ${detections.toFixed(1)} detections a frame, ${((lifted / (detections * percepts.length)) * 100).toFixed(1)} % lifted\n` +
      `  perceive: ${((1000 * frames) / cpuMs).toFixed(0)} frames/s of processor, ${((1000 * frames) / wallMs).toFixed(0)} by the wall, ${(cpuMs / frames).toFixed(2)} ms a frame`,
  );
  await measureViews(percepts);
}

async function measureViews(percepts: readonly Percept[]): Promise<void> {
  if (percepts.length === 0) return;
  // Loads the image library.
  await new ViewKeeper().keep(percepts[0]!, { stateOf: [], changed: [] });
  const keeper = new ViewKeeper();
  let [kept, bytes] = [0, 0];
  const { wallMs, cpuMs } = await time(async () => {
    for (const percept of percepts) {
      const stateOf = percept.detections.map(({ phrase }, n) => `state-${phrase.length}-${n}`);
      const view = await keeper.keep(percept, { stateOf, changed: [] });
      if (!view) continue;
      kept++;
      bytes += view.blobs.reduce((sum, blob) => sum + blob.length, 0);
    }
  });
  console.log(
    `  views: ${kept} kept of ${percepts.length}, ${(cpuMs / Math.max(1, kept)).toFixed(1)} ms of processor each (${(wallMs / Math.max(1, kept)).toFixed(1)} by the wall), ${(bytes / 1024 / Math.max(1, kept)).toFixed(1)} kB each`,
  );
}

/** Fifteen things before a wall, seen while the camera goes by. */
function syntheticLooks(width: number, height: number): Look[] {
  const things = Array.from({ length: 15 }, (_, n) => ({
    ...boxFromCentre(
      { x: (n % 5) * 0.8 - 1.6, y: 2.4 + (n % 3) * 0.4, z: 0.5 + Math.floor(n / 5) * 0.6 },
      { x: 0.45, y: 0.3, z: 0.4 },
    ),
    name: ["mug", "vase", "book", "lamp", "box"][n % 5]!,
    colour: [40 + 13 * n, 200 - 11 * n, (n * 67) % 255] as const,
  }));
  const wall = boxFromCentre({ x: 0, y: 4, z: 1.5 }, { x: 20, y: 0.1, z: 3 });
  const floor = boxFromCentre({ x: 0, y: 0, z: -0.05 }, { x: 20, y: 20, z: 0.1 });
  return Array.from({ length: 16 }, (_, n) => {
    const view = levelCamera({ x: 0.1 * n - 0.8, y: 0, z: 1.2 }, { width, height, focalPx: 0.6 * width });
    const frame = syntheticFrame(view, [wall, floor, ...things]);
    return { frame: { ...frame, index: n, timeUs: n * 1_000_000 }, submapFromCamera: view.submapFromCamera };
  });
}

async function recordedLooks(path: string): Promise<Look[]> {
  const reader = await openRecording(path);
  const looks: Look[] = [];
  for await (const item of reader.items()) {
    if (item.kind !== "frame" || looks.length >= wanted) continue;
    const { worldFromCamera } = item.frame;
    if (worldFromCamera) looks.push({ frame: item.frame, submapFromCamera: worldFromCamera });
  }
  await reader.close();
  return looks;
}

async function time(work: () => Promise<unknown>): Promise<{ wallMs: number; cpuMs: number }> {
  const start = performance.now();
  const used = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(used);
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 };
}

/**
 * Frames a second of the simulator's camera, and of its pixel-free visibility mode beside it.
 *   node bench/render.bench.ts [--seeds 3] [--workers 2]
 * Times are given by the wall and by the processor (all threads); on a busy machine only the second says anything,
 * and frames a second on two cores are then 2,000 / processor milliseconds a frame.
 * Agreement is judged for every instance of at least 60 rendered pixels: its visible fraction is its pixels in
 * the picture over those that rays find when it is alone.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import type { Transform } from "../src/geometry/index.ts";
import { Random, toMatrix } from "../src/geometry/index.ts";
import { makeTimeline } from "../src/world/dynamics/index.ts";
import { generateHouse } from "../src/world/house/index.ts";
import { Navigation } from "../src/world/navigation/index.ts";
import {
  type CompiledScene,
  compileScene,
  DEFAULT_CAMERA,
  intrinsicsOf,
  Renderer,
  RenderPool,
  Visibility,
  worldFromCameraOf,
} from "../src/world/sensors/index.ts";
import { RayCaster } from "../src/world/sensors/ray-caster.ts";
import type { Solid } from "../src/world/solid.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "3" },
    workers: { type: "string", default: "2" },
    poses: { type: "string", default: "40" },
  },
});
const SIZES = [
  { width: 160, height: 120 },
  { width: 640, height: 480 },
];

const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => i + 1);
const worlds = seeds.map((seed) => {
  const house = generateHouse(seed, { objects: 300 });
  const timeline = makeTimeline(house, { seed, startUs: 0, durationUs: 1e6, rate: 0, people: 0 });
  const solids = timeline.solidsAt(0);
  const scene = compileScene(solids, timeline.lightsAt(0));
  const navigation = new Navigation(timeline);
  const random = new Random(`bench-${seed}`);
  const poses: Transform[] = [];
  while (poses.length < Number(values.poses)) {
    const room = random.pick(house.rooms);
    const [a, c] = [room.polygon.points[0]!, room.polygon.points[2]!];
    const stand = navigation.standNear(
      { x: random.range(a.x, c.x), y: random.range(a.y, c.y), z: room.floorZM },
      0,
    );
    if (stand) poses.push(worldFromCameraOf(DEFAULT_CAMERA, stand, random.range(-Math.PI, Math.PI)));
  }
  return { seed, solids, scene, poses, things: house.things.length };
});

console.log(
  `${cpus().length} × ${cpus()[0]?.model || process.arch}, Node ${process.version}, ${values.workers} workers`,
);
for (const { seed, scene, things } of worlds) {
  console.log(`house ${seed}: ${things} things, ${scene.count} solids, ${scene.lights.length / 7} lights`);
}
const pool = new RenderPool({ workers: Number(values.workers) });
for (const size of SIZES) {
  const intrinsics = intrinsicsOf({ ...DEFAULT_CAMERA, ...size });
  const wide = size.width > 200;
  const jobs = worlds.flatMap(({ scene, poses }) =>
    poses.slice(0, wide ? 6 : poses.length).map((pose) => ({ scene, pose })),
  );
  await Promise.all(
    worlds.flatMap(({ scene, poses }) => [0, 1, 2, 3].map((i) => pool.render(scene, intrinsics, poses[i]!))),
  );
  const pooled = await time(() =>
    Promise.all(jobs.map(({ scene, pose }) => pool.render(scene, intrinsics, pose))),
  );
  const renderers = new Map(worlds.map(({ scene }) => [scene, new Renderer(scene)]));
  const lookers = new Map(worlds.map(({ scene }) => [scene, new Visibility(scene)]));
  const look = () => jobs.map(({ scene, pose }) => lookers.get(scene)!.look(intrinsics, pose));
  const render = () =>
    jobs.map(({ scene, pose }) => renderers.get(scene)!.render(intrinsics, pose).depthMm[0]);
  for (let n = 0; n < 3; n++) look();
  if (!wide) render();
  const looks = await time(() => {
    for (let n = 0; n < 5; n++) look();
  });
  const renders = await time(render);
  const per = (ms: number, count: number) => (ms / count).toFixed(2);
  const ratio = renders.cpuMs / (looks.cpuMs / 5);
  console.log(
    `${size.width}×${size.height}, ${jobs.length} frames\n` +
      `  pool: ${((jobs.length / pooled.wallMs) * 1000).toFixed(1)} frames/s by the wall, ${per(pooled.cpuMs, jobs.length)} ms of processor a frame\n` +
      `  one thread: render ${per(renders.cpuMs, jobs.length)} ms, visibility ${per(looks.cpuMs, jobs.length * 5)} ms of processor, ratio ${ratio.toFixed(1)}`,
  );
}
await pool.close();

for (const size of SIZES) {
  const errors: number[] = [];
  for (const world of worlds) {
    for (const pose of world.poses.slice(0, size.width > 200 ? 2 : 12))
      errors.push(...disagreements(world, size, pose));
  }
  errors.sort((a, b) => a - b);
  const within = errors.filter((error) => error <= 0.02).length / errors.length;
  console.log(
    `${size.width}×${size.height}: ${errors.length} instances ≥ 60 px, visible fraction within .02 for ${(within * 100).toFixed(2)} %, worst ${errors.at(-1)?.toFixed(4)}`,
  );
}

function disagreements(
  { solids, scene }: { solids: readonly Solid[]; scene: CompiledScene },
  size: { width: number; height: number },
  pose: Transform,
): number[] {
  const intrinsics = intrinsicsOf({ ...DEFAULT_CAMERA, ...size });
  const seen = new Map(new Visibility(scene).look(intrinsics, pose).map((one) => [one.thing, one.fraction]));
  const rendered = new Map<number, number>();
  for (const thing of new Renderer(scene).render(intrinsics, pose).instances) {
    rendered.set(thing, (rendered.get(thing) ?? 0) + 1);
  }
  return [...rendered].flatMap(([thing, pixels]) => {
    if (thing === 0 || pixels < 60) return [];
    const alone = compileScene(
      solids.filter((solid) => solid.thing === thing),
      [],
    );
    const area = counts(alone, size, pose).get(thing) ?? 0;
    return [Math.abs((seen.get(thing) ?? 0) - pixels / area)];
  });
}

function counts(
  scene: CompiledScene,
  size: { width: number; height: number },
  { p, q }: Transform,
): Map<number, number> {
  const { fx, fy, cx, cy, width, height } = intrinsicsOf({ ...DEFAULT_CAMERA, ...size });
  const m = toMatrix(q);
  const caster = new RayCaster(scene);
  const found = new Map<number, number>();
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const x = (i + 0.5 - cx) / fx;
      const y = (j + 0.5 - cy) / fy;
      const hit = caster.closest(
        p.x,
        p.y,
        p.z,
        m[0] * x + m[1] * y + m[2],
        m[3] * x + m[4] * y + m[5],
        m[6] * x + m[7] * y + m[8],
        60,
      );
      const thing = hit ? scene.things[caster.solid]! : 0;
      found.set(thing, (found.get(thing) ?? 0) + 1);
    }
  }
  return found;
}

async function time(work: () => unknown): Promise<{ wallMs: number; cpuMs: number }> {
  const start = performance.now();
  const used = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(used);
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 };
}

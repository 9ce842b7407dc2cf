/**
 * How far camera poses of a simulated recording are off, as the robot believed them at the time and as they are laid on
 * the surfaces seen before, and what that costs: `node bench/registration.bench.ts DIR...`, each made by `loci simulate`.
 */
import { join } from "node:path";
import { readTruth } from "../src/evaluation/tracking/truth.ts";
import { compose, FrameGraph, invert, type Transform, transformDelta } from "../src/geometry/index.ts";
import { MapFrames } from "../src/ingest/map-frames.ts";
import { PoseCorrector } from "../src/localisation/index.ts";
import { openRecording } from "../src/sensors/open.ts";
import { TRUTH_FILE } from "../src/world/recorder/index.ts";

for (const folder of process.argv.slice(2)) {
  const truth = await readTruth(join(folder, TRUTH_FILE));
  const frames = new MapFrames(new FrameGraph([]));
  const corrector = new PoseCorrector();
  const believed: Transform[] = [];
  const registered: Transform[] = [];
  let cpuUs = 0;
  for await (const item of (await openRecording(folder)).items()) {
    if (item.kind === "edge") {
      if (!frames.add([item.edge.edge])) continue;
      corrector.correct((submap) => frames.rootFrom(submap));
    }
    if (item.kind !== "frame") continue;
    const { agentId, timeUs, depth, intrinsics, submap } = item.frame;
    const trueFrame = truth.frameAt(agentId, timeUs);
    const worldFromSubmap = submap && frames.rootFrom(submap.frame);
    if (!trueFrame || !submap || !worldFromSubmap) continue;
    const { frame, submapFromUpright } = frames.uprightOf(submap.frame, worldFromSubmap);
    const pose = {
      submapFromCamera: compose(invert(submapFromUpright), submap.submapFromCamera),
      worldFromSubmap: compose(worldFromSubmap, submapFromUpright),
    };
    const started = process.cpuUsage();
    const isMovable = frame !== submap.frame;
    const placed = corrector.place({
      ...pose,
      agentId,
      timeUs,
      submap: frame,
      isMovable,
      depth,
      intrinsics,
    });
    const { user, system } = process.cpuUsage(started);
    cpuUs += user + system;
    const off = (worldFromCamera: Transform) => compose(invert(trueFrame.worldFromCamera), worldFromCamera);
    believed.push(off(compose(pose.worldFromSubmap, pose.submapFromCamera)));
    registered.push(off(compose(placed.worldFromSubmap, placed.submapFromCamera)));
  }
  const perFrame = (cpuUs / 1e3 / Math.max(1, believed.length)).toFixed(2);
  console.log(
    `${folder}: ${believed.length} frames, ${perFrame} ms a frame; off by ${spread(believed)} as believed, ${spread(registered)} registered`,
  );
}

function spread(errors: readonly Transform[]): string {
  const none = { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } };
  const deltas = errors.map((error) => transformDelta(none, error));
  const cm = quantiles(deltas.map(({ translationM }) => 100 * translationM));
  const degrees = quantiles(deltas.map(({ rotationRad }) => (180 / Math.PI) * rotationRad));
  return `${cm} cm and ${degrees}° (median, 90 %)`;
}

function quantiles(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return [0.5, 0.9].map((share) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1)).join(" / ");
}

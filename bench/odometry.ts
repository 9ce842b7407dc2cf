/**
 * RGB-D odometry against the poses that a recording has: how far the end is off as a share of the way, how far ten
 * metres of way are off on average (as KITTI counts drift), and which steps went wrong. True poses are those of
 * truth.json where a simulation left one; else the recorded ones are taken for true.
 *
 * node bench/odometry.ts RECORDING... [--frames N] [--every K] [--steps]
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compose, distance, invert, type Transform, transformDelta } from "../src/geometry/index.ts";
import { IcpOdometry } from "../src/localisation/index.ts";
import { framesOf, openRecording } from "../src/sensors/index.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    frames: { type: "string", default: "100000" },
    every: { type: "string", default: "1" },
    steps: { type: "boolean", default: false },
  },
});
/** A step off by more than this is a slip, worth a line. */
const SLIP_M = 0.03;
const SLIP_RAD = 0.02;
const SEGMENT_M = 10;

interface Pair {
  readonly truth: Transform;
  readonly said: Transform;
  readonly index: number;
  readonly isTracked: boolean;
}

for (const path of positionals) {
  const recording = await openRecording(path);
  const truth = truthOf(path);
  const odometry = new IcpOdometry();
  const pairs: Pair[] = [];
  const cpu = process.cpuUsage();
  for await (const frame of framesOf(recording)) {
    if (frame.index >= Number(values.frames)) break;
    if (frame.index % Number(values.every) !== 0 || !frame.worldFromCamera) continue;
    const said = await odometry.track(frame);
    if (said)
      pairs.push({
        truth: truth?.get(frame.index) ?? frame.worldFromCamera,
        said: said.originFromCamera,
        index: frame.index,
        isTracked: said.isTracked,
      });
  }
  const { user, system } = process.cpuUsage(cpu);
  await recording.close();
  console.log(
    JSON.stringify({
      recording: path,
      ...measure(pairs),
      cpuMsAFrame: Math.round((user + system) / 1e3 / pairs.length),
    }),
  );
}

/** The true poses of a simulated recording, by frame. */
function truthOf(path: string): Map<number, Transform> | undefined {
  const file = join(path, "truth.json");
  if (!existsSync(file)) return undefined;
  const { frames } = JSON.parse(readFileSync(file, "utf8")) as {
    frames: { index: number; worldFromCamera: Transform }[];
  };
  return new Map(frames.map(({ index, worldFromCamera }) => [index, worldFromCamera]));
}

function measure(pairs: readonly Pair[]) {
  const [first] = pairs;
  if (!first) return { frames: 0 };
  const inWorld = pairs.map(({ said }) => compose(first.truth, compose(invert(first.said), said)));
  const way = [0];
  let turned = 0;
  let slips = 0;
  for (let i = 1; i < pairs.length; i++) {
    const real = compose(invert(pairs[i - 1]!.truth), pairs[i]!.truth);
    const said = compose(invert(pairs[i - 1]!.said), pairs[i]!.said);
    way.push(way[i - 1]! + distance(pairs[i - 1]!.truth.p, pairs[i]!.truth.p));
    const motion = transformDelta({ p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } }, real);
    turned += motion.rotationRad;
    const off = transformDelta(real, said);
    if (off.translationM < SLIP_M && off.rotationRad < SLIP_RAD) continue;
    slips++;
    if (values.steps)
      console.error(
        `frame ${pairs[i]!.index}: went ${motion.translationM.toFixed(3)} m ${motion.rotationRad.toFixed(3)} rad, off ${off.translationM.toFixed(3)} m ${off.rotationRad.toFixed(3)} rad${pairs[i]!.isTracked ? "" : ", lost"}`,
      );
  }
  const end = transformDelta(pairs.at(-1)!.truth, inWorld.at(-1)!);
  const parts: number[] = [];
  for (let i = 0; i < pairs.length; i += 5) {
    const j = way.findIndex((m) => m >= way[i]! + SEGMENT_M);
    if (j < 0) break;
    const real = compose(invert(pairs[i]!.truth), pairs[j]!.truth);
    const said = compose(invert(pairs[i]!.said), pairs[j]!.said);
    parts.push(transformDelta(real, said).translationM / (way[j]! - way[i]!));
  }
  const percent = (share: number) => Math.round(share * 1e4) / 100;
  return {
    frames: pairs.length,
    wayM: Math.round(way.at(-1)! * 10) / 10,
    turnedRad: Math.round(turned * 10) / 10,
    endOffM: Math.round(end.translationM * 1e3) / 1e3,
    endOffRad: Math.round(end.rotationRad * 1e3) / 1e3,
    driftPercent: percent(end.translationM / way.at(-1)!),
    tenMetresPercent: parts.length > 0 ? percent(parts.reduce((a, b) => a + b, 0) / parts.length) : null,
    meanOffM:
      Math.round(
        (pairs.reduce((sum, { truth }, i) => sum + distance(truth.p, inWorld[i]!.p), 0) / pairs.length) * 1e3,
      ) / 1e3,
    lost: pairs.filter(({ isTracked }) => !isTracked).length,
    slips,
  };
}

/**
 * Looks a second of our own eyes at 640×480 in, thread and copying included, with each runtime that is installed.
 *   node bench/eyes.bench.ts [--looks 20]      (LOCI_PACKAGES=FOLDER for an onnxruntime-node that lies elsewhere)
 * Times are given by the wall and by the processor; on a busy machine only the second says anything.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type EyesInput, openEyes } from "../src/models/eyes/index.ts";
import { findPackage } from "../src/models/index.ts";

const { values } = parseArgs({ options: { looks: { type: "string", default: "20" } } });
const looks = Number(values.looks);
const [width, height] = [640, 480];
const packagesFrom = process.env["LOCI_PACKAGES"];

/** A wall that comes nearer from left to right, with a pattern; what is seen does not change the time. */
const input: EyesInput = {
  width,
  height,
  rgb: Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 7) % 251),
  depth: Float32Array.from({ length: width * height }, (_, i) => 1 + (i % width) / 500),
  camera: { fx: 525, fy: 525, cx: 320, cy: 240 },
  up: [0, -0.9, -0.4],
  height0: 1.3,
};

console.log(`${cpus().length} × ${cpus()[0]?.model || process.arch}, Node ${process.version}`);
for (const runtime of ["wasm", "native"] as const) {
  if (runtime === "native" && findPackage("onnxruntime-node", packagesFrom) === null) {
    console.log("native: onnxruntime-node is not installed");
    continue;
  }
  const eyes = await openEyes({ runtime, packagesFrom });
  // Kernels are compiled in two stages; the first looks are slower.
  for (let i = 0; i < 3; i++) await eyes.look(input);
  const [wall, processor] = [performance.now(), process.cpuUsage()];
  for (let i = 0; i < looks; i++) await eyes.look(input);
  const wallMs = (performance.now() - wall) / looks;
  const { user, system } = process.cpuUsage(processor);
  const processorMs = (user + system) / 1_000 / looks;
  const rate = (ms: number) => (1_000 / ms).toFixed(1);
  console.log(
    `${runtime}: ${wallMs.toFixed(0)} ms by the wall (${rate(wallMs)} looks/s), ${processorMs.toFixed(0)} ms of one processor (${rate(processorMs)} looks/s)`,
  );
  await eyes.close();
}

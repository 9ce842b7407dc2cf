/**
 * Damages small recordings at random and reads them: an error of ours or a skip each time, never a crash, a hang or
 * a flood of memory. Run with: node bench/fuzz-sensors.ts [mutations] [seed]
 */
import { fuzzSensors } from "../src/sensors/testing/fuzz.ts";

const mutations = Number(process.argv[2] ?? 10_000);
const seed = process.argv[3] ?? "1";
const result = await fuzzSensors(mutations, seed, (done) => process.stderr.write(`\r${done}/${mutations}`));
process.stderr.write("\n");
console.log(
  JSON.stringify({ seed, ...result, peakRssMiB: Math.round(process.resourceUsage().maxRSS / 1024) }, null, 1),
);
if (result.foreign.length > 0) process.exitCode = 1;

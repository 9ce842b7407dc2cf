/**
 * `node bench/tracking/run.ts --cache DIR --seeds 131-134,401 [--digest] [--examples]`: tracking alone over kept houses.
 */
import { parseArgs } from "node:util";
import type { TrackingScore } from "../../src/evaluation/tracking/score.ts";
import { formatSummary, summarise } from "../../src/evaluation/tracking/summary.ts";
import { housesNamed, openHouse } from "./houses.ts";
import { replay, scoreOf } from "./replay.ts";

const { values } = parseArgs({
  options: {
    cache: { type: "string" },
    seeds: { type: "string", default: "131-134" },
    digest: { type: "boolean", default: false },
    examples: { type: "boolean", default: false },
  },
});
if (values.cache === undefined) throw new Error("usage: node bench/tracking/run.ts --cache DIR --seeds LIST");
const scores: TrackingScore[] = [];
for (const options of housesNamed(values.seeds)) {
  const { house, truth } = await openHouse(values.cache, options);
  const replayed = await replay(house);
  const frames = house.steps.filter(({ kind }) => kind === "observe").length;
  console.log(
    `${house.name}: ${replayed.digest}, ${frames} frames, ${(replayed.cpuMs / frames).toFixed(2)} ms a frame`,
  );
  if (values.digest) continue;
  const score = await scoreOf(house, truth, replayed);
  scores.push(score);
  if (!values.examples) continue;
  for (const figure of ["tracks", "identity", "twins", "moves", "absences"] as const)
    for (const one of score[figure].examples) console.log(`  ${figure}: ${one}`);
}
if (scores.length > 0) console.log(formatSummary(summarise(scores)));

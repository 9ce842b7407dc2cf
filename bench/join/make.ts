/** `node bench/join/make.ts --cache DIR --seeds 42001-42020 --agents 2`: makes the houses that `run.ts` measures; goes on where it stopped. */
import { parseArgs } from "node:util";
import { openHouse, seedsNamed } from "./houses.ts";

const { values } = parseArgs({
  options: {
    cache: { type: "string" },
    seeds: { type: "string" },
    agents: { type: "string", default: "2" },
    minutes: { type: "string", default: "4" },
    fps: { type: "string", default: "1" },
    noise: { type: "string", default: "0.5" },
  },
});
const settings = {
  cache: values.cache!,
  agents: Number(values.agents),
  minutes: Number(values.minutes),
  fps: Number(values.fps),
  noise: Number(values.noise),
};
for (const seed of seedsNamed(values.seeds!)) {
  const startedMs = performance.now();
  const house = await openHouse(seed, settings);
  console.log(
    seed,
    house!.robots.map(({ root, sketch }) => `${root} ${sketch.things.length} things`).join(", "),
    `${Math.round((performance.now() - startedMs) / 1000)} s`,
  );
}

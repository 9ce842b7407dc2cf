/** `node bench/join/make.ts --cache DIR --seeds 42001-42020 --agents 2`: makes the houses that `run.ts` measures; goes on where it stopped. */
import { parseArgs } from "node:util";
import { HOUSE_OPTIONS, openHouse, seedsNamed, settingsOf } from "./houses.ts";

const { values } = parseArgs({
  options: {
    ...HOUSE_OPTIONS,
  },
});
const settings = settingsOf(values);
for (const seed of seedsNamed(values.seeds!)) {
  const startedMs = performance.now();
  const house = await openHouse(seed, settings);
  console.log(
    seed,
    house!.robots.map(({ root, sketch }) => `${root} ${sketch.things.length} things`).join(", "),
    `${Math.round((performance.now() - startedMs) / 1000)} s`,
  );
}

/**
 * `node bench/join/tracking.ts --cache DIR --seeds 42001-42024 [--agents 2]`: what is believed of a house by several robots with
 * maps of their own, joined, against the first of them alone, in the same recordings. What is done is kept beside each house.
 */
import { existsSync } from "node:fs";
import { cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ingestInto, joinScene, openMemory } from "../../src/compose.ts";
import { scoreWorld } from "../../src/evaluation/tracking/pipeline.ts";
import type { TrackingScore } from "../../src/evaluation/tracking/score.ts";
import { formatSummary, summarise } from "../../src/evaluation/tracking/summary.ts";
import { openRecording } from "../../src/sensors/index.ts";
import { TRUTH_FILE } from "../../src/world/recorder/index.ts";
import { HOUSE_OPTIONS, openHouse, seedsNamed, settingsOf } from "./houses.ts";

const { values } = parseArgs({
  options: {
    ...HOUSE_OPTIONS,
    /** Joins anew, after a change of joining. */
    again: { type: "boolean", default: false },
  },
});
const settings = settingsOf(values);
const [alone, together]: [TrackingScore[], TrackingScore[]] = [[], []];
for (const seed of seedsNamed(values.seeds!)) {
  const house = await openHouse(seed, settings, false);
  if (!house) continue;
  const { folder } = house;
  alone.push(await kept(join(folder, "alone.json"), () => scoreAlone(folder)));
  const path = join(folder, "together.json");
  if (values.again) await rm(path, { force: true });
  together.push(await kept(path, () => scoreTogether(folder)));
  const line = ({ tracks }: TrackingScore) =>
    `${tracks.precision.hits}/${tracks.precision.total} tracks right, ${tracks.recall.hits}/${tracks.recall.total} found`;
  console.log(`${seed} alone: ${line(alone.at(-1)!)}; together: ${line(together.at(-1)!)}`);
}
console.log(`\none robot\n${formatSummary(summarise(alone))}`);
console.log(`\n${settings.agents} robots with maps of their own\n${formatSummary(summarise(together))}`);

async function kept(path: string, make: () => Promise<TrackingScore>): Promise<TrackingScore> {
  if (!existsSync(path)) {
    await writeFile(`${path}.partial`, JSON.stringify(await make()));
    await rename(`${path}.partial`, path);
  }
  return JSON.parse(await readFile(path, "utf8")) as TrackingScore;
}

async function scoreAlone(folder: string): Promise<TrackingScore> {
  const place = join(folder, "alone");
  await rm(place, { recursive: true, force: true });
  const recording = await openRecording(join(folder, "recording"));
  const memory = await openMemory(place);
  try {
    await ingestInto(memory, recording, { only: ({ agentId }) => agentId === "robot-1" });
    return await scoreWorld(await memory.reader(), join(folder, "recording", TRUTH_FILE));
  } finally {
    await recording.close();
    await memory.close();
    await rm(place, { recursive: true, force: true });
  }
}

async function scoreTogether(folder: string): Promise<TrackingScore> {
  const place = join(folder, "together");
  await rm(place, { recursive: true, force: true });
  await cp(join(folder, "memory"), place, { recursive: true });
  const memory = await openMemory(place);
  try {
    await joinScene(memory);
    return await scoreWorld(await memory.reader(), join(folder, "recording", TRUTH_FILE));
  } finally {
    await memory.close();
    await rm(place, { recursive: true, force: true });
  }
}

/**
 * `node bench/join/lost.ts --cache DIR --seeds 42001-42010 [--minutes 4]`: the first robot of each house, taken in as it was and with frames whose
 * localisation was lost, and without those frames: what is believed must be the same as without them.
 */
import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ingestInto, openMemory } from "../../src/compose.ts";
import { scoreWorld } from "../../src/evaluation/tracking/pipeline.ts";
import type { TrackingScore } from "../../src/evaluation/tracking/score.ts";
import { formatSummary, summarise } from "../../src/evaluation/tracking/summary.ts";
import { openRecording, type RecordingReader } from "../../src/sensors/index.ts";
import { TRUTH_FILE } from "../../src/world/recorder/index.ts";
import { HOUSE_OPTIONS, openHouse, seedsNamed, settingsOf } from "./houses.ts";
import { withJumps } from "./jumps.ts";

const { values } = parseArgs({
  options: {
    ...HOUSE_OPTIONS,
    again: { type: "boolean", default: false },
  },
});
const settings = settingsOf(values);

interface Result {
  readonly score: TrackingScore;
  readonly jumped: number;
  readonly doubted: number;
}

const [plain, lost, cut]: [TrackingScore[], TrackingScore[], TrackingScore[]] = [[], [], []];
for (const seed of seedsNamed(values.seeds!)) {
  const house = await openHouse(seed, settings, false);
  if (!house) continue;
  const one = await kept(join(house.folder, "plain.json"), () =>
    scored(house.folder, (same) => ({ recording: same, jumped: () => 0 })),
  );
  const jumping = (isCut: boolean) =>
    scored(house.folder, (recording) => {
      let jumped = 0;
      return { recording: withJumps(recording, seed, () => jumped++, isCut), jumped: () => jumped };
    });
  const other = await kept(join(house.folder, "lost.json"), () => jumping(false));
  const without = await kept(join(house.folder, "cut.json"), () => jumping(true));
  plain.push(one.score);
  lost.push(other.score);
  cut.push(without.score);
  const line = ({ score: { tracks }, doubted }: Result) =>
    `${tracks.precision.hits}/${tracks.precision.total} right, ${tracks.recall.hits}/${tracks.recall.total} found, ${doubted} doubted`;
  console.log(
    `${seed} as it was: ${line(one)}; ${other.jumped} frames jumped: ${line(other)}; without them: ${line(without)}`,
  );
}
console.log(`\nas it was\n${formatSummary(summarise(plain))}`);
console.log(`\nwithout the lost frames\n${formatSummary(summarise(cut))}`);
console.log(`\nwith lost frames\n${formatSummary(summarise(lost))}`);

async function kept(path: string, make: () => Promise<Result>): Promise<Result> {
  if (values.again || !existsSync(path)) {
    await writeFile(`${path}.partial`, JSON.stringify(await make()));
    await rename(`${path}.partial`, path);
  }
  return JSON.parse(await readFile(path, "utf8")) as Result;
}

async function scored(
  folder: string,
  change: (recording: RecordingReader) => { recording: RecordingReader; jumped: () => number },
): Promise<Result> {
  const place = join(folder, "lost");
  await rm(place, { recursive: true, force: true });
  const source = await openRecording(join(folder, "recording"));
  const memory = await openMemory(place);
  try {
    const { recording, jumped } = change(onlyFirst(source));
    const { skipped } = await ingestInto(memory, recording);
    const score = await scoreWorld(await memory.reader(), join(folder, "recording", TRUTH_FILE));
    return { score, jumped: jumped(), doubted: skipped["doubtful-pose"] ?? 0 };
  } finally {
    await source.close();
    await memory.close();
    await rm(place, { recursive: true, force: true });
  }
}

function onlyFirst(recording: RecordingReader): RecordingReader {
  return {
    ...recording,
    close: () => recording.close(),
    async *items(options = {}) {
      for await (const item of recording.items(options))
        if (item.kind !== "frame" || item.frame.agentId === "robot-1") yield item;
    },
  };
}

/**
 * `node bench/join/liar.ts --cache DIR --seeds 42001-42005`: two robots in one map, the second of which calls half of what it sees by
 * another name. How many answers differ from those of the first robot alone.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { askMemory, ingestInto, openMemory } from "../../src/compose.ts";
import { Random } from "../../src/geometry/index.ts";
import { openRecording, type RecordingItem, type RecordingReader } from "../../src/sensors/index.ts";
import { allNoise } from "../../src/world/noise/index.ts";
import { QUESTIONS_FILE, recordHouse } from "../../src/world/recorder/index.ts";
import { seedsNamed } from "./houses.ts";

const { values } = parseArgs({
  options: {
    cache: { type: "string" },
    seeds: { type: "string" },
    false: { type: "string", default: "0.5" },
  },
});
const LIAR = "robot-2";
let [asked, changed, honestChanged] = [0, 0, 0];
for (const seed of seedsNamed(values.seeds!)) {
  const folder = join(values.cache!, `${seed}-liar`);
  const recording = join(folder, "recording");
  if (!existsSync(join(recording, QUESTIONS_FILE))) {
    await mkdir(folder, { recursive: true });
    await rm(recording, { recursive: true, force: true });
    await recordHouse({
      family: "house",
      seed,
      agents: 2,
      minutes: 4,
      fps: 1,
      noise: { ...allNoise(0.5), frameOffset: 0, unreliable: 0 },
      size: { width: 80, height: 60 },
      lidar: false,
      questions: "openeqa",
      questionCount: 40,
      wording: "dev",
      out: recording,
    });
  }
  const questions = (await readFile(join(recording, QUESTIONS_FILE), "utf8"))
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { question: string }).question);
  const alone = await answers(folder, recording, questions, (source) => only(source, "robot-1"));
  const honest = await answers(folder, recording, questions, (source) => source);
  const lied = await answers(folder, recording, questions, (source) =>
    lying(source, seed, Number(values.false)),
  );
  const differ = lied.filter((text, n) => text !== alone[n]).length;
  const differHonest = honest.filter((text, n) => text !== alone[n]).length;
  asked += questions.length;
  changed += differ;
  honestChanged += differHonest;
  console.log(
    `${seed}: of ${questions.length} answers ${differ} differ with the liar, ${differHonest} with an honest second robot`,
  );
  if (process.argv.includes("--verbose"))
    for (const [n, text] of lied.entries())
      if (text !== alone[n]) console.log(`   ${questions[n]}: ${alone[n]} → ${text}`);
}
console.log(
  `${asked} answers: ${changed} differ (${((100 * changed) / asked).toFixed(1)} %) with a robot of which half the labels are false, ${honestChanged} (${((100 * honestChanged) / asked).toFixed(1)} %) with an honest one`,
);

async function answers(
  folder: string,
  recording: string,
  questions: readonly string[],
  change: (source: RecordingReader) => RecordingReader,
): Promise<string[]> {
  const place = join(folder, "memory");
  await rm(place, { recursive: true, force: true });
  const source = await openRecording(recording);
  const memory = await openMemory(place);
  try {
    await ingestInto(memory, change(source));
    const texts: string[] = [];
    for (const question of questions)
      texts.push((await askMemory(memory, question, { navigate: false, agentId: "robot-1" })).text);
    return texts;
  } finally {
    await source.close();
    await memory.close();
    await rm(place, { recursive: true, force: true });
  }
}

function only(recording: RecordingReader, agentId: string): RecordingReader {
  return items(recording, (item) => (item.kind === "frame" && item.frame.agentId !== agentId ? [] : [item]));
}

/** So many of the second robot's detections are called what another thing of the house is called. */
function lying(recording: RecordingReader, seed: number, share: number): RecordingReader {
  const random = new Random(`liar/${seed}`);
  const names = new Set<string>();
  return items(recording, (item) => {
    if (item.kind !== "frame") return [item];
    const { frame } = item;
    for (const { label } of frame.detections ?? []) if (label !== undefined) names.add(label);
    if (frame.agentId !== LIAR) return [item];
    const detections = frame.detections?.map((detection) => {
      if (!random.chance(share)) return detection;
      const label = random.pick([...names].sort());
      return { ...detection, label, text: label };
    });
    // What is said of a whole picture is said by the same eyes.
    const { captions: _, ...rest } = frame;
    return [{ kind: "frame", frame: { ...rest, ...(detections && { detections }) } }];
  });
}

function items(
  recording: RecordingReader,
  change: (item: RecordingItem) => RecordingItem[],
): RecordingReader {
  return {
    ...recording,
    close: () => recording.close(),
    async *items(options = {}) {
      for await (const item of recording.items(options)) yield* change(item);
    },
  };
}

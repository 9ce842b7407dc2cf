/**
 * `node bench/join/liar.ts --cache DIR --seeds 43001-43010 [--share 0.5] [--apart] [--questions 40]`: what is believed of a house by
 * one robot, with a sound second one, and with a second one of whose labels a share is false: in one map, or (`--apart`) each in
 * a map of its own. With `--questions` openeqa's are asked of all three, and those told that the false labels change. What was
 * taken in is kept as it was before the join, so that a change of joining is measured in seconds; `--again` takes it in anew.
 */
import { existsSync } from "node:fs";
import { cp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ingestInto, joinScene, openMemory } from "../../src/compose.ts";
import { evaluateSuite, type SuiteScene } from "../../src/evaluation/runner/index.ts";
import { type Row, rowSchema } from "../../src/evaluation/runner/row.ts";
import { systemStrategy } from "../../src/evaluation/runner/system-strategy.ts";
import { scoreWorld } from "../../src/evaluation/tracking/pipeline.ts";
import type { TrackingScore } from "../../src/evaluation/tracking/score.ts";
import { formatSummary, summarise } from "../../src/evaluation/tracking/summary.ts";
import type { QuestionRecord } from "../../src/schema/index.ts";
import { openRecording } from "../../src/sensors/index.ts";
import { allNoise } from "../../src/world/noise/index.ts";
import { makeQuestions } from "../../src/world/questions/index.ts";
import { imagineHouse, type RecordOptions, recordHouse, TRUTH_FILE } from "../../src/world/recorder/index.ts";
import { seedsNamed } from "./houses.ts";

const { values } = parseArgs({
  options: {
    cache: { type: "string" },
    seeds: { type: "string" },
    minutes: { type: "string", default: "4" },
    share: { type: "string", default: "0.5" },
    apart: { type: "boolean", default: false },
    questions: { type: "string", default: "0" },
    again: { type: "boolean", default: false },
  },
});
const BELIEVERS = ["alone", "sound", "false"] as const;
type Believer = (typeof BELIEVERS)[number];
const scores: Record<Believer, TrackingScore[]> = { alone: [], sound: [], false: [] };
const questions = new Map<string, QuestionRecord>();
const answers: Record<Believer, Row[]> = { alone: [], sound: [], false: [] };
for (const seed of seedsNamed(values.seeds!)) {
  for (const who of BELIEVERS) {
    const folder = await recorded(tour(seed, who));
    const memory = await believed(folder, who);
    scores[who].push(memory.score);
    answers[who].push(...(await asked(seed, who, memory.place)));
    const { precision, recall } = memory.score.tracks;
    console.log(
      `${seed} ${who}: ${precision.hits}/${precision.total} tracks right, ${recall.hits}/${recall.total} found`,
    );
  }
}
for (const who of BELIEVERS) console.log(`\n${who}\n${formatSummary(summarise(scores[who]))}`);
for (const who of BELIEVERS)
  console.log(`${who}: ${answers[who].filter(isRight).length} of ${answers[who].length} right`);
const spoilt = answers.false.filter(
  (row, n) => !isRight(row) && isRight(answers.alone[n]!) && isRight(answers.sound[n]!),
);
console.log(
  `wrong only with false labels, right alone and with a sound second robot: ${spoilt.length} of ${answers.false.length}`,
);
for (const who of ["sound", "alone"] as const) {
  const changed = answers.false.flatMap((row, n) =>
    isRight(row) !== isRight(answers[who][n]!) ? [{ row, before: answers[who][n]! }] : [],
  );
  const worse = changed.filter(({ row }) => !isRight(row));
  const than = who === "sound" ? "a sound second robot" : "the first robot alone";
  console.log(`with false labels, against ${than}: ${changed.length} changed, ${worse.length} for the worse`);
  for (const { row, before } of changed)
    console.log(
      `  ${isRight(row) ? "better" : "worse"} ${row.seed} ${toldOf(row)}: "${before.answer?.text}", now "${row.answer?.text}"`,
    );
}

function toldOf({ seed, questionId }: Row): string {
  const { subtype, text, answer } = questions.get(`${seed} ${questionId}`)!;
  return `${subtype} "${text}" is "${answer.text}"`;
}

function isRight({ scores }: Row): boolean {
  return scores?.right === true;
}

/** The same house, ways and noise, but for the share of false labels. */
function tour(seed: number, who: Believer): RecordOptions {
  const falseLabels = who === "false" ? Number(values.share) : 0;
  const kind = `${values.minutes}min-${falseLabels}${values.apart ? "-apart" : ""}`;
  return {
    family: "house",
    ...{ seed, agents: 2, minutes: Number(values.minutes), fps: 1, lidar: false },
    noise: { ...allNoise(0.5), unreliable: 0, frameOffset: values.apart ? 0.5 : 0, falseLabels },
    out: join(values.cache!, `${seed}-${kind}`),
  };
}

async function recorded(options: RecordOptions): Promise<string> {
  if (!existsSync(join(options.out, TRUTH_FILE))) {
    await rm(options.out, { recursive: true, force: true });
    await recordHouse(options);
  }
  return options.out;
}

async function believed(folder: string, who: Believer): Promise<{ score: TrackingScore; place: string }> {
  const [taken, place] = [`${folder}-${who}-taken`, `${folder}-${who}`];
  if (values.again) await rm(taken, { recursive: true, force: true });
  if (!existsSync(taken)) await takenIn(folder, who, taken);
  await rm(place, { recursive: true, force: true });
  await cp(taken, place, { recursive: true });
  const memory = await openMemory(place);
  try {
    for (const { refused, things, doubted } of await joinScene(memory))
      console.log(`  ${refused ?? `joined, ${things} things one, doubted: ${doubted?.join() ?? "nobody"}`}`);
    return { score: await scoreWorld(await memory.reader(), join(folder, TRUTH_FILE)), place };
  } finally {
    await memory.close();
  }
}

async function takenIn(folder: string, who: Believer, place: string): Promise<void> {
  const partial = `${place}.partial`;
  await rm(partial, { recursive: true, force: true });
  const recording = await openRecording(folder);
  const memory = await openMemory(partial);
  try {
    const only = ({ agentId }: { agentId: string }) => who !== "alone" || agentId === "robot-1";
    await ingestInto(memory, recording, { only, join: false });
  } finally {
    await recording.close();
    await memory.close();
  }
  await rename(partial, place);
}

async function asked(seed: number, who: Believer, place: string): Promise<Row[]> {
  const count = Number(values.questions);
  if (count === 0) return [];
  const { world } = imagineHouse(tour(seed, "sound"));
  const own = makeQuestions(world, { suite: "openeqa", count, seed, wording: "dev" });
  for (const question of own) questions.set(`${seed} ${question.id}`, question);
  const scene: SuiteScene = {
    id: `house-${seed}`,
    seed: String(seed),
    questions: own,
    open: async () => {
      const memory = await openMemory(place);
      return { reader: await memory.reader(), close: () => memory.close() };
    },
  };
  const out = `${place}.jsonl`;
  await rm(out, { force: true });
  const strategies = [systemStrategy("rules")];
  await evaluateSuite({ suite: "openeqa", scenes: [scene], strategies, commit: who, out });
  const rows = (await readFile(out, "utf8")).trim().split("\n");
  return rows
    .map((line) => rowSchema.parse(JSON.parse(line)))
    .filter(({ strategy }) => strategy === strategies[0]!.id)
    .sort((a, b) => (a.questionId < b.questionId ? -1 : 1));
}

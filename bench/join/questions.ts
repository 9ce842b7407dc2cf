/**
 * `node bench/join/questions.ts --cache DIR --minutes 2 --seeds 44031-44038 [--suites openeqa,collab] [--questions 20] [--again]`: the
 * same generated questions asked of the first robot's memory and of the joined one, in houses that `make.ts` made and whose
 * maps are joined. What is done is kept beside each house. Of the questions, those are told apart whose things only other
 * robots saw.
 */
import { existsSync } from "node:fs";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Memory } from "../../src/compose/memory.ts";
import { ingestInto, joinScene, openMemory } from "../../src/compose.ts";
import { evaluateSuite, type SuiteScene } from "../../src/evaluation/runner/index.ts";
import { type Row, rowSchema } from "../../src/evaluation/runner/row.ts";
import { systemStrategy } from "../../src/evaluation/runner/system-strategy.ts";
import { readTruth } from "../../src/evaluation/tracking/truth.ts";
import type { QuestionRecord } from "../../src/schema/index.ts";
import { openRecording } from "../../src/sensors/index.ts";
import { mapsIn } from "../../src/sharing/index.ts";
import { makeQuestions, type SUITES } from "../../src/world/questions/index.ts";
import { imagineHouse, TRUTH_FILE } from "../../src/world/recorder/index.ts";
import { HOUSE_OPTIONS, type JoinHouse, openHouse, recordOf, seedsNamed, settingsOf } from "./houses.ts";

const { values } = parseArgs({
  options: {
    ...HOUSE_OPTIONS,
    suites: { type: "string", default: "openeqa,collab" },
    questions: { type: "string", default: "20" },
    again: { type: "boolean", default: false },
  },
});
const settings = settingsOf(values);
const suites = values.suites.split(",") as (typeof SUITES)[number][];

interface Pair {
  readonly suite: string;
  readonly seed: string;
  readonly question: QuestionRecord;
  readonly alone: Row;
  readonly together: Row;
  /** The first robot saw none of what is asked about, and another did. */
  readonly isOthers: boolean;
}

const pairs: Pair[] = [];
for (const seed of seedsNamed(values.seeds!)) {
  const house = await openHouse(seed, settings, false);
  if (!house) continue;
  const { world } = imagineHouse(recordOf(seed, settings, join(house.folder, "recording")));
  const asked = suites.map((suite) => ({
    suite,
    questions: makeQuestions(world, { suite, count: Number(values.questions), seed, wording: "dev" }),
  }));
  const together = await answered(house, "together", asked);
  const alone = together && (await answered(house, "alone", asked));
  if (!together || !alone) {
    console.log(`${seed}: not joined`);
    continue;
  }
  const own = await pairsOf(house, asked, alone, together);
  pairs.push(...own);
  console.log(`${seed}: ${told(own)}`);
}
for (const suite of suites) {
  const own = pairs.filter((pair) => pair.suite === suite);
  console.log(`${suite}: ${told(own)}; only others saw it: ${told(own.filter(({ isOthers }) => isOthers))}`);
}
for (const { suite, seed, question, alone, together } of pairs)
  if (isRight(alone) && !isRight(together))
    console.log(
      `worse: ${suite} ${seed} ${question.subtype}: "${question.text}" is "${question.answer.text}"; alone "${alone.answer?.text}", together "${together.answer?.text}"`,
    );

function isRight({ scores }: Row): boolean {
  return scores?.right === true;
}

function told(own: readonly Pair[]): string {
  const right = (who: "alone" | "together") => own.filter((pair) => isRight(pair[who])).length;
  return `one robot ${right("alone")} of ${own.length} right, together ${right("together")}`;
}

type Asked = readonly { readonly suite: string; readonly questions: readonly QuestionRecord[] }[];

/** The answers of one memory to every suite; undefined where its maps are not joined. */
async function answered(
  { folder, seed }: JoinHouse,
  who: "alone" | "together",
  asked: Asked,
): Promise<Row[] | undefined> {
  const kept = asked.map(({ suite }) => join(folder, `${suite}-${values.questions}-${who}.jsonl`));
  if (values.again) for (const path of kept) await rm(path, { force: true });
  if (!kept.every((path) => existsSync(path))) {
    const place = join(folder, `asked-${who}`);
    await rm(place, { recursive: true, force: true });
    try {
      const memory = who === "alone" ? await takenAlone(folder, place) : await takenTogether(folder, place);
      if (memory === undefined) return undefined;
      for (const [n, { suite, questions }] of asked.entries())
        await ask(memory, { id: `house-${seed}`, seed: String(seed), questions }, suite, kept[n]!);
      await memory.close();
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  }
  const rows = await Promise.all(kept.map(async (path) => (await readFile(path, "utf8")).trim().split("\n")));
  return rows
    .flat()
    .filter((line) => line !== "")
    .map((line) => rowSchema.parse(JSON.parse(line)));
}

async function ask(
  memory: Memory,
  scene: Omit<SuiteScene, "open">,
  suite: string,
  out: string,
): Promise<void> {
  await rm(out, { force: true });
  const open = async () => ({ reader: await memory.reader(), close: async () => undefined });
  await evaluateSuite({
    suite,
    scenes: [{ ...scene, open }],
    strategies: [systemStrategy("rules")],
    commit: "bench",
    out,
  });
}

async function takenAlone(folder: string, place: string): Promise<Memory> {
  const recording = await openRecording(join(folder, "recording"));
  const memory = await openMemory(place);
  try {
    await ingestInto(memory, recording, { only: ({ agentId }) => agentId === "robot-1" });
  } finally {
    await recording.close();
  }
  return memory;
}

async function takenTogether(folder: string, place: string): Promise<Memory | undefined> {
  await cp(join(folder, "memory"), place, { recursive: true });
  const memory = await openMemory(place);
  await joinScene(memory);
  if ((await mapsIn(await memory.reader(), "default")).length === 1) return memory;
  await memory.close();
  return undefined;
}

async function pairsOf(
  { folder, seed }: JoinHouse,
  asked: Asked,
  alone: readonly Row[],
  together: readonly Row[],
): Promise<Pair[]> {
  const path = join(folder, "recording", TRUTH_FILE);
  const everybody = Array.from({ length: settings.agents }, (_, n) => `robot-${n + 1}`);
  const [first, all] = [await readTruth(path, ["robot-1"]), await readTruth(path, everybody)];
  const { id: strategy } = systemStrategy("rules");
  const rowOf = (rows: readonly Row[], id: string) =>
    rows.find((row) => row.questionId === id && row.strategy === strategy);
  return asked.flatMap(({ suite, questions }) =>
    questions.flatMap((question) => {
      const [one, both] = [rowOf(alone, question.id), rowOf(together, question.id)];
      if (!one || !both) return [];
      const seen = question.targets.filter((id) => all.looksAt(id).length > 0);
      const isOthers = seen.length > 0 && seen.every((id) => first.looksAt(id).length === 0);
      return [{ suite, seed: String(seed), question, alone: one, together: both, isOthers }];
    }),
  );
}

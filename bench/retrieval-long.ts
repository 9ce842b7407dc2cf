/**
 * How much of the evidence retrieval still finds when a memory grows from ten minutes to two hours of going round and
 * round one house: one recording, asked about after each of these times, so that only the length differs.
 * npx node bench/retrieval-long.ts [--seeds 31,32] [--strategy a,b] [--keep DIR]
 */
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ingestRecording, openMemory } from "../src/compose.ts";
import { evidenceRecall } from "../src/evaluation/retrieval/evidence-recall.ts";
import type { SuiteScene } from "../src/evaluation/runner/index.ts";
import { STRATEGIES, type Strategy } from "../src/retrieval/index.ts";
import type { QuestionRecord } from "../src/schema/index.ts";
import { makeQuestions } from "../src/world/questions/index.ts";
import { Sight } from "../src/world/questions/sight.ts";
import { imagineHouse, recordHouse } from "../src/world/recorder/index.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "31,32" },
    strategy: { type: "string", default: STRATEGIES.join(",") },
    keep: { type: "string" },
  },
});
const MINUTES = [10, 30, 60, 120];
const START_US = 1_767_603_600_000_000;
/** The house lives longer than any tour, so that every tour is of the same world. */
const LIFE = { startUs: START_US - 3_600_000_000, minutes: 240 };
/** A generator gives at most so many times of evidence; beyond them a long memory has many more. */
const MAX_TIMES = 16;

const folder = values.keep ?? mkdtempSync(join(tmpdir(), "loci-long-"));
mkdirSync(folder, { recursive: true });
const seeds = values.seeds.split(",").map(Number);

function tour(seed: number, minutes: number) {
  const world = { family: "house" as const, seed, rate: 30, life: LIFE, startUs: START_US };
  return { ...world, minutes, fps: 1 / 3, noise: 0.3, lidar: false };
}

/** Questions with every time at which the things in question were well seen, not a sample of them. */
function questionsOf(seed: number, minutes: number): QuestionRecord[] {
  const { world } = imagineHouse({ ...tour(seed, minutes), out: "none" });
  const options = { suite: "openeqa", count: 150, seed, wording: "test", withoutPaths: true } as const;
  return makeQuestions(world, options).map((question) => {
    const { evidenceTimesUs: some, targets } = question;
    if (some.length < MAX_TIMES || targets.length === 0) return question;
    const sight = new Sight(world, question.askedAtUs);
    const seen = targets.flatMap((id) => sight.clear(id, some[0]).map(({ timeUs }) => timeUs));
    return { ...question, evidenceTimesUs: [...new Set([...some, ...seen])].sort((a, b) => a - b) };
  });
}

for (const seed of seeds) {
  const [recording, path] = [join(folder, `rec_${seed}`), join(folder, `mem_${seed}`)];
  if (existsSync(path)) continue;
  await recordHouse({ ...tour(seed, MINUTES.at(-1)!), out: recording }, {});
  const memory = await openMemory(path);
  await ingestRecording(memory, recording, {}, {});
  await memory.close();
}
for (const minutes of MINUTES) {
  const scenes = seeds.map(
    (seed): SuiteScene => ({
      id: `house-${seed}`,
      seed: String(seed),
      questions: questionsOf(seed, minutes),
      open: async () => {
        const memory = await openMemory(join(folder, `mem_${seed}`), { create: false });
        return {
          reader: await memory.reader(),
          embedder: await memory.embedder(),
          close: () => memory.close(),
        };
      },
    }),
  );
  const rows = await evidenceRecall({ scenes, strategies: values.strategy.split(",") as Strategy[] });
  console.log(`${minutes} minutes, ${rows[0]?.recall6.n} questions`);
  for (const { strategy, recall6, recallAll, places, redundancy, tokens } of rows)
    console.log(
      `  ${strategy.padEnd(15)} R@6 ${recall6.value.toFixed(3)} [${recall6.low.toFixed(2)}, ${recall6.high.toFixed(2)}]  all ${recallAll.toFixed(3)}  ` +
        `places ${places.toFixed(2)}  redundancy ${redundancy.toFixed(2)}  tokens ${tokens.toFixed(0)}`,
    );
}

/**
 * Makes questions of every suite about many simulated houses and derives each answer again from the truth by the
 * independent checker: `node bench/questions.bench.ts --houses 20 --count 10000 [--family warehouse] [--json]`. Ends with status 1 if
 * an answer, a balance or a share is wrong.
 */
import { writeSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  CHI_SQUARE_LIMIT,
  checkQuestions,
  chiSquare,
  makeQuestions,
  mergeReports,
  type QuestionReport,
  suitesOf,
} from "../src/world/questions/index.ts";
import { type FamilyName, imagineHouse } from "../src/world/recorder/index.ts";

const { values } = parseArgs({
  options: {
    family: { type: "string", default: "house" },
    houses: { type: "string", default: "20" },
    count: { type: "string", default: "10000" },
    minutes: { type: "string", default: "9" },
    "first-seed": { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});

const houses = Number(values.houses);
const { family } = values as { family: FamilyName };
const suites = suitesOf(family);
const perSuite = Math.ceil(Number(values.count) / houses / suites.length);
const startedMs = performance.now();
const reports: QuestionReport[] = [];
const bySuite = new Map<string, QuestionReport[]>();
const seconds = { world: 0, questions: 0, check: 0 };
let targets = 0;
let regions = 0;
let choices = 0;

const timed = <T>(stage: keyof typeof seconds, work: () => T): T => {
  const beganMs = performance.now();
  const made = work();
  seconds[stage] += (performance.now() - beganMs) / 1000;
  return made;
};

for (let house = 0; house < houses; house++) {
  const seed = Number(values["first-seed"]) + house;
  const { world, truth } = timed("world", () =>
    imagineHouse({
      family,
      seed,
      agents: 2,
      minutes: Number(values.minutes),
      fps: 2,
      rate: 300,
      people: 2,
      ...(family === "house" && house % 2 === 0 && { rooms: 6, floors: 1, objects: 120 }),
      out: "nowhere",
    }),
  );
  const plain: unknown = JSON.parse(JSON.stringify(truth));
  // What a suite cannot give in this house, the suite of all types makes up for.
  let owed = 0;
  for (const suite of suites) {
    const wanted = suite === "all" ? perSuite + owed : perSuite;
    const questions = timed("questions", () => makeQuestions(world, { suite, count: wanted, seed }));
    owed += wanted - questions.length;
    for (const question of questions) {
      if (question.suite !== "mt" || !question.answerable) continue;
      choices++;
      targets += question.targets.length;
      regions += question.regions.length;
    }
    const report = timed("check", () => checkQuestions(questions, plain));
    reports.push(report);
    bySuite.set(suite, [...(bySuite.get(suite) ?? []), report]);
  }
  process.stderr.write(
    `house ${seed}: ${mergeReports(reports).count} questions, ${mergeReports(reports).faults.length} faults, ${Math.round((performance.now() - startedMs) / 1000)} s\n`,
  );
}

const all = mergeReports(reports);
const yesShare = all.yes / (all.yes + all.no);
const unanswerableShare =
  Object.values(all.unanswerable).reduce((sum, n) => sum + n, 0) / Math.max(1, all.count);
const summary = {
  questions: all.count,
  houses,
  faults: all.faults.length,
  firstFaults: all.faults.slice(0, 20),
  yesShare: round(yesShare),
  binary: all.yes + all.no,
  letters: all.letters,
  chiSquare: round(chiSquare(all.letters)),
  chiSquareLimit: CHI_SQUARE_LIMIT,
  unanswerableShare: round(unanswerableShare),
  unanswerable: all.unanswerable,
  blindAnswerable: round(all.blind),
  withMinimalPath: all.withPath,
  mtTargets: round(targets / Math.max(1, choices)),
  mtRegions: round(regions / Math.max(1, choices)),
  seconds: { world: round(seconds.world), questions: round(seconds.questions), check: round(seconds.check) },
  suites: Object.fromEntries(
    [...bySuite].map(([suite, list]) => {
      const merged = mergeReports(list);
      return [suite, { questions: merged.count, blind: round(merged.blind), yes: merged.yes, no: merged.no }];
    }),
  ),
  subtypes: Object.fromEntries(Object.entries(all.bySubtype).sort()),
};
const isGood =
  all.faults.length === 0 &&
  Math.abs(yesShare - 0.5) <= 0.03 &&
  chiSquare(all.letters) < CHI_SQUARE_LIMIT &&
  unanswerableShare >= 0.1 &&
  unanswerableShare <= 0.15;
writeSync(1, `${values.json ? JSON.stringify(summary) : JSON.stringify(summary, null, 2)}\n`);
process.exitCode = isGood ? 0 : 1;

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

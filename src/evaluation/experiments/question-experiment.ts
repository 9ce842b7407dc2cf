import { join } from "node:path";
import type { QuestionRecord } from "../../schema/index.ts";
import { modelJudge } from "../judge/model-judge.ts";
import { RULE_JUDGE } from "../judge/rule-judge.ts";
import { blindAnswerable } from "../runner/report.ts";
import type { Row } from "../runner/row.ts";
import { progressLine, runSuite, type SuiteRun } from "../runner/run-suite.ts";
import type { Strategy } from "../runner/strategy.ts";
import { answerLines } from "./answer-lines.ts";
import type { Experiment, Measured } from "./experiment.ts";
import { HEADLINE, WITHOUT_BLIND } from "./figures.ts";
import { type Lab, STANDARD_TOUR, sceneOf, type Tour, type Variant, type Wanted } from "./lab.ts";
import type { Mark } from "./mark.ts";
import { withPictures } from "./pictures.ts";

/** Questions about houses with the same tour, asked of every configuration. */
export interface Part {
  readonly suite: string;
  readonly tour?: Tour;
  readonly questions: readonly Wanted[];
  readonly memory?: Variant;
  readonly configurations: readonly Strategy[];
}

export interface QuestionExperiment extends Omit<Experiment, "measure"> {
  readonly parts: readonly Part[] | ((lab: Lab) => readonly Part[]);
  /** The parts of a suite that a question counts in, besides its type. */
  readonly slices?: (question: QuestionRecord) => readonly string[];
  /** Further metrics. */
  readonly metrics?: readonly Metric[];
  /** What counts as correct, if not the judge's own mark. */
  readonly isRight?: (question: QuestionRecord, row: Row) => boolean;
}

export const METRICS = {
  match: (row: Row) => 100 * row.scores.match,
  "place error m": (row: Row) => row.scores.l2M,
  "time error s": (row: Row) => row.scores.timeS,
  redundancy: (row: Row) => row.scores.redundancy,
  "context tokens": (row: Row) => row.answer?.trace.contextTokens,
  "evidence recall": (row: Row) => percent(row.scores.recall["all"]),
  abstained: (row: Row) => percent(isSilent(row)),
  ms: (row: Row) => row.machine.answerMs,
} satisfies Record<string, (row: Row) => number | undefined>;
export type Metric = keyof typeof METRICS;

/** An experiment that asks questions: memories, asking and judging are shared by all of them. */
export function questionExperiment(definition: QuestionExperiment): Experiment {
  const { parts, slices, metrics, isRight, ...rest } = definition;
  return {
    ...rest,
    async measure(lab): Promise<Measured> {
      const all = typeof parts === "function" ? parts(lab) : parts;
      const marks: Mark[] = [];
      const answers = [];
      const stated = new Set<string>();
      for (const part of all) {
        const file = join(lab.folder, `rows_${definition.name}.jsonl`);
        const run = await ask(lab, definition.name, part, file);
        marks.push(...marksOf(run, part.suite, definition));
        const lines = await answerLines(run, part.suite, file);
        answers.push(
          ...(lab.withPictures ? await withPictures(lines, (scene) => opened(lab, part, scene)) : lines),
        );
        for (const line of statedOf(run, part, lab)) stated.add(line);
      }
      return { marks: distinct(marks), answers, stated: [...stated] };
    },
  };
}

function opened(lab: Lab, { tour = STANDARD_TOUR, memory }: Part, scene: string) {
  const seed = lab.seeds.find((one) => sceneOf(one, tour) === scene)!;
  return lab.memory(seed, tour, memory);
}

async function ask(lab: Lab, name: string, part: Part, out: string): Promise<SuiteRun> {
  const { models } = lab;
  const judge = models?.get("judge");
  return runSuite({
    suite: `${name}/${part.suite}`,
    scenes: await lab.scenes(part.questions, part.tour, part.memory),
    strategies: part.configurations.map((one) => (models && one.withModels?.(models)) ?? one),
    beside: ["blind"],
    judge: judge ? modelJudge(judge) : RULE_JUDGE,
    commit: lab.commit,
    out,
    signal: lab.signal,
    onProgress: (progress) => lab.progress(`${part.suite}: ${progressLine(progress)}`),
  });
}

/** The blind baseline runs with every part; parts that differ only in the memory repeat it. */
function distinct(marks: readonly Mark[]): Mark[] {
  const keyOf = ({ config, suite, scene, item, metric }: Mark) =>
    [config, suite, scene, item, metric].join("/");
  return [...new Map(marks.map((mark) => [keyOf(mark), mark])).values()];
}

function marksOf(run: SuiteRun, suite: string, definition: QuestionExperiment): Mark[] {
  const { slices = () => [], metrics = [], isRight } = definition;
  const asked = new Map(run.questions.map(({ scene, question }) => [`${scene}/${question.id}`, question]));
  const blind = blindAnswerable(run).ids;
  return run.rows.flatMap((row) => {
    const id = `${row.scene}/${row.questionId}`;
    const question = asked.get(id)!;
    const own = new Set([question.type, ...slices(question)]);
    if (!blind.has(id)) own.add(WITHOUT_BLIND);
    const mark = {
      config: row.strategy,
      suite,
      scene: row.scene,
      item: row.questionId,
      slices: [...own],
      type: question.type,
    };
    const measured = metrics.flatMap((metric) => {
      const value = METRICS[metric](row);
      return value === undefined ? [] : [{ ...mark, metric, value }];
    });
    const right = isRight ? isRight(question, row) : row.scores.right;
    return [{ ...mark, metric: HEADLINE, value: right ? 100 : 0 }, ...measured];
  });
}

const PLACES = { house: "houses", warehouse: "warehouses", campus: "campuses" } as const;

function statedOf(run: SuiteRun, { suite, tour = STANDARD_TOUR, configurations }: Part, lab: Lab): string[] {
  const asked = new Set(configurations.map(({ id }) => id));
  const readers = new Set(
    run.rows.filter(({ strategy }) => asked.has(strategy)).map(({ models }) => models["reasoner"] ?? ""),
  );
  const noise = typeof tour.noise === "number" ? tour.noise : JSON.stringify(tour.noise);
  const wrong = run.rows.filter(({ failure }) => failure).length;
  return [
    `${suite}: ${run.questions.length} questions (${lab.wording} wordings) about ${lab.seeds.length} simulated ${PLACES[tour.family ?? "house"]}, seeds ${seedsText(lab.seeds)}; ${tour.minutes} min at ${tour.fps} frames/s, noise ${noise}, ${tour.rate} events an hour.`,
    `Reasoner ${[...readers].filter((name) => name !== "").join(", ")}; judge ${run.judge}; code ${run.commit}.`,
    ...(wrong === 0 ? [] : [`${suite}: ${wrong} answers failed and count as wrong.`]),
  ];
}

export function seedsText(seeds: readonly (number | string)[]): string {
  const isRun = seeds.length > 2 && seeds.every((seed, n) => n === 0 || seed === Number(seeds[n - 1]) + 1);
  return isRun ? `${seeds[0]}–${seeds.at(-1)}` : seeds.join(", ");
}

/** "No, I looked" answers a yes-or-no question and is not a refusal. */
export function isSilent({ answer }: Row): boolean {
  return answer !== null && answer.status !== "answered" && answer.binary === undefined;
}

function percent(is: boolean | undefined): number | undefined {
  return is === undefined ? undefined : is ? 100 : 0;
}

import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { LociError } from "../../schema/index.ts";
import { EXPERIMENTS } from "./catalogue.ts";
import type { AnswerLine, Experiment, ExperimentReport } from "./experiment.ts";
import { Figures } from "./figures.ts";
import { Lab, type LabOptions } from "./lab.ts";

export interface ExperimentRequest extends LabOptions {
  readonly name: string;
}

/** A run as stored: the report, its marks and the answers. */
export interface ExperimentRun {
  readonly report: ExperimentReport;
  readonly shows: string;
  readonly stated: readonly string[];
  readonly figures: Figures;
  readonly answers: readonly AnswerLine[];
}

export function isExperiment(name: string): boolean {
  return EXPERIMENTS.some((one) => one.name === name);
}

/** One line per experiment. */
export function listExperiments(): {
  readonly name: string;
  readonly shows: string;
  readonly claims: number;
}[] {
  return EXPERIMENTS.map(({ name, shows, claims }) => ({ name, shows, claims: claims.length }));
}

/** Runs or resumes an experiment, and reports which of its claims hold. */
export async function runExperiment(request: ExperimentRequest): Promise<ExperimentRun> {
  const experiment = EXPERIMENTS.find((one) => one.name === request.name);
  if (!experiment)
    throw new LociError(
      "invalid-input",
      `there is no experiment "${request.name}"; there are ${EXPERIMENTS.map(({ name }) => name).join(", ")}`,
    );
  await mkdir(request.folder, { recursive: true });
  const { marks, stated, answers = [] } = await experiment.measure(new Lab(request));
  if (marks.length === 0)
    throw new LociError(
      "invalid-input",
      `nothing of ${request.name} could be asked about these houses; give more of them (--seeds)`,
    );
  const figures = new Figures(marks);
  return {
    report: reportOf(experiment, figures, request.seeds, stated),
    shows: experiment.shows,
    stated,
    figures,
    answers,
  };
}

function reportOf(
  { name, claims, limits }: Experiment,
  figures: Figures,
  seeds: ExperimentReport["seeds"],
  stated: readonly string[],
): ExperimentReport {
  const items = new Set(figures.marks.map(({ suite, scene, item }) => `${suite}/${scene}/${item}`));
  return {
    experiment: name,
    seeds,
    n: items.size,
    rows: figures.rows(),
    claims: claims.map(({ id, text, holds }) => ({ id, text, holds: holds(figures) })),
    limits: [limits, ...stated].join(" "),
  };
}

/** Writes a run where `eval compare` finds it. */
export async function keepRun(path: string, run: ExperimentRun): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ format: 1, ...run.report, marks: run.figures.marks }));
}

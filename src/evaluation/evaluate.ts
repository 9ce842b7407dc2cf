import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestInto } from "../compose/ingest.ts";
import { type Memory, openMemory } from "../compose/memory.ts";
import type { ModelRoles } from "../models/index.ts";
import { LociError } from "../schema/core.ts";
import type { ActiveEvalOptions } from "./active/evaluate.ts";
import type { ActiveReport } from "./active/report.ts";
import type { EncoderEvalOptions, EncoderReport } from "./encoder/run.ts";
import type { Comparison, ExperimentReport, ExperimentRequest } from "./experiments/index.ts";
import type { EyesEvalOptions, EyesReport } from "./eyes/evaluate-eyes.ts";
import type { MadeQuestions, MakeQuestionsOptions } from "./own/make-questions.ts";
import type { ParserScore } from "./parser/score-parser.ts";
import type { Strategy, SuiteReport } from "./runner/index.ts";
import { ingestOnce, sceneMemory } from "./suites/kept-memory.ts";
import type { TrackingEvalOptions, TrackingReport } from "./tracking/index.ts";
import type { HabitsEvalOptions, HabitsReport } from "./weeks/evaluate-habits.ts";

export interface SuiteRequest {
  /** A suite of the simulator, or the name of a dataset. */
  readonly suite: string;
  /** For a dataset: its folder. */
  readonly data?: string | undefined;
  /** For a dataset: also what it leaves out of the score. */
  readonly all?: boolean | undefined;
  readonly seeds?: readonly (number | string)[] | undefined;
  readonly minutes?: number | undefined;
  readonly fps?: number | undefined;
  readonly noise?: number | undefined;
  readonly count?: number | undefined;
  /** For the suite weeks: number of days remembered. */
  readonly days?: number | undefined;
  readonly rate?: number | undefined;
  readonly agents?: number | undefined;
  readonly wording?: "dev" | "test" | undefined;
  /** Systems by name, or retrieval presets with the shared reader; default: the rules. */
  readonly systems?: readonly string[] | undefined;
  readonly mode?: "ours" | "paper" | undefined;
  /** Models by role: the reasoner answers for every system but the rules, the judge marks free-text answers. */
  readonly models?: ModelRoles | undefined;
  /** The file of rows. */
  readonly out?: string | undefined;
  /** Where recordings and memories are kept for the next run. */
  readonly keep?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

const DEFAULTS = {
  seeds: [1, 2, 3, 4, 5],
  minutes: 10,
  fps: 2,
  noise: 0.5,
  count: 60,
  rate: 60,
  days: 7,
} as const;

/** Asks every question of a suite with every strategy and the baselines, and scores the answers. */
export async function evaluateSuite(request: SuiteRequest): Promise<{ report: SuiteReport; text: string }> {
  const { evaluateSuite: run, formatReport, progressLine } = await import("./runner/index.ts");
  const { DATASETS, evaluateDataset, fetchLine } = await import("./datasets/index.ts");
  const strategies = await strategiesOf(request);
  const judge = request.models?.get("judge");
  const folder = request.keep ?? (await mkdtemp(join(tmpdir(), "loci-eval-")));
  await mkdir(folder, { recursive: true });
  const common = {
    strategies,
    ...(judge && { judge: (await import("./judge/model-judge.ts")).modelJudge(judge) }),
    commit: await commitName(),
    ...(request.out !== undefined && { out: request.out }),
    ...(request.signal && { signal: request.signal }),
    onProgress: (progress: Parameters<typeof progressLine>[0]) =>
      request.onProgress?.(progressLine(progress)),
  };
  try {
    let report: SuiteReport;
    if ((DATASETS as readonly string[]).includes(request.suite)) {
      if (request.data === undefined)
        throw new LociError(
          "invalid-input",
          `eval ${request.suite} needs --data DIR${fetchLine(request.suite)}`,
        );
      report = await evaluateDataset({
        ...common,
        dataset: request.suite,
        folder: request.data,
        ...(request.all && { withExcluded: true }),
        makeMemory: (id) => emptyMemory(folder, id),
        ingest: (recording, id, signal) =>
          ingestOnce(recording, join(folder, `memory_${id.replace(/[^a-z0-9]+/gi, "-")}`), signal),
      });
    } else if (request.suite === "weeks")
      report = await run({ ...common, ...(await weeksSuite(request, folder)) });
    else
      report = await run({
        ...common,
        suite: request.suite,
        scenes: await scenes(request, folder),
        notes: notesOf(request),
      });
    if (report.questions.total === 0)
      throw new LociError(
        "invalid-input",
        request.data === undefined
          ? `nothing of ${request.suite} can be asked about these recordings; give longer ones (--minutes) or more of them (--seeds)`
          : `nothing of ${request.suite} can be asked with what is in ${request.data}${fetchLine(request.suite)}`,
      );
    return { report, text: formatReport(report) };
  } finally {
    if (request.keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** What is asked, by name. */
async function strategiesOf({ systems = ["rules"], models, mode }: SuiteRequest): Promise<Strategy[]> {
  const { presetStrategy, reasoningModels, systemStrategy } = await import("./runner/system-strategy.ts");
  const { SYSTEM_NAMES } = await import("../reasoning/systems/index.ts");
  const byModel = models && reasoningModels(models);
  return systems.map((name) => {
    const system = SYSTEM_NAMES.find((one) => one === name);
    if (system === undefined) return presetStrategy(name, mode === undefined ? {} : { mode });
    return systemStrategy(system, { settings: mode === undefined ? {} : { mode }, ...byModel });
  });
}

function notesOf(request: SuiteRequest): string[] {
  const {
    minutes = DEFAULTS.minutes,
    fps = DEFAULTS.fps,
    noise = DEFAULTS.noise,
    rate = DEFAULTS.rate,
  } = request;
  return [
    `Simulated worlds, ${minutes} min at ${fps} frames/s, noise ${noise}, ${rate} events an hour, ${request.wording ?? "test"} wordings.`,
  ];
}

async function weeksSuite(request: SuiteRequest, folder: string) {
  const { weeksDataset } = await import("./suites/weeks.ts");
  const { scenesOf } = await import("./datasets/scenes.ts");
  const dataset = weeksDataset({
    seeds: request.seeds ?? DEFAULTS.seeds,
    days: request.days ?? DEFAULTS.days,
    count: request.count ?? DEFAULTS.count,
    wording: request.wording ?? "test",
    signal: request.signal,
    onProgress: request.onProgress,
  });
  const made = scenesOf(dataset, (id) => emptyMemory(folder, id));
  return { suite: "weeks", scenes: made, notes: dataset.notes };
}

async function emptyMemory(folder: string, id: string) {
  return sceneMemory(await openMemory(await mkdtemp(join(folder, `${id.replace(/[^a-z0-9]+/gi, "-")}-`))));
}

async function scenes(request: SuiteRequest, folder: string) {
  const { simulatedScenes } = await import("./suites/simulated.ts");
  const { SUITES } = await import("../world/questions/index.ts");
  if (!(SUITES as readonly string[]).includes(request.suite)) {
    const { DATASETS } = await import("./datasets/index.ts");
    const experiments = (await listExperiments()).map(({ name }) => name);
    throw new LociError(
      "invalid-input",
      `expected an experiment (${experiments.join(", ")}), a suite (${SUITES.join(", ")}, weeks) or a dataset (${DATASETS.join(", ")}), got "${request.suite}"`,
    );
  }
  return simulatedScenes({
    seeds: request.seeds ?? DEFAULTS.seeds,
    minutes: request.minutes ?? DEFAULTS.minutes,
    fps: request.fps ?? DEFAULTS.fps,
    noise: request.noise ?? DEFAULTS.noise,
    count: request.count ?? DEFAULTS.count,
    rate: request.rate ?? DEFAULTS.rate,
    agents: request.agents,
    suite: request.suite as never,
    wording: request.wording ?? "test",
    folder,
    signal: request.signal,
    onProgress: request.onProgress,
    ingest: ingestOnce,
  });
}

export type TrackingRequest = Omit<TrackingEvalOptions, "pipeline">;

/** Simulates, ingests and scores the results: tracks, places, moves, absences, rooms. */
export async function evaluateTracking(
  request: TrackingRequest,
): Promise<{ report: TrackingReport; text: string }> {
  const { evaluateTracking: run, formatTrackingReport } = await import("./tracking/index.ts");
  const report = await run({
    ...request,
    pipeline: {
      ingest: async (recording, folder, { signal }) => {
        const memory = await openMemory(folder);
        try {
          await ingestInto(memory, recording, {}, signal ? { signal } : {});
        } finally {
          await memory.close();
        }
      },
      open: async (folder) => {
        const memory = await openMemory(folder, { create: false });
        return { reader: await memory.reader(), writer: () => memory.writer(), close: () => memory.close() };
      },
    },
  });
  return { report, text: formatTrackingReport(report) };
}

/** Simulated houses with our own eyes, beside the same houses with masks. */
export async function evaluateEyes(request: EyesEvalOptions): Promise<{ report: EyesReport; text: string }> {
  return (await import("./eyes/evaluate-eyes.ts")).evaluateEyes(request);
}

/** How well questions are understood, on OpenEQA's file of questions. */
export async function evaluateParser(path: string): Promise<{ score: ParserScore; text: string }> {
  return (await import("./parser/evaluate-parser.ts")).evaluateParser(path);
}

/** Habits against last seen and most frequent; loaded on demand. */
export async function evaluateHabits(
  options: HabitsEvalOptions,
): Promise<{ report: HabitsReport; text: string }> {
  const { evaluateHabits: run, formatHabitsReport } = await import("./weeks/evaluate-habits.ts");
  const report = await run(options);
  return { report, text: formatHabitsReport(report) };
}

/** Questions that require exploration, by every policy; loaded on demand. */
export async function evaluateActive(
  options: ActiveEvalOptions,
): Promise<{ report: ActiveReport; text: string }> {
  return (await import("./active/evaluate.ts")).evaluateActive(options);
}

/** Every text encoder on every probe; loaded on demand. */
export async function evaluateEncoders(options: EncoderEvalOptions): Promise<EncoderReport> {
  return (await import("./encoder/run.ts")).evaluateEncoders(options);
}

export interface ExperimentEvalOptions extends Omit<ExperimentRequest, "commit"> {
  /** Also writes a report file: .html or .md. */
  readonly report?: string | undefined;
}

/** Runs or resumes an experiment of `eval experiments`; stored where `eval compare` finds it. */
export async function evaluateExperiment(
  options: ExperimentEvalOptions,
): Promise<{ report: ExperimentReport; text: string; kept: string }> {
  const experiments = await import("./experiments/index.ts");
  const { report: file, ...request } = options;
  if (file !== undefined && !/\.(html|md)$/.test(file))
    throw new LociError("invalid-input", `--report expects a file .html or .md, got "${file}"`);
  const commit = await commitName();
  const run = await experiments.runExperiment({ ...request, commit, withPictures: file?.endsWith(".html") });
  const kept = join(options.folder, `run_${options.name}_${commit}_${options.seeds.length}.json`);
  await experiments.keepRun(kept, run);
  if (file !== undefined)
    await writeFile(
      file,
      file.endsWith(".html") ? experiments.experimentHtml(run) : experiments.experimentMarkdown(run),
    );
  return { report: run.report, text: experiments.experimentText(run), kept };
}

/** Two runs that `eval NAME` kept: paired differences. */
export async function compareExperiments(
  first: string,
  second: string,
): Promise<{ report: Comparison; text: string }> {
  const { compareRuns, comparisonText } = await import("./experiments/index.ts");
  const report = await compareRuns(first, second);
  return { report, text: comparisonText(report) };
}

/** Generates questions about a user's own memory, by rules or a model, for a person to accept; loaded on demand. */
export async function makeOwnQuestions(
  memory: Memory,
  options: MakeQuestionsOptions,
): Promise<MadeQuestions> {
  return (await import("./own/make-questions.ts")).makeOwnQuestions(memory, options);
}

/** What `eval experiments` lists. */
export async function listExperiments(): Promise<{ name: string; shows: string; claims: number }[]> {
  return (await import("./experiments/index.ts")).listExperiments();
}

/** The commit of the code that answers, if it is under version control. */
export async function commitName(): Promise<string> {
  try {
    const [{ execFile }, { promisify }] = await Promise.all([
      import("node:child_process"),
      import("node:util"),
    ]);
    const { stdout } = await promisify(execFile)("git", ["rev-parse", "--short", "HEAD"], {
      cwd: import.meta.dirname,
    });
    return stdout.trim();
  } catch {
    return "unknown";
  }
}

import { LociError, type QuestionRecord, throwIfAborted } from "../../schema/index.ts";
import { inParallel } from "../in-parallel.ts";
import type { Judge } from "../judge/judge.ts";
import { RULE_JUDGE } from "../judge/rule-judge.ts";
import { type AskContext, askOne, failed } from "./ask-one.ts";
import { baselines } from "./baselines.ts";
import { type Row, rowIdentity, slim } from "./row.ts";
import { type FoundRows, RowFile } from "./row-file.ts";
import type { Strategy } from "./strategy.ts";
import type { MalformedLine, SceneMemory, SuiteScene } from "./suite.ts";

export interface RunOptions {
  readonly suite: string;
  readonly scenes: readonly SuiteScene[];
  /** The baselines are added to these unless one of the same name is given. */
  readonly strategies: readonly Strategy[];
  /** Only these of the baselines; default all. */
  readonly beside?: readonly string[];
  readonly judge?: Judge;
  /** The file of rows: appended to, and read first if it is there. Without it nothing is kept. */
  readonly out?: string;
  /** The commit of the answering code: rows of other code are not reused. */
  readonly commit: string;
  /** Caveats for reading the figures: the noise, the excluded questions, gaps in the data. */
  readonly notes?: readonly string[];
  /** Concurrent questions, over all strategies; default 2. */
  readonly parallel?: number;
  /** How long one answer may take; default ten minutes. */
  readonly questionTimeoutMs?: number;
  /** Retry what failed in an earlier run. */
  readonly retryFailed?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Injected in tests. */
  readonly nowMs?: () => number;
}

export interface RunProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** Rows reused from an earlier run; part of `done`. */
  readonly reused: number;
  readonly scene: string;
  /** Estimated from the pace of this run so far; null at first. */
  readonly leftS: number | null;
}

/** The rows of a run in the order of its plan (slim: the file has the full rows), and how they came about. */
export interface SuiteRun {
  readonly suite: string;
  readonly commit: string;
  readonly judge: string;
  readonly strategies: readonly string[];
  /** Settings of each strategy, including its answerer. */
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly notes: readonly string[];
  readonly seeds: readonly string[];
  readonly questions: readonly PlannedQuestion[];
  readonly malformedQuestions: readonly (MalformedLine & { readonly scene: string })[];
  readonly rows: readonly Row[];
  readonly asked: number;
  readonly reused: number;
  readonly torn: number;
  readonly malformed: FoundRows["malformed"];
  readonly malformedTotal: number;
  /** Rows of other code, settings or questions in the same file: ignored. */
  readonly foreign: number;
  readonly wallMs: number;
}

export interface PlannedQuestion {
  readonly scene: string;
  readonly question: QuestionRecord;
}

const PARALLEL = 2;
const MAX_PARALLEL = 64;
const QUESTION_TIMEOUT_MS = 600_000;

/** One question for one strategy, with its row's key. */
interface Job {
  readonly question: QuestionRecord;
  readonly strategy: Strategy;
  readonly key: string;
  readonly configuration: string;
}

/**
 * Asks every question of every scene with every strategy and the baselines. Whatever goes wrong with one question
 * becomes a row that says so; only an abort or an unwritable file ends the run. Restarted with the same file it
 * resumes.
 */
export async function runSuite(options: RunOptions): Promise<SuiteRun> {
  const nowMs = options.nowMs ?? (() => performance.now());
  const beganMs = nowMs();
  const judge = options.judge ?? RULE_JUDGE;
  const parallel = checkedParallel(options.parallel ?? PARALLEL);
  const strategies = withBaselines(options);
  const plan = options.scenes.map((scene) => ({ scene, jobs: jobsOf(options, scene, strategies, judge) }));
  const total = plan.reduce((sum, { jobs }) => sum + jobs.length, 0);
  checkDistinct(plan.flatMap(({ jobs }) => jobs));

  const file = options.out === undefined ? undefined : await RowFile.open(options.out);
  try {
    const planned = new Set(plan.flatMap(({ jobs }) => jobs.map(({ key }) => key)));
    const rows = new Map<string, Row>();
    for (const row of file?.found.rows ?? []) {
      // A question asked again after a failure has two rows; the later one counts.
      if (planned.has(row.key) && !(options.retryFailed && row.failure)) rows.set(row.key, row);
    }
    const reused = rows.size;
    const foreign = (file?.found.rows ?? []).filter(({ key }) => !planned.has(key)).length;
    let failures = [...rows.values()].filter(({ failure }) => failure).length;
    const report = (scene: string) => {
      const asked = rows.size - reused;
      const pace = asked === 0 ? null : (nowMs() - beganMs) / asked;
      options.onProgress?.({
        done: rows.size,
        total,
        failed: failures,
        reused,
        scene,
        leftS: pace === null ? null : ((total - rows.size) * pace) / 1000,
      });
    };
    for (const { scene, jobs } of plan) {
      const missing = jobs.filter(({ key }) => !rows.has(key));
      if (missing.length === 0) continue;
      throwIfAborted(options.signal);
      report(scene.id);
      await runScene(options, scene, missing, { judge, parallel }, async (row) => {
        await file?.append(row);
        rows.set(row.key, slim(row));
        if (row.failure) failures++;
        report(scene.id);
      });
    }
    return {
      suite: options.suite,
      commit: options.commit,
      judge: judge.id,
      strategies: strategies.map(({ id }) => id),
      settings: Object.fromEntries(strategies.map(({ id, settings }) => [id, settings ?? {}])),
      notes: options.notes ?? [],
      seeds: [...new Set(options.scenes.map(({ seed }) => seed))],
      questions: plan.flatMap(({ scene }) =>
        scene.questions.map((question) => ({ scene: scene.id, question })),
      ),
      malformedQuestions: options.scenes.flatMap(({ id, malformed = [] }) =>
        malformed.map((line) => ({ scene: id, ...line })),
      ),
      rows: plan.flatMap(({ jobs }) => jobs.map(({ key }) => rows.get(key)!)),
      asked: rows.size - reused,
      reused,
      torn: file?.found.torn ?? 0,
      malformed: file?.found.malformed ?? [],
      malformedTotal: file?.found.malformedTotal ?? 0,
      foreign,
      wallMs: nowMs() - beganMs,
    };
  } finally {
    await file?.close();
  }
}

async function runScene(
  options: RunOptions,
  scene: SuiteScene,
  jobs: readonly Job[],
  { judge, parallel }: { readonly judge: Judge; readonly parallel: number },
  done: (row: Row) => Promise<void>,
): Promise<void> {
  const signal = options.signal ?? new AbortController().signal;
  const identity = (job: Job) => ({
    format: 1 as const,
    key: job.key,
    suite: options.suite,
    scene: scene.id,
    seed: scene.seed,
    questionId: job.question.id,
    strategy: job.strategy.id,
    commit: options.commit,
    configuration: job.configuration,
    models: { ...job.strategy.models },
    judge: judge.id,
  });
  let memory: SceneMemory | undefined;
  let size: Pick<Row["machine"], "memoryBytes" | "memorySpanUs">;
  try {
    memory = await scene.open(signal);
    const { bytes, firstUs, lastUs } = await memory.reader.stats();
    size = { memoryBytes: bytes, memorySpanUs: firstUs === null || lastUs === null ? 0 : lastUs - firstUs };
  } catch (error) {
    await memory?.close();
    throwIfAborted(signal);
    for (const job of jobs) await done({ ...identity(job), ...failed(job.question, scene, "memory", error) });
    return;
  }
  try {
    const context: AskContext = {
      suite: options.suite,
      scene,
      memory,
      judge,
      signal,
      timeoutMs: options.questionTimeoutMs ?? QUESTION_TIMEOUT_MS,
    };
    await inParallel(jobs, parallel, async (job) => {
      throwIfAborted(signal);
      const outcome = await askOne(context, job.question, job.strategy);
      await done({ ...identity(job), ...outcome, machine: { ...outcome.machine, ...size } });
    });
  } finally {
    await memory.close();
  }
}

function jobsOf(
  options: RunOptions,
  scene: SuiteScene,
  strategies: readonly Strategy[],
  judge: Judge,
): Job[] {
  return scene.questions.flatMap((question) =>
    strategies.map((strategy) => ({
      question,
      strategy,
      ...rowIdentity(options, scene, question, strategy, judge),
    })),
  );
}

function withBaselines({ strategies: given, beside }: RunOptions): Strategy[] {
  const ids = new Set(given.map(({ id }) => id));
  if (ids.size !== given.length)
    throw new LociError(
      "invalid-input",
      `each strategy is given once, got ${given.map(({ id }) => id).join(", ")}`,
    );
  const wanted = ({ id }: Strategy) => !ids.has(id) && (beside === undefined || beside.includes(id));
  return [...baselines().filter(wanted), ...given];
}

function checkDistinct(jobs: readonly Job[]): void {
  const keys = new Set<string>();
  for (const { key, question } of jobs) {
    if (keys.has(key))
      throw new LociError("invalid-input", `the question ${question.id} is in its scene twice`);
    keys.add(key);
  }
}

function checkedParallel(parallel: number): number {
  if (Number.isInteger(parallel) && parallel >= 1 && parallel <= MAX_PARALLEL) return parallel;
  throw new LociError(
    "invalid-input",
    `parallel: a whole number from 1 to ${MAX_PARALLEL} expected, got ${parallel}`,
  );
}

/** One line for a terminal: progress, failures, remaining time. */
export function progressLine({ done, total, failed: wrong, scene, leftS }: RunProgress): string {
  const left = leftS === null ? "" : `, ${durationText(leftS)} left`;
  return `${done}/${total}${wrong > 0 ? `, ${wrong} failed` : ""}${left} · ${scene}`;
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

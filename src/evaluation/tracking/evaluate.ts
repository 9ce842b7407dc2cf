import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { throwIfAborted } from "../../schema/index.ts";
import { allNoise } from "../../world/noise/index.ts";
import { type FamilyName, type RecordOptions, recordHouse } from "../../world/recorder/index.ts";
import { type Experiments, runExperiments } from "./experiments.ts";
import { ingestAndScore, type TrackingPipeline } from "./pipeline.ts";
import type { TrackingScore } from "./score.ts";
import { formatSummary, summarise, type TrackingSummary } from "./summary.ts";

export interface TrackingEvalOptions {
  readonly pipeline: TrackingPipeline;
  readonly seeds: readonly (number | string)[];
  readonly minutes?: number;
  readonly fps?: number;
  readonly noise?: number;
  /** Events per hour; more than in a usual house, so that there are moves to count. */
  readonly rate?: number;
  /** Rooms per house, on one floor: a robot tours a small house several times and sees changes. */
  readonly rooms?: number;
  /** Which kind of world; default houses. */
  readonly family?: FamilyName | undefined;
  /** How many of the seeds also run the experiments; they take five times as long. */
  readonly experiments?: number;
  /** Robots, all but the first with unaligned maps of their own; default 1. */
  readonly agents?: number;
  /** Where finished seeds are kept, so that an interrupted run resumes. */
  readonly out?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

export interface TrackingReport {
  readonly settings: {
    readonly minutes: number;
    readonly fps: number;
    readonly noise: number;
    readonly rate: number;
    readonly rooms?: number;
    readonly family?: FamilyName;
    readonly agents?: number;
  };
  readonly summary: TrackingSummary;
  readonly experiments: readonly Experiments[];
  readonly scores: readonly TrackingScore[];
}

interface SeedResult {
  readonly score: TrackingScore;
  readonly experiments?: Experiments;
}

/** Simulates, ingests and scores a house for each seed; same options, same report. */
export async function evaluateTracking(options: TrackingEvalOptions): Promise<TrackingReport> {
  const { minutes = 10, fps = 2, noise = 0.5, rate = 120, experiments = 0 } = options;
  const tour = {
    minutes,
    fps,
    noise,
    rate,
    ...(options.rooms !== undefined && { rooms: options.rooms }),
    ...(options.family !== undefined && options.family !== "house" && { family: options.family }),
    ...(options.agents !== undefined && options.agents > 1 && { agents: options.agents }),
  };
  const results: SeedResult[] = [];
  for (const [n, seed] of options.seeds.entries()) {
    throwIfAborted(options.signal);
    const settings = { seed, ...tour, experiments: n < experiments };
    const kept = options.out && join(options.out, `${seed}-${digestOf(settings)}.json`);
    const known = kept && (await readKept(kept));
    const result = known || (await evaluateSeed(settings, options));
    if (kept && !known) await keep(kept, result);
    results.push(result);
    const { tracks } = result.score;
    options.onProgress?.(
      `seed ${seed} (${n + 1}/${options.seeds.length}): ${tracks.precision.hits} of ${tracks.precision.total} tracks right, ` +
        `${tracks.recall.hits} of ${tracks.recall.total} things found`,
    );
  }
  const scores = results.map(({ score }) => score);
  return {
    settings: tour,
    summary: summarise(scores),
    experiments: results.flatMap((result) => result.experiments ?? []),
    scores,
  };
}

/** The report as text: the figures, the experiments, and examples of errors. */
export function formatTrackingReport({ settings, summary, experiments, scores }: TrackingReport): string {
  const { minutes, fps, noise, rate, rooms, family = "house", agents = 1 } = settings;
  const robots = agents > 1 ? `, ${agents} robots with maps of their own` : "";
  const worlds = family === "campus" ? "campuses" : `${family}s`;
  const houses = rooms === undefined ? worlds : `${worlds} of ${rooms} rooms`;
  const lines = [
    `simulated ${houses}, ${minutes} min at ${fps} frames/s, noise ${noise}, ${rate} events/h${robots}`,
    "",
    formatSummary(summary),
  ];
  for (const { seed, growth, order, drift, budget } of experiments) {
    lines.push(
      "",
      `seed ${seed}`,
      `  nothing happening, even frames, then odd: ${growth.before} → ${growth.after} tracks (${percent(growth.share)}; ≤ 5 % asked)`,
      `  nothing happening, shuffled order: ${order.matched} of ${order.ordered} and ${order.shuffled} tracks match (${percent(order.share)}; ≥ 95 % asked)`,
      `  place error with drift ${drift.withDriftM.toFixed(3)} m, without ${drift.withoutDriftM.toFixed(3)} m (ratio ${drift.ratio.toFixed(2)}; ≤ 1.2 asked)`,
      `  10 % of the bytes: ${budget.bytesBefore} → ${budget.bytesAfter} (budget ${budget.budgetBytes}), answers ${percent(budget.answersBefore)} → ${percent(budget.answersAfter)} of ${budget.questions}, ${percent(budget.answersLost)} right before and wrong after`,
    );
  }
  const faults = (["tracks", "identity", "twins", "moves", "absences", "rooms"] as const).flatMap((figure) =>
    scores
      .flatMap(({ seed, [figure]: { examples } }) => examples.slice(0, 3).map((one) => `  ${seed} ${one}`))
      .slice(0, 12),
  );
  return [...lines, "", "some of what went wrong", ...faults].join("\n");
}

type SeedSettings = TrackingReport["settings"] & {
  readonly seed: number | string;
  readonly experiments: boolean;
};

async function evaluateSeed(settings: SeedSettings, options: TrackingEvalOptions): Promise<SeedResult> {
  const folder = await mkdtemp(join(tmpdir(), "loci-tracking-"));
  const { signal, pipeline } = options;
  try {
    const record = async (name: string, change: Partial<RecordOptions> = {}) => {
      const { seed, minutes, fps, noise, rate, rooms, family = "house", agents = 1 } = settings;
      const out = join(folder, name);
      const size = rooms === undefined ? {} : { rooms, ...(family === "house" && { floors: 1 }) };
      await recordHouse(
        { family, seed, agents, minutes, fps, noise, rate, ...size, lidar: false, out, ...change },
        { signal },
      );
      return out;
    };
    const context = { pipeline, folder, ...(signal && { signal }) };
    const recording = await record("recording");
    const memory = join(folder, "memory");
    const score = await ingestAndScore(context, recording, memory);
    if (!settings.experiments) return { score };
    const recordWithoutDrift = () =>
      record("without-drift", { noise: { ...allNoise(settings.noise), pose: 0 } });
    const recordWithoutEvents = () => record("without-events", { rate: 0 });
    const first = { recording, memory, score, recordWithoutDrift, recordWithoutEvents };
    return { score, experiments: await runExperiments(context, first) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function digestOf(settings: SeedSettings): string {
  return createHash("sha256").update(JSON.stringify(settings)).digest("hex").slice(0, 12);
}

/** Written atomically: a killed run leaves at most a partial temporary file. */
async function keep(path: string, result: SeedResult): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(`${path}.partial`, JSON.stringify(result));
  await rename(`${path}.partial`, path);
}

async function readKept(path: string): Promise<SeedResult | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as SeedResult);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

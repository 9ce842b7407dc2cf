import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestInto } from "../../compose/ingest.ts";
import { textReaderFor } from "../../compose/ingest-eyes.ts";
import { openMemory } from "../../compose/memory.ts";
import { type QuestionRecord, throwIfAborted } from "../../schema/index.ts";
import { openRecording } from "../../sensors/index.ts";
import { allNoise } from "../../world/noise/index.ts";
import { QUESTIONS_FILE, recordHouse, TRUTH_FILE } from "../../world/recorder/index.ts";
import { readQuestions } from "../datasets/index.ts";
import { evaluateSuite, type SceneMemory } from "../runner/index.ts";
import { systemStrategy } from "../runner/system-strategy.ts";
import { sceneMemory } from "../suites/kept-memory.ts";
import type { Ratio } from "../tracking/ratio.ts";
import { readTruth } from "../tracking/truth.ts";
import { blindfolded, type Pixels } from "./blindfold.ts";
import { countTracks, LEAST_M, type TrackCounts, type WrongTracks } from "./count-tracks.ts";
import { isAboutWriting, isOutOfSight } from "./out-of-sight.ts";

export interface EyesEvalOptions {
  readonly seeds: readonly (number | string)[];
  readonly minutes?: number;
  readonly fps?: number;
  readonly noise?: number;
  readonly rooms?: number;
  /** Questions of the suite openeqa per house, asked of both memories; default none. */
  readonly count?: number | undefined;
  readonly wording?: "dev" | "test" | undefined;
  /** Its `LOCI_PACKAGES` names a folder with optional packages: a faster runtime, and a text reader. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

/** Counts for one house and one kind of detection. */
export interface EyesScore extends TrackCounts {
  readonly seed: string;
  readonly seen: "masks" | "eyes";
  /** Sum of the answers' marks, of 1 each. */
  readonly answers: Ratio;
  /** Those about text on things: masks contain it, and few of these texts are legible at this size. */
  readonly writing: Ratio;
  /** Text and everything else that masks contain and no picture shows (`out-of-sight.ts`). */
  readonly outOfSight: Ratio;
  readonly framesPerS: number;
}

export interface EyesReport {
  readonly settings: {
    readonly minutes: number;
    readonly fps: number;
    readonly noise: number;
    /** The text reader for our eyes; "none" without one. */
    readonly reader: string;
  };
  readonly scores: readonly EyesScore[];
}

const SUITE = "openeqa";
/** A typical robot camera: narrower than the simulator's usual one, which shows little of anything. */
const CAMERA = { size: { width: 320, height: 240 }, horizontalFovDeg: 70 } as const;

/**
 * The same houses remembered twice: with the simulator's masks, and by our own eyes from colour and depth alone. Same
 * options, same report.
 */
export async function evaluateEyes(options: EyesEvalOptions): Promise<{ report: EyesReport; text: string }> {
  const { minutes = 3, fps = 2, noise = 0.5, environment = {}, signal, onProgress } = options;
  const reader = await textReaderFor("auto", environment);
  const scores: EyesScore[] = [];
  for (const seed of options.seeds) {
    for (const seen of ["masks", "eyes"] as const) {
      throwIfAborted(signal);
      const folder = await mkdtemp(join(tmpdir(), "loci-eyes-"));
      try {
        onProgress?.(`house ${seed}: ${seen}`);
        // The other noises are unchanged: the same pictures, with exact masks.
        const levels = seen === "eyes" ? { ...allNoise(noise), masks: 0 } : noise;
        const { count = 0, wording = "dev", rooms } = options;
        const asked = count > 0 && ({ questions: SUITE, questionCount: count, wording } as const);
        const house = { family: "house", seed, minutes, fps, noise: levels, ...CAMERA } as const;
        await recordHouse(
          { ...house, ...(rooms !== undefined && { rooms }), ...asked, out: join(folder, "recording") },
          signal ? { signal } : {},
        );
        scores.push({
          seed: String(seed),
          seen,
          ...(await scoreSeen(folder, { seen, reader, environment, isAsked: count > 0, signal })),
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  }
  const report = { settings: { minutes, fps, noise, reader }, scores };
  return { report, text: tableOf(report) };
}

async function scoreSeen(
  folder: string,
  {
    seen,
    reader: ocr,
    environment,
    isAsked,
    signal,
  }: {
    readonly seen: EyesScore["seen"];
    readonly reader: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly isAsked: boolean;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Omit<EyesScore, "seed" | "seen">> {
  const source = join(folder, "recording");
  const truth = await readTruth(join(source, TRUTH_FILE));
  const memory = await openMemory(join(folder, "memory"));
  const startedMs = performance.now();
  try {
    const recording = await openRecording(source);
    const pixels: Pixels | undefined = seen === "eyes" ? new Map() : undefined;
    const shown = pixels ? await blindfolded(recording, pixels, environment) : recording;
    const request = pixels ? { ocr, environment } : {};
    const { frames } = await ingestInto(memory, shown, request).finally(() => recording.close());
    const framesPerS = frames / ((performance.now() - startedMs) / 1_000);
    const counts = await countTracks(await memory.reader(), truth, pixels);
    const { questions } = isAsked ? await readQuestions(join(source, QUESTIONS_FILE)) : { questions: [] };
    const scene = await sceneMemory(memory);
    const answers = await marksOf(scene, questions, signal);
    const writing = await marksOf(scene, questions.filter(isAboutWriting), signal);
    const hidden = questions.filter((question) => isOutOfSight(question, truth));
    return { ...counts, answers, writing, outOfSight: await marksOf(scene, hidden, signal), framesPerS };
  } finally {
    await memory.close();
  }
}

/** The sum of the answers' marks. */
async function marksOf(
  scene: Omit<SceneMemory, "close">,
  questions: readonly QuestionRecord[],
  signal: AbortSignal | undefined,
): Promise<Ratio> {
  if (questions.length === 0) return { hits: 0, total: 0 };
  const strategy = systemStrategy("rules");
  const { results } = await evaluateSuite({
    suite: SUITE,
    scenes: [{ id: SUITE, seed: SUITE, questions, open: async () => ({ ...scene, close: async () => {} }) }],
    strategies: [strategy],
    beside: [],
    commit: "here",
    ...(signal && { signal }),
  });
  const { n, match } = results.find((result) => result.strategy === strategy.id)!.overall;
  return { hits: (match.value / 100) * n, total: n };
}

function tableOf({ settings, scores }: EyesReport): string {
  const share = ({ hits, total }: Ratio) =>
    total === 0 ? "–" : `${(hits / total).toFixed(2)} (${Math.round(hits)}/${total})`;
  const less = (all: Ratio, part: Ratio): Ratio => ({
    hits: all.hits - part.hits,
    total: all.total - part.total,
  });
  const rows = (["masks", "eyes"] as const).map((seen) => {
    const own = scores.filter((score) => score.seen === seen);
    const sum = (
      key: "precision" | "recall" | "named" | "namesRight" | "answers" | "writing" | "outOfSight",
    ): Ratio =>
      own.reduce(
        (all, score) => ({ hits: all.hits + score[key].hits, total: all.total + score[key].total }),
        { hits: 0, total: 0 },
      );
    const wrong = (key: keyof WrongTracks) => own.reduce((all, score) => all + score.wrong[key], 0);
    const cells = [
      ...(["recall", "precision", "named", "namesRight"] as const).map((key) => share(sum(key))),
      `${wrong("pieces")} / ${wrong("merged")} / ${wrong("ghosts")}`,
      share(sum("answers")),
      share(less(sum("answers"), sum("writing"))),
      share(less(sum("answers"), sum("outOfSight"))),
    ];
    return `| ${seen} | ${cells.join(" | ")} |`;
  });
  return [
    `${new Set(scores.map(({ seed }) => seed)).size} houses, ${settings.minutes} minutes each, noise ${settings.noise}; things of ${LEAST_M * 100} cm and more; writing read by ${settings.reader === "none" ? "nobody" : settings.reader}`,
    "| seen by | recall | precision | tracks with a name | names right | pieces / merged / ghosts | answers | … not about writing | … of what can be seen |",
    "|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { throwIfAborted } from "../../schema/index.ts";
import { makeQuestions, suiteOf } from "../../world/questions/index.ts";
import { imagineHouse, type RecordOptions, recordHouse } from "../../world/recorder/index.ts";
import { readQuestions } from "../datasets/index.ts";
import type { SceneMemory, SuiteScene } from "../runner/index.ts";

export interface SimulatedOptions {
  readonly suite: NonNullable<RecordOptions["questions"]>;
  readonly seeds: readonly (number | string)[];
  readonly minutes: number;
  readonly fps: number;
  readonly noise: number;
  /** Questions of each seed. */
  readonly count: number;
  readonly wording: "dev" | "test";
  /** Where recordings and memories are kept; existing ones are reused. */
  readonly folder: string;
  readonly rate?: number | undefined;
  readonly agents?: number | undefined;
  /** Ingests a recording into a memory folder, and opens it. */
  readonly ingest: (recording: string, memory: string, signal?: AbortSignal) => Promise<SceneMemory>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

/**
 * One scene per seed: a world of the suite's family is simulated, toured and asked about; its memory is made on
 * demand.
 */
export async function simulatedScenes(options: SimulatedOptions): Promise<SuiteScene[]> {
  const family = suiteOf(options.suite).family ?? "house";
  const { suite, seeds, minutes, fps, noise, count, wording, rate, agents } = options;
  await mkdir(options.folder, { recursive: true });
  const scenes: SuiteScene[] = [];
  for (const seed of seeds) {
    throwIfAborted(options.signal);
    const tour = {
      family,
      seed,
      minutes,
      fps,
      noise,
      lidar: false,
      ...(rate !== undefined && { rate }),
      ...(agents !== undefined && { agents }),
    };
    const name = [
      ...(family === "house" ? [] : [family]),
      seed,
      minutes,
      fps,
      noise,
      rate ?? "",
      agents ?? 1,
    ].join("_");
    const recording = join(options.folder, `recording_${name}`);
    const memory = join(options.folder, `memory_${name}`);
    const file = join(options.folder, `questions_${name}_${suite}_${count}_${wording}.jsonl`);
    if (!(await exists(file))) {
      const { world } = imagineHouse({ ...tour, out: recording });
      const made = makeQuestions(world, { suite, count, seed, wording });
      await writeFile(file, made.map((question) => `${JSON.stringify(question)}\n`).join(""));
    }
    const { questions, malformed } = await readQuestions(file);
    scenes.push({
      id: `${family}-${seed}`,
      seed: String(seed),
      questions,
      malformed,
      open: async (signal) => {
        if (!(await exists(recording))) {
          options.onProgress?.(`seed ${seed}: simulating`);
          await recordHouse({ ...tour, out: recording }, { signal });
        }
        options.onProgress?.(`seed ${seed}: ingesting`);
        return options.ingest(recording, memory, signal);
      },
    });
  }
  return scenes;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

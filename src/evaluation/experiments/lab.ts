import { createHash } from "node:crypto";
import { mkdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelRoles } from "../../models/index.ts";
import { type QuestionRecord, throwIfAborted } from "../../schema/index.ts";
import type { FamilyName } from "../../world/families/family.ts";
import type { NoiseLevels } from "../../world/noise/index.ts";
import { makeQuestions, type QuestionWorld } from "../../world/questions/index.ts";
import type { SuiteName } from "../../world/questions/suites.ts";
import { imagineHouse, type RecordOptions, recordHouse } from "../../world/recorder/index.ts";
import { readQuestions } from "../datasets/index.ts";
import type { SceneMemory, SuiteScene } from "../runner/suite.ts";
import { ingestOnce } from "../suites/kept-memory.ts";

/** A toured house: everything that determines the recording except its seed. */
export interface Tour {
  /** Default: a house. */
  readonly family?: FamilyName;
  readonly minutes: number;
  readonly fps: number;
  readonly noise: number | Partial<NoiseLevels>;
  /** Things that happen in an hour. */
  readonly rate: number;
  readonly rooms?: number;
  readonly floors?: number;
  readonly people?: number;
}

/**
 * One tour for most experiments, so that one memory per seed serves them all: long enough for NaVQA's long questions
 * (seven minutes and more), small enough to simulate and ingest five houses within minutes on two cores.
 */
export const STANDARD_TOUR: Tour = { minutes: 8, fps: 1, noise: 0.5, rate: 120, rooms: 6, floors: 1 };

/**
 * A number of questions of a suite, of these kinds only; or an experiment's own questions, generated from the truth.
 */
export type Wanted =
  | {
      readonly suite: SuiteName;
      readonly count: number;
      readonly only?: (question: QuestionRecord) => boolean;
      /** Identifies the filter in the cache. */
      readonly kinds?: string;
    }
  | {
      readonly kinds: string;
      readonly make: (world: QuestionWorld, seed: number | string) => readonly QuestionRecord[];
    };

/**
 * As long as the papers' own memories (NaVQA's long questions go back half an hour and more); at half a frame per
 * second every shelf and corner is seen several times.
 */
export const LONG_WAREHOUSE: Tour = { family: "warehouse", minutes: 30, fps: 0.5, noise: 0.5, rate: 60 };
export const LONG_CAMPUS: Tour = { family: "campus", minutes: 36, fps: 0.5, noise: 0.5, rate: 60 };

/** Another memory of the same recordings. */
export interface Variant {
  /** Its name on disk. */
  readonly name: string;
  readonly make: (from: {
    readonly recording: string;
    /** The folder of the default memory. */
    readonly plain: string;
    readonly folder: string;
    readonly signal: AbortSignal;
  }) => Promise<SceneMemory>;
}

export interface LabOptions {
  readonly seeds: readonly (number | string)[];
  /** Where recordings, memories, questions and rows are kept for the next run. */
  readonly folder: string;
  readonly commit: string;
  readonly wording: "dev" | "test";
  readonly models?: ModelRoles | undefined;
  /** Also fetch pictures of wrong answers' evidence for a report. */
  readonly withPictures?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** Makes experiments' data: simulated houses and their memories, each made once per seed and kept on disk. */
export class Lab {
  readonly seeds: LabOptions["seeds"];
  readonly folder: string;
  readonly commit: string;
  readonly wording: "dev" | "test";
  readonly models: ModelRoles | undefined;
  readonly withPictures: boolean;
  readonly signal: AbortSignal;
  readonly #onProgress: (line: string) => void;
  readonly #worlds = new Map<string, QuestionWorld>();

  constructor(options: LabOptions) {
    this.seeds = options.seeds;
    this.folder = options.folder;
    this.commit = options.commit;
    this.wording = options.wording;
    this.models = options.models;
    this.withPictures = options.withPictures ?? false;
    this.signal = options.signal ?? new AbortController().signal;
    this.#onProgress = options.onProgress ?? (() => {});
  }

  progress(line: string): void {
    this.#onProgress(line);
  }

  /** One scene per seed, with the requested questions. */
  async scenes(
    wanted: readonly Wanted[],
    tour: Tour = STANDARD_TOUR,
    variant?: Variant,
  ): Promise<SuiteScene[]> {
    await mkdir(this.folder, { recursive: true });
    const scenes: SuiteScene[] = [];
    for (const seed of this.seeds) {
      throwIfAborted(this.signal);
      scenes.push({
        id: sceneOf(seed, tour),
        seed: String(seed),
        ...(await this.#questions(seed, tour, wanted)),
        open: () => this.memory(seed, tour, variant),
      });
    }
    return scenes;
  }

  /** Simulates and ingests what does not exist yet. */
  async memory(seed: number | string, tour: Tour, variant?: Variant): Promise<SceneMemory> {
    const key = keyOf(seed, tour);
    const recording = join(this.folder, `recording_${key}`);
    if (!(await exists(recording))) {
      this.progress(`${sceneOf(seed, tour)}: simulating ${tour.minutes} min`);
      await recordHouse(this.#recording(seed, tour, recording), { signal: this.signal });
    }
    this.progress(`${sceneOf(seed, tour)}: its memory`);
    const plain = join(this.folder, `memory_${key}`);
    if (!variant) return ingestOnce(recording, plain, this.signal);
    return variant.make({ recording, plain, folder: `${plain}_${variant.name}`, signal: this.signal });
  }

  /** The truth of a house, for questions outside the suites. */
  world(seed: number | string, tour: Tour): QuestionWorld {
    const key = keyOf(seed, tour);
    const known = this.#worlds.get(key) ?? imagineHouse(this.#recording(seed, tour, "unused")).world;
    this.#worlds.clear();
    this.#worlds.set(key, known);
    return known;
  }

  async #questions(seed: number | string, tour: Tour, wanted: readonly Wanted[]) {
    const named = wanted.map((one) =>
      "make" in one ? [one.kinds] : [one.suite, one.count, one.kinds ?? ""],
    );
    const file = join(this.folder, `questions_${keyOf(seed, tour)}_${digest([named, this.wording])}.jsonl`);
    if (!(await exists(file))) {
      this.progress(`${sceneOf(seed, tour)}: questions`);
      const world = this.world(seed, tour);
      const made = wanted.flatMap((one) => {
        if ("make" in one) return one.make(world, seed);
        const { suite, count, only = () => true } = one;
        const asked = { suite, count, seed, wording: this.wording, withoutPaths: true };
        return makeQuestions(world, asked).filter(only);
      });
      const distinct = [...new Map(made.map((question) => [question.id, question])).values()];
      await writeFile(`${file}.new`, distinct.map((question) => `${JSON.stringify(question)}\n`).join(""));
      await rename(`${file}.new`, file);
    }
    return readQuestions(file);
  }

  #recording(seed: number | string, tour: Tour, out: string): RecordOptions {
    const { family = "house", ...rest } = tour;
    return { ...rest, family, seed, lidar: false, out };
  }
}

/** The name of a place among the scenes of a run. */
export const sceneOf = (seed: number | string, { family = "house" }: Tour) => `${family}-${seed}`;

function keyOf(seed: number | string, tour: Tour): string {
  const { family = "house", minutes, fps, noise, rate, rooms, floors, people } = tour;
  const level = typeof noise === "number" ? noise : digest(noise);
  return [
    ...(family === "house" ? [] : [family]),
    seed,
    minutes,
    fps,
    level,
    rate,
    rooms ?? "",
    floors ?? "",
    people ?? "",
  ].join("_");
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 10);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

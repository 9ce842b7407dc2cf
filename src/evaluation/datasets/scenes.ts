import { open } from "node:fs/promises";
import { openMemory } from "../../compose/memory.ts";
import { evenly, floatingViews, MAX_PICTURES, readPictures } from "../../compose/pictures.ts";
import { distance, type Vec3 } from "../../geometry/index.ts";
import { eachHit, type WriteBatch } from "../../memory/index.ts";
import type { EncodedImage } from "../../models/index.ts";
import { LIMITS, LociError } from "../../schema/index.ts";
import type { SceneMemory, SuiteScene } from "../runner/suite.ts";
import { sceneMemory } from "../suites/kept-memory.ts";
import { type Dataset, type DatasetScene, type PictureSource, SOME_TIME_US } from "./dataset.ts";

/** An empty memory for a scene, with a write function that also embeds texts. */
export interface FillableMemory extends Omit<SceneMemory, "tracksOf"> {
  write(batch: WriteBatch): Promise<unknown>;
}

export interface ScenesOptions {
  readonly withExcluded?: boolean;
  /** Ask even without facts: then only blind answerers can know anything. */
  readonly withoutFacts?: boolean;
  /** Opens the memory of a recording: made once and kept. */
  readonly ingest?: (recording: string, sceneId: string, signal: AbortSignal) => Promise<FillableMemory>;
}

const BATCH = 2_000;

/**
 * A dataset as scenes of a suite. `make` gives an empty memory for a scene; its facts are written when the first
 * question needs it. Excluded questions are left out unless requested.
 */
export function scenesOf(
  dataset: Dataset,
  make: (sceneId: string) => Promise<FillableMemory>,
  options: ScenesOptions = {},
): SuiteScene[] {
  const excluded = new Set(options.withExcluded ? [] : dataset.excluded.map(({ questionId }) => questionId));
  return dataset.scenes.map((scene) => ({
    id: scene.id,
    seed: "",
    questions: scene.questions.filter(({ id }) => !excluded.has(id)),
    ...(scene.floorAreaM2 === undefined ? {} : { floorAreaM2: scene.floorAreaM2 }),
    async open(signal) {
      if (scene.memory !== undefined) return sceneMemory(await openMemory(scene.memory, { create: false }));
      if (scene.recording !== undefined && options.ingest)
        return withWay(await options.ingest(scene.recording, scene.id, signal));
      const memory = await make(scene.id);
      try {
        if (scene.records.length === 0 && scene.pictures === undefined && !options.withoutFacts)
          throw new LociError(
            "not-supported",
            `${scene.id}: the dataset has questions but no facts; ingest its recording first`,
          );
        await fill(memory, scene, signal);
      } catch (error) {
        await memory.close();
        throw error;
      }
      // The targets of these questions are already track ids.
      return { ...memory, tracksOf: (id: string) => [id] };
    },
  }));
}

/** Pose noise at standstill is smaller than this. */
const STEP_M = 0.02;

/**
 * Adds the distance that the recording agents travelled: the path between their positions, one agent after the other.
 */
async function withWay<M extends FillableMemory>(memory: M): Promise<M> {
  const last = new Map<string, Vec3>();
  let walkedM = 0;
  const places: { readonly timeUs: number; readonly author: string; readonly position: Vec3 }[] = [];
  for await (const { record, position } of eachHit(memory.reader, "observation"))
    if (position) places.push({ timeUs: record.validFromUs, author: record.author, position });
  for (const { author, position } of places.sort((a, b) => a.timeUs - b.timeUs)) {
    const before = last.get(author);
    const step = before ? distance(before, position) : 0;
    if (before && step < STEP_M) continue;
    walkedM += step;
    last.set(author, position);
  }
  return { ...memory, walkedM };
}

async function fill(
  memory: FillableMemory,
  { records, sightings, frames = [], pictures = [] }: DatasetScene,
  signal: AbortSignal,
): Promise<void> {
  if (frames.length > 0) await memory.write({ frames });
  if (pictures.length > 0)
    await memory.write(
      floatingViews(await Promise.all(evenly(pictures, MAX_PICTURES).map(read)), SOME_TIME_US),
    );
  for (let start = 0; start < records.length; start += BATCH) {
    signal.throwIfAborted();
    await memory.write({ records: records.slice(start, start + BATCH) });
  }
  for (let start = 0; start < sightings.length; start += LIMITS.sightingsPerBatch) {
    await memory.write({ sightings: sightings.slice(start, start + LIMITS.sightingsPerBatch) });
  }
}

async function read(picture: PictureSource): Promise<EncodedImage> {
  if (typeof picture === "string") return (await readPictures([picture]))[0]!;
  const file = await open(picture.file);
  try {
    const bytes = new Uint8Array(picture.bytes);
    const { bytesRead } = await file.read(bytes, 0, picture.bytes, picture.fromByte);
    if (bytesRead < picture.bytes) throw new LociError("invalid-input", `${picture.file} is cut off`);
    return { bytes };
  } finally {
    await file.close();
  }
}

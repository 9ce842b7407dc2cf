import { join } from "node:path";
import type { MemoryReader, MemoryWriter } from "../../memory/index.ts";
import { openRecording, type RecordingReader } from "../../sensors/index.ts";
import { mapsIn, readerInMap } from "../../sharing/index.ts";
import { TRUTH_FILE } from "../../world/recorder/index.ts";
import { scoreMemory, type TrackingScore } from "./score.ts";
import { readTruth } from "./truth.ts";

/** The product as this evaluation uses it; implemented by the composition root. */
export interface TrackingPipeline {
  /** Ingests a recording into a memory folder, which it creates if needed. */
  ingest(recording: RecordingReader, memory: string, options: { signal?: AbortSignal }): Promise<void>;
  open(memory: string): Promise<OpenedMemory>;
}

export interface OpenedMemory {
  readonly reader: MemoryReader;
  writer(): Promise<MemoryWriter>;
  close(): Promise<void>;
}

/** What the experiments of one seed share. */
export interface SeedContext {
  readonly pipeline: TrackingPipeline;
  readonly folder: string;
  readonly signal?: AbortSignal;
}

/** Ingests a recording, or a modified one, into a memory. */
export async function ingestInto(
  { pipeline, signal }: SeedContext,
  recordingPath: string,
  memory: string,
  change: (recording: RecordingReader) => RecordingReader = (same) => same,
): Promise<void> {
  const recording = await openRecording(recordingPath);
  try {
    await pipeline.ingest(change(recording), memory, signal ? { signal } : {});
  } finally {
    await recording.close();
  }
}

export async function reading<T>(
  { pipeline }: SeedContext,
  memory: string,
  use: (opened: OpenedMemory) => Promise<T>,
): Promise<T> {
  const opened = await pipeline.open(memory);
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

/** One recording into a new memory, and its score. */
export async function ingestAndScore(
  context: SeedContext,
  recordingPath: string,
  memory: string,
): Promise<TrackingScore> {
  await ingestInto(context, recordingPath, memory);
  return reading(context, memory, ({ reader }) => scoreWorld(reader, join(recordingPath, TRUTH_FILE)));
}

/** Scores a memory's world map; robots whose maps were not joined to it are ignored. */
export async function scoreWorld(reader: MemoryReader, truthPath: string): Promise<TrackingScore> {
  const maps = await mapsIn(reader, "default");
  const [world, ...others] = maps;
  if (others.length === 0) return scoreMemory(reader, await readTruth(truthPath, world?.agents));
  const truth = await readTruth(truthPath, world!.agents);
  return scoreMemory(await readerInMap(reader, maps, world!.root), truth);
}

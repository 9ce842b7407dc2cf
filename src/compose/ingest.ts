import type { IngestHooks, IngestOptions, IngestSummary, PrivacyPolicyInput } from "../ingest/index.ts";
import type { WriteBatch } from "../memory/port.ts";
import type { ReadOptions, RecordingReader, SourcePlan } from "../sensors/index.ts";
import type { Memory } from "./memory.ts";

export interface IngestRequest {
  readonly sceneId?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly privacy?: PrivacyPolicyInput | undefined;
  readonly mode?: "loci" | "paper" | undefined;
  /** What the files do not tell about themselves. */
  readonly read?: ReadOptions | undefined;
}

/** What lies at a path, before anything is taken in: format, streams, times, poses, conventions, what is missing. */
export async function describeRecording(source: string, read: ReadOptions = {}): Promise<SourcePlan> {
  const { describeSource } = await import("../sensors/index.ts");
  return describeSource(source, read);
}

/** Takes a recording into a memory; may be interrupted and run again. */
export async function ingestRecording(
  memory: Memory,
  source: string,
  request: IngestRequest = {},
  hooks: IngestHooks = {},
): Promise<IngestSummary> {
  const { openRecording } = await import("../sensors/index.ts");
  const recording = await openRecording(source, request.read ?? {});
  try {
    return await ingestInto(memory, recording, request, hooks);
  } finally {
    await recording.close();
  }
}

/** The same for frames that come from anywhere: a live robot, a simulation, a part of a recording. */
export async function ingestInto(
  memory: Memory,
  recording: RecordingReader,
  request: IngestRequest & Pick<IngestOptions, "only"> = {},
  hooks: IngestHooks = {},
): Promise<IngestSummary> {
  const { ingest } = await import("../ingest/index.ts");
  const reader = await memory.reader();
  const embedder = await memory.embedder();
  const background = await memory.background();
  const write = (batch: WriteBatch) => memory.write(batch);
  return ingest(recording, { ...request, reader, embedder, background, write }, hooks);
}

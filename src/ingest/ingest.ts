import { LociError, throwIfAborted } from "../schema/index.ts";
import type { Frame, RecordingReader } from "../sensors/index.ts";
import { IngestCounter, type IngestSummary } from "./counts.ts";
import type { IngestModels, PipelineOptions } from "./options.ts";
import { Pipeline } from "./pipeline.ts";
import { type PrivacyPolicyInput, parsePrivacyPolicy } from "./privacy.ts";
import { ReorderBuffer } from "./reorder-buffer.ts";

export interface IngestOptions
  extends Pick<
    PipelineOptions,
    | "reader"
    | "readerNow"
    | "write"
    | "manyWriters"
    | "embedder"
    | "background"
    | "keepsViews"
    | "viewPx"
    | "mapEveryUs"
  > {
  readonly sceneId?: string | undefined;
  /** Access labels of everything stored. */
  readonly labels?: readonly string[] | undefined;
  readonly privacy?: PrivacyPolicyInput | undefined;
  readonly mode?: "loci" | "paper" | undefined;
  readonly models?: IngestModels | undefined;
  /** Only frames that satisfy this: every second one, the first ten minutes. */
  readonly only?: ((frame: Frame) => boolean) | undefined;
}

export interface IngestProgress {
  readonly frames: number;
  readonly totalFrames: number;
  readonly elapsedMs: number;
}

export interface IngestHooks {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
}

/**
 * Ingests a recording into a memory. Frames already stored are skipped. An abort ends it between two frames, as a
 * kill would; running it again completes it. Everything that was not ingested is counted by reason.
 */
export async function ingest(
  recording: RecordingReader,
  options: IngestOptions,
  hooks: IngestHooks = {},
): Promise<IngestSummary> {
  const counter = new IngestCounter();
  const startedMs = performance.now();
  const pipeline = await Pipeline.open({
    reader: options.reader,
    readerNow: options.readerNow,
    write: options.write,
    manyWriters: options.manyWriters,
    embedder: options.embedder,
    background: options.background,
    keepsViews: options.keepsViews,
    viewPx: options.viewPx,
    mapEveryUs: options.mapEveryUs,
    sceneId: options.sceneId ?? "default",
    labels: options.labels ?? [],
    privacy: parsePrivacyPolicy(options.privacy ?? {}),
    mode: options.mode ?? "loci",
    models: options.models ?? {},
    counter,
  });
  const buffer = new ReorderBuffer<Frame>();
  const take = async (ordered: ReturnType<typeof buffer.push>) => {
    for (const { item, lateUs } of ordered) {
      if (lateUs > 0) counter.late++;
      counter.latestByUs = Math.max(counter.latestByUs, lateUs);
      await pipeline.frame(item);
    }
  };
  try {
    for await (const item of recording.items(hooks.signal ? { signal: hooks.signal } : {})) {
      throwIfAborted(hooks.signal);
      if (item.kind === "edge") {
        pipeline.edges([item.edge.edge]);
        continue;
      }
      if (item.kind === "caption" || item.kind === "graph") {
        await pipeline.state(item);
        continue;
      }
      counter.frames++;
      if (options.only?.(item.frame) ?? true) await take(buffer.push(item.frame));
      hooks.onProgress?.({
        frames: counter.frames,
        totalFrames: recording.info.frames,
        elapsedMs: performance.now() - startedMs,
      });
    }
    await take(buffer.flush());
  } catch (error) {
    // Cut short by a damaged file: what was seen until then is stored completely.
    if (hooks.signal?.aborted) await pipeline.settle();
    else await pipeline.finish();
    throw error;
  }
  await pipeline.finish();
  if (counter.frames + counter.statements === 0)
    throw new LociError("invalid-input", "the recording has no frames");
  return counter.summary(performance.now() - startedMs);
}

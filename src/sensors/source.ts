import { LociError } from "../schema/index.ts";
import { isLiveFormat, type LiveCounts } from "./live/formats.ts";
import type { SourcePlan } from "./plan.ts";
import type { RecordingInfo, RecordingItem, RecordingReader } from "./recording.ts";

/** An inspected source: its plan, and its items if it has any. */
export interface OpenSource {
  readonly plan: SourcePlan;
  readonly info: RecordingInfo;
  items(options?: { signal?: AbortSignal | undefined }): AsyncIterable<RecordingItem>;
  live?(): LiveCounts;
  close(): Promise<void>;
}

/** The reader of a source with readable content; otherwise throws what is missing. Closing it closes the source. */
export function readerOf(source: OpenSource): RecordingReader {
  const { plan } = source;
  const isEmpty = isLiveFormat(plan.format)
    ? plan.missing.some((line) => line.startsWith("No camera:"))
    : plan.frames + plan.captions + plan.graphs === 0;
  if (isEmpty) {
    const has = plan.streams.map(({ name }) => name).join(", ");
    throw new LociError(
      "invalid-input",
      `nothing to read in ${plan.path}: ${plan.missing.join(" ")}${has ? ` It has ${has}.` : ""}`.slice(
        0,
        600,
      ),
    );
  }
  return {
    format: plan.format,
    info: source.info,
    world: plan.world,
    times: plan.times,
    items: (options) => source.items(options),
    ...(source.live && { live: () => source.live!() }),
    close: () => source.close(),
  };
}

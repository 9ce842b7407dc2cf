import { ownPoses, rateOf } from "../plan.ts";
import type { OpenSource } from "../source.ts";
import type { MessageSource } from "./message-source.ts";
import { ownItems } from "./own-frames.ts";

/** What `McapRecordingWriter` or `Db3RecordingWriter` wrote, one frame in memory at a time. */
export function ownSource(path: string, source: MessageSource): OpenSource {
  const info = source.ownInfo!;
  const { startUs, endUs, frames } = info;
  // An MCAP message carries the number of its frame; a row of a .db3 follows the other rows of its frame.
  const keyOf =
    source.format === "mcap"
      ? ({ sequence, base }: { sequence: number; base: string }) => `${sequence}${base}`
      : ({ base }: { base: string }) => base;
  return {
    plan: {
      path,
      format: source.format,
      streams: source.topics.map(({ name, type, count }) => {
        const use = name.endsWith("/frame") ? "frames" : "unused";
        return { name, type, count, rateHz: rateOf(count, source.startUs, source.endUs), use };
      }),
      frames,
      captions: 0,
      graphs: 0,
      startUs,
      endUs,
      conventions: ["Written by Loci: every field is read back as it was."],
      ...ownPoses(info),
    },
    info,
    items: ({ signal } = {}) => ownItems(source, keyOf, signal),
    close: () => source.close(),
  };
}

import { ownPoses, rateOf, type SourceStream } from "../plan.ts";
import type { OpenSource } from "../source.ts";
import { EDGES_TOPIC } from "./frame-messages.ts";
import type { MessageSource } from "./message-source.ts";
import { ownItems, ownPartOf } from "./own-frames.ts";

/** Reads what `McapRecordingWriter` or `Db3RecordingWriter` wrote, one frame in memory at a time. */
export function ownSource(path: string, source: MessageSource): OpenSource {
  const info = source.ownInfo!;
  const { startUs, endUs, frames } = info;
  // An MCAP message carries its frame's number; a .db3 row follows the other rows of its frame.
  const keyOf =
    source.format === "mcap"
      ? ({ sequence, base }: { sequence: number; base: string }) => `${sequence}${base}`
      : ({ base }: { base: string }) => base;
  return {
    plan: {
      path,
      format: source.format,
      streams: source.topics.map(({ name, type, count }) => ({
        name,
        type,
        count,
        rateHz: rateOf(count, source.startUs, source.endUs),
        use: useOf(name),
      })),
      frames,
      captions: 0,
      graphs: 0,
      startUs,
      endUs,
      conventions: [
        "Written by Loci: every field is read back as it was; unused topics say the same to other tools.",
      ],
      ...ownPoses(info),
    },
    info,
    items: ({ signal } = {}) => ownItems(source, keyOf, signal),
    close: () => source.close(),
  };
}

/** How one of our topics is used. */
function useOf(name: string): SourceStream["use"] {
  if (name === EDGES_TOPIC) return "poses";
  const part = ownPartOf(name);
  if (part === "color/compressed") return "colour";
  if (part === "depth/image") return "depth";
  return part === "masks/image" || name.endsWith("/frame") ? "frames" : "unused";
}

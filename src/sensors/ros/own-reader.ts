import type { RecordingReader } from "../recording.ts";
import type { MessageSource } from "./message-source.ts";
import { ownItems } from "./own-frames.ts";

/** Reads what `McapRecordingWriter` or `Db3RecordingWriter` wrote, one frame in memory at a time. */
export function ownReader(source: MessageSource): RecordingReader {
  // An MCAP message carries the number of its frame; a row of a .db3 follows the other rows of its frame.
  const keyOf =
    source.format === "mcap"
      ? ({ sequence, base }: { sequence: number; base: string }) => `${sequence}${base}`
      : ({ base }: { base: string }) => base;
  return {
    format: source.format,
    info: source.ownInfo!,
    items: ({ signal } = {}) => ownItems(source, keyOf, signal),
    close: () => source.close(),
  };
}

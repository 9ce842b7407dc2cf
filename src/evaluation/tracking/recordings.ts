import { Random } from "../../geometry/index.ts";
import type { RecordingItem, RecordingReader } from "../../sensors/index.ts";

/** Only the frames of even or odd number; other items come with the even ones. */
export function everyOther(recording: RecordingReader, parity: "even" | "odd"): RecordingReader {
  return withItems(recording, async function* () {
    for await (const item of recording.items()) {
      const isEven = item.kind !== "frame" || item.frame.index % 2 === 0;
      if (isEven === (parity === "even")) yield item;
    }
  });
}

/**
 * All frames in random order after all other items, notably corrections: the map is as good as possible, and nothing
 * is in sequence. Holds the whole recording in memory (a tenth of a megabyte per frame at 160×120).
 */
export function shuffled(recording: RecordingReader, seed: string): RecordingReader {
  return withItems(recording, async function* () {
    const items: RecordingItem[] = [];
    for await (const item of recording.items()) items.push(item);
    yield* items.filter(({ kind }) => kind !== "frame");
    yield* new Random(`shuffled/${seed}`).shuffle(items.filter(({ kind }) => kind === "frame"));
  });
}

function withItems(recording: RecordingReader, items: () => AsyncIterable<RecordingItem>): RecordingReader {
  return { format: recording.format, info: recording.info, items, close: () => recording.close() };
}

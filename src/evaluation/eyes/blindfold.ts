import { openEyes } from "../../compose/ingest-eyes.ts";
import { contentId } from "../../schema/index.ts";
import type { Frame, RecordingItem, RecordingReader } from "../../sensors/index.ts";

/** Pixels of each true segment in a detection, by the detection's id; 0 stands for no thing. */
export type Pixels = Map<string, ReadonlyMap<number, number>>;

/**
 * A recording whose masks are withheld and which is processed by our own eyes; the true segments behind their masks
 * are noted.
 */
export async function blindfolded(
  recording: RecordingReader,
  pixels: Pixels,
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<RecordingReader> {
  const eyes = (await openEyes({ detector: "eyes", environment }))!;
  const withheld = new Map<number, Frame>();
  async function* bare(): AsyncGenerator<RecordingItem> {
    for await (const item of recording.items()) {
      if (item.kind !== "frame") {
        yield item;
        continue;
      }
      const { masks: _masks, detections: _detections, ...rest } = item.frame;
      withheld.set(item.frame.index, item.frame);
      yield { kind: "frame", frame: rest };
    }
  }
  return {
    ...recording,
    close: () => eyes.close(),
    async *items() {
      for await (const item of eyes.through!(bare(), async () => true)) {
        if (item.kind === "frame") {
          note(item.frame, withheld.get(item.frame.index)!, pixels);
          withheld.delete(item.frame.index);
        }
        yield item;
      }
      await eyes.close();
    },
  };
}

function note(seen: Frame, truth: Frame, pixels: Pixels): void {
  if (!seen.masks || !truth.masks) return;
  const counts = new Map<number, Map<number, number>>();
  for (let at = 0; at < seen.masks.data.length; at++) {
    const number = seen.masks.data[at]!;
    if (number === 0) continue;
    const own = counts.get(number) ?? new Map<number, number>();
    counts.set(number, own.set(truth.masks.data[at]!, (own.get(truth.masks.data[at]!) ?? 0) + 1));
  }
  const observation = contentId("obs", "default", seen.agentId, seen.sensorId, seen.timeUs);
  seen.detections?.forEach(({ mask }, n) => {
    pixels.set(contentId("det", observation, n), counts.get(mask ?? 0) ?? new Map());
  });
}

import type { Frame, RecordingReader } from "../../sensors/index.ts";
import type { FoundRecording } from "../ingest.ts";
import { looked } from "../ingest-placing.ts";
import type { Seat } from "../live-frames.ts";
import type { Meter } from "./meter.ts";
import type { Taking } from "./taking.ts";

/** A recording from its beginning to its end: it waits for the memory, so that nothing of it is dropped. */
export async function takeRecording(
  taking: Taking,
  found: FoundRecording,
  { signal, meter, seat }: { readonly signal: AbortSignal; readonly meter: Meter; readonly seat: Seat },
): Promise<void> {
  const { ReorderBuffer } = await import("../../ingest/index.ts");
  const recording = await found.usable(signal);
  meter.reached(recording, found.plan.missing[0]);
  const placed = sized(await taking.placed(recording, found.plan, signal), taking);
  const eyes = await taking.eyes(found.plan);
  try {
    const seen = eyes ? await looked(placed, eyes, (frame) => taking.isWanted(frame)) : placed;
    const buffer = new ReorderBuffer<Frame>();
    const take = async (ordered: ReturnType<typeof buffer.push>) => {
      for (const { item } of ordered) {
        if (signal.aborted) return;
        await meter.take(item, undefined, () => seat.take(item));
        meter.landed(taking.landing?.place ?? taking.arrival);
      }
    };
    for await (const item of seen.items({ signal })) {
      if (signal.aborted) return;
      if (item.kind === "edge") await seat.edges([item.edge.edge]);
      else if (item.kind === "frame") {
        meter.arrived();
        await take(buffer.push(item.frame));
      } else await seat.state(item);
    }
    await take(buffer.flush());
  } finally {
    await eyes?.close();
  }
}

/** The recording with pictures of the size that the profile looks at. */
function sized(recording: RecordingReader, taking: Taking): RecordingReader {
  return {
    ...recording,
    close: () => recording.close(),
    async *items(options = {}) {
      for await (const item of recording.items(options))
        yield item.kind === "frame" ? { kind: "frame", frame: taking.sized(item.frame) } : item;
    },
  };
}

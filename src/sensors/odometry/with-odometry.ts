import { compose, type Transform } from "../../geometry/index.ts";
import type { Slam } from "../../schema/index.ts";
import { BODY_FROM_OPTICAL } from "../axes.ts";
import type { RecordingItem, RecordingReader } from "../recording.ts";

/**
 * A recording whose frames without a pose get one from a tracker, one tracker for each camera. The poses are in a
 * map of the camera's own that begins level at its first picture: nothing tells how it was held. Frames must come
 * in the order in which they were taken; a frame that the tracker lost keeps no pose.
 */
export function withOdometry(reader: RecordingReader, newTracker: () => Slam): RecordingReader {
  async function* items(options?: { signal?: AbortSignal | undefined }): AsyncGenerator<RecordingItem> {
    const trackers = new Map<string, Slam>();
    for await (const item of reader.items(options)) {
      if (item.kind !== "frame" || item.frame.worldFromCamera) {
        yield item;
        continue;
      }
      const { frame } = item;
      const key = `${frame.agentId} ${frame.sensorId}`;
      const tracker = trackers.get(key) ?? newTracker();
      trackers.set(key, tracker);
      const estimate = await tracker.track(frame);
      if (!estimate?.isTracked) {
        yield item;
        continue;
      }
      const worldFromCamera: Transform = compose(BODY_FROM_OPTICAL, estimate.originFromCamera);
      const mapFrame = `${frame.agentId}.${frame.sensorId}.odom`.slice(0, 64);
      yield { kind: "frame", frame: { ...frame, mapFrame, worldFromCamera } };
    }
  }
  return { format: reader.format, info: reader.info, items, close: () => reader.close() };
}

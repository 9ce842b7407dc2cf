import { compose, type Transform } from "../../geometry/index.ts";
import type { Slam } from "../../schema/index.ts";
import { BODY_FROM_OPTICAL } from "../axes.ts";
import type { Frame } from "../frame.ts";
import type { RecordingItem, RecordingReader } from "../recording.ts";

export interface OdometryOptions {
  /** Run the tracker even where the recording has a pose, to compare them. */
  readonly ignorePoses?: boolean | undefined;
}

/**
 * A recording in which frames without a pose get one from a tracker, one tracker per camera. The poses are in the
 * camera's own map, which begins level at its first picture, since nothing says how the camera was held. Frames must
 * come in the order they were taken; a frame that the tracker lost stays without a pose. Depth that the tracker
 * estimated is used if the frame has none.
 */
export function withOdometry(
  reader: RecordingReader,
  newTracker: (frame: Frame) => Slam,
  { ignorePoses = false }: OdometryOptions = {},
): RecordingReader {
  async function* items(options?: { signal?: AbortSignal | undefined }): AsyncGenerator<RecordingItem> {
    const trackers = new Map<string, Slam>();
    for await (const item of reader.items(options)) {
      if (item.kind !== "frame" || (item.frame.worldFromCamera && !ignorePoses)) {
        yield item;
        continue;
      }
      const { worldFromCamera: _recorded, submap: _piece, ...frame } = item.frame;
      const key = `${frame.agentId} ${frame.sensorId}`;
      const tracker = trackers.get(key) ?? newTracker(frame);
      trackers.set(key, tracker);
      const estimate = await tracker.track(frame);
      if (!estimate?.isTracked) {
        yield { kind: "frame", frame };
        continue;
      }
      const worldFromCamera: Transform = compose(BODY_FROM_OPTICAL, estimate.originFromCamera);
      const mapFrame = `${frame.agentId}.${frame.sensorId}.odom`.slice(0, 64);
      const depth = frame.depth ?? estimate.depth;
      yield { kind: "frame", frame: { ...frame, mapFrame, worldFromCamera, ...(depth && { depth }) } };
    }
  }
  return { format: reader.format, info: reader.info, items, close: () => reader.close() };
}

import type { Detector, FoundThing } from "../../models/index.ts";
import { type Detection, type Frame, throwIfAborted } from "../../schema/core.ts";

/** A box that covers less of the depth image than this contains nothing to cut out. */
const LEAST_PX = 2;

/**
 * A frame with a detector's results on its picture added to its existing detections. A frame without a picture is
 * unchanged. Boxes are in pixels of the camera, whatever the picture's own size.
 */
export async function detectIn(
  frame: Frame,
  detector: Detector,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Frame> {
  throwIfAborted(signal);
  const { rgb, intrinsics } = frame;
  if (!rgb) return frame;
  const [sx, sy] = [intrinsics.width / rgb.width, intrinsics.height / rgb.height];
  const found = (await detector.detect(rgb, { signal }))
    .map((thing) => ({ ...detectionOf(thing, sx, sy), namedBy: detector.id }))
    .filter(({ bbox }) => bbox[2] - bbox[0] >= LEAST_PX && bbox[3] - bbox[1] >= LEAST_PX);
  if (found.length === 0) return frame;
  return { ...frame, detections: [...(frame.detections ?? []), ...found] };
}

/**
 * Processes items in order, one ahead of the consumer: a detector runs in its own thread and costs little time if
 * there is a second core. `look` returns items that need no detection unchanged.
 */
export async function* detectAhead<I>(
  items: AsyncIterable<I>,
  look: (item: I) => Promise<I>,
): AsyncGenerator<I> {
  let ahead: Promise<I> | undefined;
  for await (const item of items) {
    const next = look(item);
    // A consumer that stops early never awaits it, so its failure is ignored.
    next.catch(() => {});
    if (ahead) yield await ahead;
    ahead = next;
  }
  if (ahead) yield await ahead;
}

function detectionOf({ bbox, ...rest }: FoundThing, sx: number, sy: number): Detection {
  return { ...rest, bbox: [bbox[0] * sx, bbox[1] * sy, bbox[2] * sx, bbox[3] * sy] };
}

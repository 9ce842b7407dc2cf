import type { Detector, FoundThing } from "../../models/index.ts";
import { throwIfAborted } from "../../schema/core.ts";
import type { PosedDetection, PosedFrame } from "../posed-frame.ts";

/** A box that covers less of the depth image than this has no thing to cut out. */
const LEAST_PX = 2;

/**
 * A frame with what a detector found in its picture added to what was said about it already. A frame without a
 * picture stays as it is. Boxes are given in pixels of the camera, whatever the picture's own size.
 */
export async function detectIn<F extends PosedFrame>(
  frame: F,
  detector: Detector,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<F> {
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
 * Items in their order, each looked at while the one before it is worked on: a detector runs in a thread of its own,
 * and so costs little time where there is a second core. `look` hands back what is not worth it as it is.
 */
export async function* detectAhead<I>(
  items: AsyncIterable<I>,
  look: (item: I) => Promise<I>,
): AsyncGenerator<I> {
  let ahead: Promise<I> | undefined;
  for await (const item of items) {
    const next = look(item);
    // Whoever stops in between never asks for it; its failure is then nobody's concern.
    next.catch(() => {});
    if (ahead) yield await ahead;
    ahead = next;
  }
  if (ahead) yield await ahead;
}

function detectionOf({ bbox, ...rest }: FoundThing, sx: number, sy: number): PosedDetection {
  return { ...rest, bbox: [bbox[0] * sx, bbox[1] * sy, bbox[2] * sx, bbox[3] * sy] };
}

import type { FramePlace } from "../perception/index.ts";
import type { Frame } from "../sensors/index.ts";

/** By the pose that was believed when the frame was taken: it will not move with later corrections. */
export function withoutSubmap(frame: Frame): Frame {
  return frame.worldFromCamera === undefined ? frame : { ...frame, submap: undefined };
}

/** Where a frame lies: in its piece of map, and that in the world. */
export interface Place extends Omit<FramePlace, "observationId"> {
  /** The frame that the submap hangs from; the same where it needs none of its own. */
  readonly parent: string;
}

import type { FramePlace } from "../schema/core.ts";
import type { Frame } from "../sensors/index.ts";

/** The frame at its pose at capture time: later corrections will not move it. */
export function withoutSubmap(frame: Frame): Frame {
  return frame.worldFromCamera === undefined ? frame : { ...frame, submap: undefined };
}

/** The pose of a frame: in its submap, and the submap in the world. */
export interface Place extends FramePlace {
  /** The parent frame of the submap; the same frame if it needs none. */
  readonly parent: string;
}

import type { FramePlace } from "../perception/index.ts";
import type { Frame } from "../sensors/index.ts";

/** A pose that its own localisation is unsure of: a standard deviation past this, in metres or radians. */
const VAGUE_M = 0.5;
const VAGUE_RAD = 0.2;

/** Whether it is. */
export function isVague({ poseSd }: Frame): boolean {
  return poseSd !== undefined && (poseSd.m > VAGUE_M || poseSd.rad > VAGUE_RAD);
}

/** By the pose that was believed when the frame was taken: it will not move with later corrections. */
export function withoutSubmap(frame: Frame): Frame {
  return frame.worldFromCamera === undefined ? frame : { ...frame, submap: undefined };
}

/** Where a frame lies: in its piece of map, and that in the world. */
export interface Place extends Omit<FramePlace, "observationId"> {
  /** The frame that the submap hangs from; the same where it needs none of its own. */
  readonly parent: string;
}

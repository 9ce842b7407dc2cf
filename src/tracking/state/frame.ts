import type { Transform } from "../../geometry/index.ts";
import type { LiftedDetection, Percept } from "../../schema/core.ts";
import type { FrameView } from "./frame-view.ts";
import type { PlacedSolid } from "./shape.ts";
import type { Thing } from "./thing.ts";

/** One detection of the frame with its place in the world. */
export interface Candidate {
  /** Its position among the frame's detections. */
  readonly index: number;
  readonly detection: LiftedDetection;
  readonly solid: PlacedSolid;
}

/** A percept aligned with the known things: the matches, and how well the frame fits. */
export interface AlignedFrame {
  readonly percept: Percept;
  readonly worldFromCamera: Transform;
  readonly view: FrameView;
  readonly candidates: readonly Candidate[];
  readonly matched: readonly (Thing | undefined)[];
  readonly adjudicated: number;
  /** Places more of the frame's detections with the same alignment. */
  readonly place: (use: (index: number) => boolean) => Candidate[];
}

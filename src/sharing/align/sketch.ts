import type { Vec3 } from "../../geometry/index.ts";
import type { FloorRaster } from "../../map/index.ts";
import type { LevelPose } from "./level.ts";

/** A thing as two maps may have it in common. */
export interface SketchThing {
  readonly id: string;
  readonly category: string;
  readonly centre: Vec3;
  readonly sizeM: Vec3;
  /** Whether such things stay where they are for weeks: furniture, doors, appliances. */
  readonly steady: boolean;
  /** The piece of map that it hangs on, where that is known. */
  readonly frame?: string;
}

/** What of a map can be recognised in another, in the coordinates of its root frame. */
export interface MapSketch {
  readonly things: readonly SketchThing[];
  /** States of those who walk about: they say nothing of where a map lies, and are in it. */
  readonly movers?: readonly string[];
  readonly floors: readonly FloorRaster[];
}

/** One piece of a map, which is nearly rigid: what was seen along a few metres of way, in coordinates of its own frame. */
export interface SketchPiece extends MapSketch {
  readonly frame: string;
  /** Who drew it: its pieces follow each other in time. */
  readonly author: string;
  /** How it lies in the map. */
  readonly pose: LevelPose;
}

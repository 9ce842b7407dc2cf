import type { Vec3 } from "../../geometry/index.ts";
import type { FloorRaster } from "../../map/index.ts";
import type { LevelPose } from "./level.ts";

/** A thing as two maps may have it in common. */
export interface SketchThing {
  readonly id: string;
  readonly category: string;
  readonly centre: Vec3;
  readonly sizeM: Vec3;
  /** Whether such things stay in place for weeks: furniture, doors, appliances. */
  readonly steady: boolean;
  /** The submap that anchors it, where that is known. */
  readonly frame?: string;
}

/** The features of a map that can be recognised in another, in the coordinates of its root frame. */
export interface MapSketch {
  readonly things: readonly SketchThing[];
  /** States of moving things such as people and pets: they do not help to place a map, but belong to it. */
  readonly movers?: readonly string[];
  readonly floors: readonly FloorRaster[];
}

/** One submap, which is nearly rigid: what was seen along a few metres of path, in coordinates of its own frame. */
export interface SketchPiece extends MapSketch {
  readonly frame: string;
  /** The robot that drew it: its pieces follow each other in time. */
  readonly author: string;
  /** Its pose in the map. */
  readonly pose: LevelPose;
}

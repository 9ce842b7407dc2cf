import type { Vec3 } from "../../geometry/index.ts";
import type { FloorRaster } from "../../map/index.ts";

/** A thing as two maps may have it in common. */
export interface SketchThing {
  readonly id: string;
  readonly category: string;
  readonly centre: Vec3;
  readonly sizeM: Vec3;
  /** Whether such things stay where they are for weeks: furniture, doors, appliances. */
  readonly steady: boolean;
}

/** What of a map can be recognised in another, in the coordinates of its root frame. */
export interface MapSketch {
  readonly things: readonly SketchThing[];
  readonly floors: readonly FloorRaster[];
}

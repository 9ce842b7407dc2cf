import type { Vec3 } from "../geometry/index.ts";

/** A viewer's position and direction, for left, right, in front of and behind. */
export interface Viewer {
  readonly position: Vec3;
  readonly yawRad: number;
  /** The room that the viewer has just stepped into, of which a whole side is seen. */
  readonly looksInto?: string | undefined;
}

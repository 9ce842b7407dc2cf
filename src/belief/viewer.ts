import type { Vec3 } from "../geometry/index.ts";

/** Where somebody stands and looks, for left, right, in front of and behind. */
export interface Viewer {
  readonly position: Vec3;
  readonly yawRad: number;
  /** The room that somebody has just stepped into, of which a whole side is seen. */
  readonly looksInto?: string | undefined;
}

/** The transform between two upright worlds: a rotation about the vertical, then a shift. */
export interface Level {
  readonly yawRad: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** The identity. */
export const HERE: Level = { yawRad: 0, x: 0, y: 0, z: 0 };

import type { Box } from "../../geometry/index.ts";
import type { Solid } from "../solid.ts";
import { stepOfYaw, turnedHalf } from "./yaw.ts";

/** The axis-aligned box of a solid: larger than the solid unless it is axis-aligned, never smaller. */
export function boxOfSolid({ centre, size, yawRad }: Pick<Solid, "centre" | "size" | "yawRad">): Box {
  const half = turnedHalf(size.x, size.y, stepOfYaw(yawRad));
  return {
    min: { x: centre.x - half.x, y: centre.y - half.y, z: centre.z - size.z / 2 },
    max: { x: centre.x + half.x, y: centre.y + half.y, z: centre.z + size.z / 2 },
  };
}

/** Whether two boxes share more than a sliver of `tolM` in every direction. */
export function boxesClash(a: Box, b: Box, tolM = 0.002): boolean {
  return (
    Math.min(a.max.x, b.max.x) - Math.max(a.min.x, b.min.x) > tolM &&
    Math.min(a.max.y, b.max.y) - Math.max(a.min.y, b.min.y) > tolM &&
    Math.min(a.max.z, b.max.z) - Math.max(a.min.z, b.min.z) > tolM
  );
}

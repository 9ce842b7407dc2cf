import type { Box, Vec3 } from "../../geometry/index.ts";

/** What agents ask of the free space at a time; the house's Navigation answers, a straight line does in tests. */
export interface Navigator {
  /** The shortest way between two standing points, both included; undefined when there is none. */
  path(fromInWorld: Vec3, toInWorld: Vec3, timeUs: number): readonly Vec3[] | undefined;
  /** A standing point at or near a point, undefined when none is within a metre or two. */
  standNear(pointInWorld: Vec3, timeUs: number): Vec3 | undefined;
  /** Where one steps on and off the stairs that a box is around, or a part of them; absent where there are no storeys. */
  flightIn?(boxInWorld: Box): { readonly foot: Vec3; readonly head: Vec3 } | undefined;
}

/** Length of a way. */
export function lengthOfPath(path: readonly Vec3[]): number {
  let sum = 0;
  for (let i = 1; i < path.length; i++) {
    const a = path[i - 1]!;
    const b = path[i]!;
    const x = b.x - a.x;
    const y = b.y - a.y;
    const z = b.z - a.z;
    sum += Math.sqrt(x * x + y * y + z * z);
  }
  return sum;
}

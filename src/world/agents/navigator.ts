import type { Box, Vec3 } from "../../geometry/index.ts";

/**
 * Queries of agents about free space at a time; implemented by the house's Navigation, and by straight lines in
 * tests.
 */
export interface Navigator {
  /** The shortest path between two standing points, both included; undefined if there is none. */
  path(fromInWorld: Vec3, toInWorld: Vec3, timeUs: number): readonly Vec3[] | undefined;
  /** A standing point at or near a point, undefined when none is within a metre or two. */
  standNear(pointInWorld: Vec3, timeUs: number): Vec3 | undefined;
  /** The ends of the stairs that a box contains, or a part of them; absent without storeys. */
  flightIn?(boxInWorld: Box): { readonly foot: Vec3; readonly head: Vec3 } | undefined;
}

/** Length of a path. */
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

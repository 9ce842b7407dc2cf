import { rotate } from "../../geometry/index.ts";
import { settings } from "../../schema/settings.ts";
import type { Hole } from "./hole-shapes.ts";
import type { Sight } from "./sight.ts";

const STANDING = settings("eyes.standing", {
  /** Greatest lean of the picture, as the least cosine of its downward direction with gravity. */
  leastDown: [0.8, "cosine", 0.6, 0.95, "experiment"],
  /** Least upward part of the normals of what it stands on. */
  leastLevel: [0.85, "cosine", 0.7, 0.95, "experiment"],
  /** Least share of the lower side that is a level surface, and thickness of that surface. */
  leastShare: [0.5, "share", 0.3, 0.8, "recording"],
  thickM: [0.03, "m", 0.01, 0.06, "datasheet"],
  /** Sizes of things that are black to depth cameras: laptops, printers, bags, screens on their feet. */
  leastM: [0.15, "m", 0.1, 0.3, "recording"],
  mostM: [1.1, "m", 0.6, 1.5, "recording"],
  /** Least share of the bounding rectangle that it fills. */
  leastSolid: [0.55, "share", 0.4, 0.8, "recording"],
});

/** The size of a hole in a plane, as `holes.ts` measures it. */
interface Size {
  readonly wideM: number;
  readonly highM: number;
  readonly areaM2: number;
  readonly endsBelow: boolean;
}

/**
 * The upright plane of a black thing that stands on a measured level surface, facing the camera where the thing meets
 * that surface: time-of-flight cameras measure nothing on black, and nothing upright need be around it. Undefined where
 * no such surface ends at the hole's lower side.
 */
export function standingPlane(
  { points, normals, mapFromCamera: { p, q } }: Sight,
  { sides }: Hole,
): { readonly x: number; readonly y: number; readonly off: number } | undefined {
  if (-rotate(q, { x: 0, y: 1, z: 0 }).z < STANDING.leastDown) return undefined;
  const below = sides[3];
  if (!below) return undefined;
  const level = below.places.filter((place) => normals[3 * place + 2]! >= STANDING.leastLevel);
  const heights = level.map((place) => points[3 * place + 2]!).sort((a, b) => a - b);
  const topZ = heights[heights.length >> 1];
  if (topZ === undefined) return undefined;
  const own = level.filter((place) => Math.abs(points[3 * place + 2]! - topZ) < STANDING.thickM);
  if (own.length < STANDING.leastShare * below.length) return undefined;
  const middle = (k: number) => {
    const values = own.map((place) => points[3 * place + k]!).sort((a, b) => a - b);
    return values[values.length >> 1]!;
  };
  const [x, y] = [middle(0), middle(1)];
  const away = Math.hypot(p.x - x, p.y - y);
  if (away === 0) return undefined;
  const [nx, ny] = [(p.x - x) / away, (p.y - y) / away];
  return { x: nx, y: ny, off: nx * x + ny * y };
}

/** Whether a hole in such a plane may be a thing. */
export function isThingSized({ wideM, highM, areaM2, endsBelow }: Size): boolean {
  const isSized = [wideM, highM].every((side) => side >= STANDING.leastM && side <= STANDING.mostM);
  return isSized && endsBelow && areaM2 >= STANDING.leastSolid * wideM * highM;
}

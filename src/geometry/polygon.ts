import type { Box } from "./box.ts";
import type { Vec3 } from "./vec3.ts";

/** A point of the floor plan. */
export interface Point2 {
  readonly x: number;
  readonly y: number;
}

/**
 * A prism over the floor: a ring of corners (either direction, the last joined to the first, not repeated) and a
 * closed range of heights, unbounded where absent. Rooms, zones and no-go areas are polygons.
 */
export interface Polygon {
  readonly points: readonly Point2[];
  readonly minZ?: number;
  readonly maxZ?: number;
}

/** A nanometre, far below any sensor and far above the rounding of coordinates within 1000 km. */
const BOUNDARY_M = 1e-9;

/**
 * Inside or on the boundary, which is taken a nanometre wide so that points computed on a slanted edge count;
 * never outside `polygonBounds`. Even-odd rule, so a ring that crosses itself has holes. O(corners). Rings with
 * fewer than three corners contain only their own corner or segment.
 */
export function polygonContains(polygon: Polygon, point: Vec3): boolean {
  const { points, minZ = -Infinity, maxZ = Infinity } = polygon;
  const { x, y, z } = point;
  if (!(z >= minZ && z <= maxZ)) return false;
  let [onEdge, odd] = [false, false];
  let [left, right, below, above] = [false, false, false, false];
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const a = points[j]!;
    const b = points[i]!;
    left ||= b.x <= x;
    right ||= b.x >= x;
    below ||= b.y <= y;
    above ||= b.y >= y;
    onEdge ||= distanceToSegment(x, y, a, b) <= BOUNDARY_M;
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) * (b.x - a.x)) / (b.y - a.y)) odd = !odd;
  }
  return left && right && below && above && (onEdge || odd);
}

/** Signed by the shoelace formula: positive for a counter-clockwise ring, zero below three corners. */
export function polygonArea({ points }: Polygon): number {
  const origin = points[0];
  if (origin === undefined) return 0;
  let twice = 0;
  for (let i = 2; i < points.length; i++) twice += turn(origin, points[i - 1]!, points[i]!);
  return twice / 2;
}

/**
 * The exact box of the corners. An open height becomes ±Number.MAX_VALUE, not ±Infinity, so that sizes and
 * products stay numbers and JSON keeps them. Throws a RangeError on a polygon without corners.
 */
export function polygonBounds({ points, minZ, maxZ }: Polygon): Box {
  if (points.length === 0) throw new RangeError("expected a polygon with corners, got none");
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
  }
  return {
    min: { x: minX, y: minY, z: minZ ?? -Number.MAX_VALUE },
    max: { x: maxX, y: maxY, z: maxZ ?? Number.MAX_VALUE },
  };
}

/**
 * True when the ring encloses one piece of floor: three corners or more, no repeated corner, no two edges that meet
 * elsewhere than at the corner they share. O(corners²); for validating incoming polygons.
 */
export function isSimplePolygon({ points }: Polygon): boolean {
  const n = points.length;
  if (n < 3 || points.some(({ x, y }) => !Number.isFinite(x + y))) return false;
  for (let i = 0; i < n; i++) {
    const a = points[i]!;
    const b = points[(i + 1) % n]!;
    const c = points[(i + 2) % n]!;
    if (samePoint(a, b) || foldsBack(a, b, c)) return false;
    for (let j = i + 2; j < n; j++) {
      const adjacentAroundTheEnd = i === 0 && j === n - 1;
      if (!adjacentAroundTheEnd && segmentsMeet(a, b, points[j]!, points[(j + 1) % n]!)) return false;
    }
  }
  return true;
}

/**
 * Andrew's monotone chain (1979): the hull counter-clockwise from the lowest x (then y), without points that lie
 * on an edge. One or two points, or points on one line, give that point or that segment. O(n log n).
 */
export function convexHull(points: readonly Point2[]): Point2[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const lower = halfHull(sorted);
  const upper = halfHull(sorted.reverse());
  if (lower.length === 1) return lower;
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

/** Sides of the smallest rectangle around points, the longer first: one of its sides lies on an edge of the hull. */
export function enclosingSides(points: readonly Point2[]): [number, number] {
  const hull = convexHull(points);
  const sides = hull.map((a, n): [number, number] => {
    const b = hull[(n + 1) % hull.length]!;
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const along = hull.map(({ x, y }) => x * ux + y * uy);
    const across = hull.map(({ x, y }) => y * ux - x * uy);
    return [Math.max(...along) - Math.min(...along), Math.max(...across) - Math.min(...across)];
  });
  const [best = [0, 0]] = sides.sort(([a, b], [c, d]) => a * b - c * d);
  return [Math.max(...best), Math.min(...best)];
}

/**
 * Centre of mass of the area, summed about the first corner so that a small room far from the origin keeps its
 * digits. A ring without area falls back to the mean of its corners. Throws a RangeError without corners.
 */
export function polygonCentroid(polygon: Polygon): Point2 {
  const { points } = polygon;
  const origin = points[0];
  if (origin === undefined) throw new RangeError("expected a polygon with corners, got none");
  let [x, y, twice] = [0, 0, 0];
  for (let i = 2; i < points.length; i++) {
    const b = points[i - 1]!;
    const c = points[i]!;
    const weight = turn(origin, b, c);
    twice += weight;
    x += weight * (b.x - origin.x + (c.x - origin.x));
    y += weight * (b.y - origin.y + (c.y - origin.y));
  }
  if (twice !== 0) return { x: origin.x + x / (3 * twice), y: origin.y + y / (3 * twice) };
  const n = points.length;
  return {
    x: points.reduce((sum, point) => sum + point.x / n, 0),
    y: points.reduce((sum, point) => sum + point.y / n, 0),
  };
}

/** Twice the signed area of a triangle: positive when a → b → c turns left. */
function turn(a: Point2, b: Point2, c: Point2): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

function distanceToSegment(x: number, y: number, a: Point2, b: Point2): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const squared = dx * dx + dy * dy;
  const t = squared > 0 ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / squared)) : 0;
  const ex = x - (a.x + t * dx);
  const ey = y - (a.y + t * dy);
  return Math.sqrt(ex * ex + ey * ey);
}

function halfHull(sorted: readonly Point2[]): Point2[] {
  const hull: Point2[] = [];
  for (const point of sorted) {
    while (hull.length >= 2 && turn(hull.at(-2)!, hull.at(-1)!, point) <= 0) hull.pop();
    if (hull.length === 0 || !samePoint(hull.at(-1)!, point)) hull.push(point);
  }
  return hull;
}

function segmentsMeet(a: Point2, b: Point2, c: Point2, d: Point2): boolean {
  const [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (
    (abc === 0 && between(a, b, c)) ||
    (abd === 0 && between(a, b, d)) ||
    (cda === 0 && between(c, d, a)) ||
    (cdb === 0 && between(c, d, b))
  );
}

function between(a: Point2, b: Point2, p: Point2): boolean {
  return (
    p.x >= Math.min(a.x, b.x) &&
    p.x <= Math.max(a.x, b.x) &&
    p.y >= Math.min(a.y, b.y) &&
    p.y <= Math.max(a.y, b.y)
  );
}

function foldsBack(a: Point2, b: Point2, c: Point2): boolean {
  return turn(a, b, c) === 0 && (a.x - b.x) * (c.x - b.x) + (a.y - b.y) * (c.y - b.y) > 0;
}

function samePoint(a: Point2, b: Point2): boolean {
  return a.x === b.x && a.y === b.y;
}

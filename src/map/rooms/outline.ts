import {
  convexHull,
  isSimplePolygon,
  type Point2,
  polygonArea,
  polygonContains,
} from "../../geometry/index.ts";
import type { FloorRaster } from "../raster.ts";
import { GRID, ROOMS } from "../settings.ts";
import { RIGHT_ANGLES, squareRing } from "./square.ts";

/** Largest deviation of an outline from the cells' edges: more than a cell's step, less than a wall and a half. */
const STRAY_M = GRID.marginCells * GRID.cellM;

type Plan = Pick<FloorRaster, "width" | "height" | "originX" | "originY" | "cellM">;

/**
 * The outlines of the rooms 1 to `rooms`, by number, counter-clockwise; undefined without cells. If a label has
 * several components, the largest; holes are filled. Where walls run in two directions, as in most buildings,
 * outlines do too; others are only simplified (Ramer–Douglas–Peucker).
 */
export function outlinesOf(
  labels: ArrayLike<number>,
  rooms: number,
  plan: Plan,
): (readonly Point2[] | undefined)[] {
  const rings = ringsOf(labels, rooms, plan);
  const turnRad = turnOf(
    rings.filter((ring) => ring !== undefined),
    plan,
  );
  if (turnRad === undefined) return rings.map((ring) => ring && straightRing(ring));
  const turned = turnRad === 0 ? { labels, plan } : turnedPlan(labels, plan, turnRad);
  const corners = turnRad === 0 ? rings : ringsOf(turned.labels, rooms, turned.plan);
  return rings.map((ring, label) => {
    if (ring === undefined) return undefined;
    const square = corners[label] && squareOf(corners[label], turned.labels, label, turned.plan);
    return square?.map((point) => turnBy(point, turnRad)) ?? straightRing(ring);
  });
}

function straightRing(corners: readonly Point2[]): Point2[] {
  for (let strayM = STRAY_M; ; strayM *= 2) {
    const straight = straighten(corners, strayM).map((at) => corners[at]!);
    if (straight.length > ROOMS.maxCorners) continue;
    // Simplification may make a thin room's two sides cross; its hull never does.
    return isSimplePolygon({ points: straight }) ? straight : convexHull(corners);
  }
}

/** The rectilinear outline, unless the room is not rectilinear. */
function squareOf(
  corners: readonly Point2[],
  labels: ArrayLike<number>,
  label: number,
  plan: Plan,
): Point2[] | undefined {
  const square = squareRing(corners);
  if (square === undefined || square.length > ROOMS.maxCorners) return undefined;
  if (!isSimplePolygon({ points: square })) return undefined;
  const grown = polygonArea({ points: square }) / polygonArea({ points: corners }) - 1;
  const isLikeIt =
    Math.abs(grown) <= ROOMS.bendShare && sharedShare(square, labels, label, plan) >= 1 - ROOMS.bendShare;
  return isLikeIt ? square : undefined;
}

/** The largest ring around the cells of each label, corner by corner. */
function ringsOf(labels: ArrayLike<number>, rooms: number, plan: Plan): (Point2[] | undefined)[] {
  const { width, originX, originY, cellM } = plan;
  return borderEdges(labels, rooms, plan).map((edges) =>
    longestRing(edges, width + 1)?.map((vertex) => {
      const x = vertex % (width + 1);
      return { x: originX + x * cellM, y: originY + ((vertex - x) / (width + 1)) * cellM };
    }),
  );
}

/**
 * The building's rotation against the axes, within an eighth of a turn either way: the mean direction of all sides
 * modulo quarter turns, weighted by squared length. Undefined if sides run in all directions.
 */
function turnOf(rings: readonly (readonly Point2[])[], { width, height }: Plan): number | undefined {
  let [cos, sin, total] = [0, 0, 0];
  for (const ring of rings) {
    const kept = straighten(ring, 2 * STRAY_M);
    for (const [i, from] of kept.entries()) {
      const steps = (kept[(i + 1) % kept.length]! - from + ring.length) % ring.length;
      // Near its ends a side may bend into the next one.
      const bend = Math.ceil(steps * ROOMS.bendShare);
      if (steps - 2 * bend < ROOMS.leastSteps) continue;
      const side = Array.from(
        { length: steps + 1 - 2 * bend },
        (_, n) => ring[(from + bend + n) % ring.length]!,
      );
      const angle = RIGHT_ANGLES * directionOf(side);
      const weight = steps ** 2;
      cos += weight * Math.cos(angle);
      sin += weight * Math.sin(angle);
      total += weight;
    }
  }
  if (!(Math.hypot(cos, sin) >= ROOMS.squareShare * total) || total === 0) return undefined;
  const turnRad = Math.atan2(sin, cos) / 4;
  // A rotation this small about its centre would not leave the cells.
  return (Math.abs(turnRad) * Math.max(width, height)) / 2 <= 1 ? 0 : turnRad;
}

/** The direction of the line nearest to all points (their first principal axis): the steps of cells average out. */
function directionOf(points: readonly Point2[]): number {
  const x = points.reduce((sum, point) => sum + point.x, 0) / points.length;
  const y = points.reduce((sum, point) => sum + point.y, 0) / points.length;
  let [xx, xy, yy] = [0, 0, 0];
  for (const point of points) {
    xx += (point.x - x) ** 2;
    xy += (point.x - x) * (point.y - y);
    yy += (point.y - y) ** 2;
  }
  return Math.atan2(2 * xy, xx - yy) / 2;
}

/** The same cells on a plan whose axes are rotated with the building. */
function turnedPlan(
  labels: ArrayLike<number>,
  { width, height, originX, originY, cellM }: Plan,
  turnRad: number,
): { labels: Uint16Array; plan: Plan } {
  const corners = [0, width].flatMap((u) =>
    [0, height].map((v) => turnBy({ x: originX + u * cellM, y: originY + v * cellM }, -turnRad)),
  );
  const minX = Math.min(...corners.map(({ x }) => x));
  const minY = Math.min(...corners.map(({ y }) => y));
  const columns = Math.ceil((Math.max(...corners.map(({ x }) => x)) - minX) / cellM);
  const rows = Math.ceil((Math.max(...corners.map(({ y }) => y)) - minY) / cellM);
  const turned = new Uint16Array(columns * rows);
  const [c, s] = [Math.cos(turnRad), Math.sin(turnRad)];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = [minX + (column + 0.5) * cellM, minY + (row + 0.5) * cellM];
      const u = Math.floor((c * x - s * y - originX) / cellM);
      const v = Math.floor((s * x + c * y - originY) / cellM);
      if (u >= 0 && v >= 0 && u < width && v < height)
        turned[row * columns + column] = labels[v * width + u]!;
    }
  }
  return { labels: turned, plan: { width: columns, height: rows, originX: minX, originY: minY, cellM } };
}

function turnBy({ x, y }: Point2, angleRad: number): Point2 {
  const [c, s] = [Math.cos(angleRad), Math.sin(angleRad)];
  return { x: c * x - s * y, y: s * x + c * y };
}

/** Share of a label's cells inside a ring; one cell in four is sampled. */
function sharedShare(ring: readonly Point2[], labels: ArrayLike<number>, label: number, plan: Plan): number {
  const { width, height, originX, originY, cellM } = plan;
  let [cells, shared] = [0, 0];
  for (let v = 0; v < height; v += 2) {
    for (let u = 0; u < width; u += 2) {
      if (labels[v * width + u] !== label) continue;
      cells++;
      const centre = { x: originX + (u + 0.5) * cellM, y: originY + (v + 0.5) * cellM, z: 0 };
      if (polygonContains({ points: ring }, centre)) shared++;
    }
  }
  return cells === 0 ? 0 : shared / cells;
}

/** By label and cell corner: the next corner of the border with the label on its left; two at a crossing. */
function borderEdges(
  labels: ArrayLike<number>,
  rooms: number,
  { width, height }: Pick<FloorRaster, "width" | "height">,
): Map<number, number[]>[] {
  const edges = Array.from({ length: rooms + 1 }, () => new Map<number, number[]>());
  const add = (label: number, from: number, to: number): void => {
    const there = edges[label]?.get(from);
    if (there === undefined) edges[label]?.set(from, [to]);
    else there.push(to);
  };
  const stride = width + 1;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const label = labels[at]!;
      if (label === 0) continue;
      const corner = y * stride + x;
      if (y === 0 || labels[at - width] !== label) add(label, corner, corner + 1);
      if (x === width - 1 || labels[at + 1] !== label) add(label, corner + 1, corner + stride + 1);
      if (y === height - 1 || labels[at + width] !== label) add(label, corner + stride + 1, corner + stride);
      if (x === 0 || labels[at - 1] !== label) add(label, corner + stride, corner);
    }
  }
  return edges;
}

/** Follows the edges round; the ring that encloses most is the outer border of the largest piece. */
function longestRing(edges: Map<number, number[]>, stride: number): number[] | undefined {
  let best: number[] | undefined;
  let bestArea = 0;
  for (const start of edges.keys()) {
    while (edges.get(start)!.length > 0) {
      const ring: number[] = [];
      let twice = 0;
      let at = start;
      let came = 0;
      do {
        const ways = edges.get(at)!;
        // Where two cells touch at a corner, turning left stays with the same component.
        const left = at + leftOf(came, stride);
        const next = ways.includes(left) ? left : ways[0]!;
        ways.splice(ways.indexOf(next), 1);
        ring.push(at);
        twice += cross(at, next, stride);
        came = next - at;
        at = next;
      } while (at !== start);
      if (twice > bestArea) {
        bestArea = twice;
        best = ring;
      }
    }
  }
  return best;
}

/** From right to up, from up to left, and so on round. */
function leftOf(came: number, stride: number): number {
  if (came === 1) return stride;
  if (came === stride) return -1;
  return came === -1 ? -stride : 1;
}

function cross(a: number, b: number, stride: number): number {
  const [ax, bx] = [a % stride, b % stride];
  return ax * ((b - bx) / stride) - bx * ((a - ax) / stride);
}

/** Which corners of a ring remain. */
function straighten(ring: readonly Point2[], strayM: number): number[] {
  // Split at the two corners farthest apart along x, so that both halves are open lines.
  let [low, high] = [0, 0];
  for (let i = 1; i < ring.length; i++) {
    if (ring[i]!.x < ring[low]!.x) low = i;
    if (ring[i]!.x > ring[high]!.x) high = i;
  }
  const half = (from: number, to: number): number[] => {
    const steps = (to - from + ring.length) % ring.length;
    const line = Array.from({ length: steps + 1 }, (_, i) => ring[(from + i) % ring.length]!);
    return straightenLine(line, strayM)
      .slice(0, -1)
      .map((i) => (from + i) % ring.length);
  };
  return [...half(low, high), ...half(high, low)];
}

function straightenLine(line: readonly Point2[], strayM: number): number[] {
  const keep = new Uint8Array(line.length);
  keep[0] = 1;
  keep[line.length - 1] = 1;
  const stack: [number, number][] = [[0, line.length - 1]];
  while (stack.length > 0) {
    const [a, b] = stack.pop()!;
    let [worst, at] = [strayM, -1];
    for (let i = a + 1; i < b; i++) {
      const away = awayFrom(line[i]!, line[a]!, line[b]!);
      if (away > worst) [worst, at] = [away, i];
    }
    if (at < 0) continue;
    keep[at] = 1;
    stack.push([a, at], [at, b]);
  }
  return [...line.keys()].filter((i) => keep[i] === 1);
}

function awayFrom(p: Point2, a: Point2, b: Point2): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const squared = dx * dx + dy * dy;
  const t = squared > 0 ? Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / squared)) : 0;
  const ex = p.x - (a.x + t * dx);
  const ey = p.y - (a.y + t * dy);
  return Math.sqrt(ex * ex + ey * ey);
}

import { convexHull, isSimplePolygon, type Point2 } from "../../geometry/index.ts";
import type { FloorRaster } from "../raster.ts";

/** How far an outline may stray from the cells' edges: more than a cell's stair, less than a wall and a half. */
const STRAY_M = 0.15;
const CORNERS = 512;

/**
 * The outer border of the cells with a label, counter-clockwise, straightened (Ramer–Douglas–Peucker). Where a
 * label lies in several pieces, the largest; holes are filled. Undefined when no cell has it.
 */
export function outlineOf(
  labels: ArrayLike<number>,
  label: number,
  raster: Pick<FloorRaster, "width" | "height" | "originX" | "originY" | "cellM">,
): Point2[] | undefined {
  const { width, originX, originY, cellM } = raster;
  const ring = longestRing(borderEdges(labels, label, raster), width + 1);
  if (ring === undefined) return undefined;
  const corners = ring.map((vertex) => {
    const x = vertex % (width + 1);
    return { x: originX + x * cellM, y: originY + ((vertex - x) / (width + 1)) * cellM };
  });
  for (let strayM = STRAY_M; ; strayM *= 2) {
    const straight = straighten(corners, strayM);
    if (straight.length > CORNERS) continue;
    // Straightening may make a thin room's two sides cross; its hull never does.
    return isSimplePolygon({ points: straight }) ? straight : convexHull(corners);
  }
}

/** For each corner of a cell, where the border goes from there with the label on its left; two at a crossing. */
function borderEdges(
  labels: ArrayLike<number>,
  label: number,
  { width, height }: Pick<FloorRaster, "width" | "height">,
): Map<number, number[]> {
  const edges = new Map<number, number[]>();
  const add = (from: number, to: number): void => {
    const there = edges.get(from);
    if (there === undefined) edges.set(from, [to]);
    else there.push(to);
  };
  const has = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && labels[y * width + x] === label;
  const corner = (x: number, y: number): number => y * (width + 1) + x;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!has(x, y)) continue;
      if (!has(x, y - 1)) add(corner(x, y), corner(x + 1, y));
      if (!has(x + 1, y)) add(corner(x + 1, y), corner(x + 1, y + 1));
      if (!has(x, y + 1)) add(corner(x + 1, y + 1), corner(x, y + 1));
      if (!has(x - 1, y)) add(corner(x, y + 1), corner(x, y));
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
        // Where two cells touch by a corner, turning left stays with the one that came along.
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

function straighten(ring: readonly Point2[], strayM: number): Point2[] {
  // Split at the two corners farthest apart along x, so that both halves are open lines.
  let [low, high] = [0, 0];
  for (let i = 1; i < ring.length; i++) {
    if (ring[i]!.x < ring[low]!.x) low = i;
    if (ring[i]!.x > ring[high]!.x) high = i;
  }
  const from = (a: number, b: number): Point2[] =>
    a <= b ? ring.slice(a, b + 1) : [...ring.slice(a), ...ring.slice(0, b + 1)];
  const first = straightenLine(from(low, high), strayM);
  const second = straightenLine(from(high, low), strayM);
  return [...first.slice(0, -1), ...second.slice(0, -1)];
}

function straightenLine(line: readonly Point2[], strayM: number): Point2[] {
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
  return line.filter((_, i) => keep[i] === 1);
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

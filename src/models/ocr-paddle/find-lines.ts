/** A rotated box around a line of text: its centre, its length along the text, its height, and its slope. */
export interface LineBox {
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly height: number;
  /** Reading direction, clockwise in the picture; between −π/2 and π/2. */
  readonly angleRad: number;
  /** Mean confidence of its pixels, 0…1. */
  readonly score: number;
}

/** Probabilities of text, one per pixel, row by row. */
export interface WritingMap {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** The four numbers are PaddleOCR's defaults for DB (thresh, box_thresh, unclip_ratio, max_candidates). */
const PIXEL = 0.3;
const BOX = 0.6;
/** The network is trained on the core of a line only: its outline is moved outwards by area × ratio / perimeter. */
const GROW = 1.5;
const MOST_BOXES = 64;
/** Thinner cores are not letters. */
const THINNEST_PX = 3;
/** A box this many times higher than wide is a line read upwards or downwards. */
const UPRIGHT = 1.5;

type Point = readonly [x: number, y: number];

/**
 * Lines of text in a probability map, by the differentiable binarisation of Liao et al. (AAAI 2020): connected pixels
 * above a threshold, the smallest rotated box around them, grown. Most certain first.
 */
export function findLines(map: WritingMap): LineBox[] {
  const seen = new Uint8Array(map.data.length);
  const boxes: LineBox[] = [];
  for (let at = 0; at < map.data.length; at++) {
    if (seen[at] === 1 || !(map.data[at]! > PIXEL)) continue;
    const box = boxOf(map, floodFrom(map, at, seen));
    if (box) boxes.push(box);
  }
  return boxes.sort((a, b) => b.score - a.score).slice(0, MOST_BOXES);
}

/** The connected pixels above the threshold, corners included. */
function floodFrom({ width, height, data }: WritingMap, start: number, seen: Uint8Array): number[] {
  const found = [start];
  seen[start] = 1;
  for (let next = 0; next < found.length; next++) {
    const [x, y] = [found[next]! % width, Math.floor(found[next]! / width)];
    for (let j = Math.max(0, y - 1); j <= Math.min(height - 1, y + 1); j++) {
      for (let i = Math.max(0, x - 1); i <= Math.min(width - 1, x + 1); i++) {
        const at = j * width + i;
        if (seen[at] === 1 || !(data[at]! > PIXEL)) continue;
        seen[at] = 1;
        found.push(at);
      }
    }
  }
  return found;
}

function boxOf({ width, data }: WritingMap, pixels: readonly number[]): LineBox | undefined {
  const score = pixels.reduce((sum, at) => sum + data[at]!, 0) / pixels.length;
  if (score < BOX) return undefined;
  const hull = hullOf(pixels.map((at): Point => [at % width, Math.floor(at / width)]));
  const box = smallestAround(hull);
  // Pixels have a width of one: the outermost centres lie half a pixel inside.
  const [across, down] = [box.across + 1, box.down + 1];
  if (Math.min(across, down) < THINNEST_PX) return undefined;
  const grown = (GROW * across * down) / (across + down);
  const [a, b] = [across + grown, down + grown];
  const isTurned = Math.abs(Math.cos(box.angleRad)) < Math.SQRT1_2;
  // Of the two directions of a box the more level one is the text's, unless it is far shorter.
  let [length, high, angleRad] = isTurned ? [b, a, box.angleRad + Math.PI / 2] : [a, b, box.angleRad];
  if (high > UPRIGHT * length) [length, high, angleRad] = [high, length, angleRad + Math.PI / 2];
  return { x: box.x + 0.5, y: box.y + 0.5, length, height: high, angleRad: halfTurn(angleRad), score };
}

/** Into −π/2 to π/2: nothing is read upside down. */
function halfTurn(angleRad: number): number {
  const turned = angleRad - Math.PI * Math.round(angleRad / Math.PI);
  return turned === Math.PI / 2 ? -turned : turned;
}

/** The convex hull by Andrew's monotone chain. */
function hullOf(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (all: Iterable<Point>) => {
    const chain: Point[] = [];
    for (const p of all) {
      while (chain.length >= 2 && cross(chain.at(-2)!, chain.at(-1)!, p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(sorted), ...half(sorted.toReversed())];
  return hull.length > 0 ? hull : sorted.slice(0, 1);
}

function cross([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

/** The smallest box around a hull has a side along one of its edges. */
function smallestAround(hull: readonly Point[]): {
  x: number;
  y: number;
  across: number;
  down: number;
  angleRad: number;
} {
  let best = { x: 0, y: 0, across: 0, down: 0, angleRad: 0 };
  let least = Infinity;
  hull.forEach(([x, y], n) => {
    const [nextX, nextY] = hull[(n + 1) % hull.length]!;
    const angleRad = Math.atan2(nextY - y, nextX - x);
    const [c, s] = [Math.cos(angleRad), Math.sin(angleRad)];
    const along = hull.map(([px, py]) => c * px + s * py);
    const aside = hull.map(([px, py]) => c * py - s * px);
    const [u0, u1, v0, v1] = [Math.min(...along), Math.max(...along), Math.min(...aside), Math.max(...aside)];
    const area = (u1 - u0 + 1) * (v1 - v0 + 1);
    if (area >= least) return;
    least = area;
    const [u, v] = [(u0 + u1) / 2, (v0 + v1) / 2];
    best = { x: c * u - s * v, y: s * u + c * v, across: u1 - u0, down: v1 - v0, angleRad };
  });
  return best;
}

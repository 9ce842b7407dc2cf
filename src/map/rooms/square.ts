import type { Point2 } from "../../geometry/index.ts";
import { ROOMS } from "../settings.ts";

/** In a full turn, and in the least outline. */
export const RIGHT_ANGLES = 4;

/** A side of a rectilinear ring: along x at some y, or along y at some x, alternating. */
interface Side {
  readonly alongX: boolean;
  /** The coordinate shared by the whole side. */
  at: number;
  /** Metres of the ring that it represents: the resistance to moving it. */
  weight: number;
}

/**
 * A ring along cell edges, reduced to as few right angles as its shape has: the shortest side is removed first, and
 * its two neighbours merge. The remaining sides are placed at the ring's mean position, so that the area stays.
 * Undefined if less than a rectangle remains.
 */
export function squareRing(ring: readonly Point2[]): Point2[] | undefined {
  let sides = sidesOf(ring);
  while (sides.length > RIGHT_ANGLES) {
    let [shortest, least] = [-1, ROOMS.jogM];
    for (let i = 0; i < sides.length; i++) {
      const length = Math.abs(spanOf(sides, i));
      if (length < least) [shortest, least] = [i, length];
    }
    if (shortest < 0) break;
    sides = withoutSide(sides, shortest);
  }
  if (sides.length < RIGHT_ANGLES) return undefined;
  const laid = sides.map((side, i) => ({ ...side, at: placeOf(ring, sides, i) }));
  return laid.map((side, i) => {
    const next = laid[(i + 1) % laid.length]!;
    return side.alongX ? { x: next.at, y: side.at } : { x: side.at, y: next.at };
  });
}

function sidesOf(ring: readonly Point2[]): Side[] {
  const sides: Side[] = [];
  for (const [i, a] of ring.entries()) {
    const b = ring[(i + 1) % ring.length]!;
    const alongX = Math.abs(b.x - a.x) > Math.abs(b.y - a.y);
    const length = Math.abs(b.x - a.x) + Math.abs(b.y - a.y);
    const last = sides.at(-1);
    if (last?.alongX === alongX) last.weight += length;
    else sides.push({ alongX, at: alongX ? a.y : a.x, weight: length });
  }
  const [first, last] = [sides[0], sides.at(-1)];
  if (first !== undefined && last !== undefined && first !== last && first.alongX === last.alongX) {
    first.weight += last.weight;
    sides.pop();
  }
  return sides;
}

/** Length of a side, from its neighbour before to the one after; negative if it runs backwards. */
function spanOf(sides: readonly Side[], i: number): number {
  const before = sides[(i + sides.length - 1) % sides.length]!;
  const after = sides[(i + 1) % sides.length]!;
  return after.at - before.at;
}

/** The two neighbours of a short side are parallel and merge. */
function withoutSide(sides: readonly Side[], i: number): Side[] {
  const before = sides[(i + sides.length - 1) % sides.length]!;
  const after = sides[(i + 1) % sides.length]!;
  const weight = before.weight + after.weight;
  before.at = (before.at * before.weight + after.at * after.weight) / weight;
  before.weight = weight;
  return sides.filter((side) => side !== sides[i] && side !== after);
}

/** The mean position of the ring's edges along a side; edges that run backwards count negatively. */
function placeOf(ring: readonly Point2[], sides: readonly Side[], i: number): number {
  const { alongX, at } = sides[i]!;
  const from = sides[(i + sides.length - 1) % sides.length]!.at;
  const span = spanOf(sides, i);
  let [sum, total] = [0, 0];
  for (const [n, a] of ring.entries()) {
    const b = ring[(n + 1) % ring.length]!;
    const [run, place, middle] = alongX
      ? [b.x - a.x, a.y, (a.x + b.x) / 2]
      : [b.y - a.y, a.x, (a.y + b.y) / 2];
    const along = (middle - from) / span;
    if (run === 0 || Math.abs(place - at) > ROOMS.jogM || !(along > 0) || !(along < 1)) continue;
    sum += (run / span) * place;
    total += run / span;
  }
  return total > 0 ? sum / total : at;
}

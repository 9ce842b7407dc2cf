import type { TruthPlacement } from "./truth.ts";

interface Flat {
  readonly x: number;
  readonly y: number;
}

/** The corners of a turned box on the floor plan, in order. */
function footprint({ centre, extent, yawRad }: TruthPlacement): Flat[] {
  const along = { x: Math.cos(yawRad), y: Math.sin(yawRad) };
  return [
    [0.5, 0.5],
    [-0.5, 0.5],
    [-0.5, -0.5],
    [0.5, -0.5],
  ].map(([i, j]) => ({
    x: centre.x + i! * extent.x * along.x - j! * extent.y * along.y,
    y: centre.y + i! * extent.x * along.y + j! * extent.y * along.x,
  }));
}

/** Distance of two boxes: the nearest pair of edges on the plan, and the gap in height. */
export function separationM(a: TruthPlacement, b: TruthPlacement): number {
  const [p, q] = [footprint(a), footprint(b)];
  let flat = contains(p, q[0]!) || contains(q, p[0]!) ? 0 : Infinity;
  for (let i = 0; i < 4 && flat > 0; i++)
    for (let j = 0; j < 4; j++)
      flat = Math.min(flat, edgeGap(p[i]!, p[(i + 1) % 4]!, q[j]!, q[(j + 1) % 4]!));
  const low = Math.max(a.centre.z - a.extent.z / 2, b.centre.z - b.extent.z / 2);
  const high = Math.min(a.centre.z + a.extent.z / 2, b.centre.z + b.extent.z / 2);
  return Math.hypot(flat, Math.max(0, low - high));
}

function edgeGap(a: Flat, b: Flat, c: Flat, d: Flat): number {
  if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return 0;
  return Math.min(toEdge(a, c, d), toEdge(b, c, d), toEdge(c, a, b), toEdge(d, a, b));
}

function toEdge(p: Flat, a: Flat, b: Flat): number {
  const lengthSquared = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
  const t = lengthSquared === 0 ? 0 : ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / lengthSquared;
  const on = Math.min(1, Math.max(0, t));
  return Math.hypot(p.x - a.x - on * (b.x - a.x), p.y - a.y - on * (b.y - a.y));
}

function side(a: Flat, b: Flat, c: Flat): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/** Corners run counter-clockwise. */
function contains(polygon: readonly Flat[], p: Flat): boolean {
  return polygon.every((a, i) => side(a, polygon[(i + 1) % polygon.length]!, p) >= 0);
}

/** Degrees to the left of straight ahead, in (−180, 180]. */
export function bearingDeg(from: Flat, yawRad: number, to: Flat): number {
  const angle = Math.atan2(to.y - from.y, to.x - from.x) - yawRad;
  return (Math.atan2(Math.sin(angle), Math.cos(angle)) * 180) / Math.PI;
}

export function awayM(a: Flat, b: Flat): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Middle near the line, in its inner part, by projecting on it. */
export function liesBetween(m: TruthPlacement, a: TruthPlacement, b: TruthPlacement): boolean {
  const length = awayM(a.centre, b.centre);
  if (m.room !== a.room || m.room !== b.room || length < 0.5 || length > 5) return false;
  const angle = Math.atan2(b.centre.y - a.centre.y, b.centre.x - a.centre.x);
  const dx = m.centre.x - a.centre.x;
  const dy = m.centre.y - a.centre.y;
  const along = (dx * Math.cos(angle) + dy * Math.sin(angle)) / length;
  const across = Math.abs(dy * Math.cos(angle) - dx * Math.sin(angle)) / length;
  return along > 0.2 && along < 0.8 && across < 0.25;
}

/**
 * Whether a rectangle fits between others on a top: if it does at all, it does with its left edge against an
 * edge and its lower edge against an edge, so only those are tried.
 */
export function roomOnTop(
  host: TruthPlacement,
  others: readonly TruthPlacement[],
  width: number,
  depth: number,
): boolean {
  const toHost = (p: Flat): Flat => {
    const angle = -host.yawRad;
    const [dx, dy] = [p.x - host.centre.x, p.y - host.centre.y];
    return { x: dx * Math.cos(angle) - dy * Math.sin(angle), y: dx * Math.sin(angle) + dy * Math.cos(angle) };
  };
  const taken = others.map((other) => {
    const corners = footprint(other).map(toHost);
    const xs = corners.map(({ x }) => x);
    const ys = corners.map(({ y }) => y);
    return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
  });
  const { x, y } = host.extent;
  const fits = (w: number, d: number): boolean =>
    [-x / 2, ...taken.map(({ x1 }) => x1)].some((left) =>
      [-y / 2, ...taken.map(({ y1 }) => y1)].some(
        (low) =>
          left >= -x / 2 - 1e-9 &&
          low >= -y / 2 - 1e-9 &&
          left + w <= x / 2 + 1e-9 &&
          low + d <= y / 2 + 1e-9 &&
          taken.every(
            (t) =>
              left + w <= t.x0 + 1e-9 || left >= t.x1 - 1e-9 || low + d <= t.y0 + 1e-9 || low >= t.y1 - 1e-9,
          ),
      ),
    );
  return fits(width, depth) || fits(depth, width);
}

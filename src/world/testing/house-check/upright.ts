import type { Solid } from "../../solid.ts";

/**
 * The checker's own geometry, apart from the generator's on purpose: trigonometry instead of tables, separating
 * axes instead of axis-aligned rectangles. Round solids count as their boxes, which is never too lenient.
 */
export interface Upright {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
  readonly hx: number;
  readonly hy: number;
  readonly c: number;
  readonly s: number;
  /** Axis-aligned half sizes. */
  readonly ax: number;
  readonly ay: number;
}

export function upright(
  id: string,
  { centre, size, yawRad }: Pick<Solid, "centre" | "size" | "yawRad">,
): Upright {
  const c = Math.cos(yawRad);
  const s = Math.sin(yawRad);
  const hx = size.x / 2;
  const hy = size.y / 2;
  return {
    id,
    x: centre.x,
    y: centre.y,
    low: centre.z - size.z / 2,
    high: centre.z + size.z / 2,
    hx,
    hy,
    c,
    s,
    ax: Math.abs(c) * hx + Math.abs(s) * hy,
    ay: Math.abs(s) * hx + Math.abs(c) * hy,
  };
}

/** How far two solids would have to be pushed to part them; negative when they are apart by at least that much. */
export function depthM(a: Upright, b: Upright): number {
  const vertical = Math.min(a.high, b.high) - Math.max(a.low, b.low);
  return Math.min(vertical, flatDepthM(a, b));
}

/** The same on the floor plan. */
export function flatDepthM(a: Upright, b: Upright): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  let least = Infinity;
  for (const [ux, uy] of [
    [a.c, a.s],
    [-a.s, a.c],
    [b.c, b.s],
    [-b.s, b.c],
  ] as const) {
    const reach = (o: Upright): number =>
      Math.abs(o.c * ux + o.s * uy) * o.hx + Math.abs(-o.s * ux + o.c * uy) * o.hy;
    least = Math.min(least, reach(a) + reach(b) - Math.abs(dx * ux + dy * uy));
  }
  return least;
}

/** From a point of the floor plan to a solid's footprint. */
export function flatDistanceM(x: number, y: number, o: Upright): number {
  const dx = x - o.x;
  const dy = y - o.y;
  const ex = Math.max(0, Math.abs(dx * o.c + dy * o.s) - o.hx);
  const ey = Math.max(0, Math.abs(dy * o.c - dx * o.s) - o.hy);
  return Math.sqrt(ex * ex + ey * ey);
}

/** Whether a ray from a point hits the solid ahead. */
export function rayHits(
  px: number,
  py: number,
  pz: number,
  dx: number,
  dy: number,
  dz: number,
  o: Upright,
): boolean {
  const lx = (px - o.x) * o.c + (py - o.y) * o.s;
  const ly = (py - o.y) * o.c - (px - o.x) * o.s;
  const ux = dx * o.c + dy * o.s;
  const uy = dy * o.c - dx * o.s;
  // A nanometre of grace, so that rays along the seam of two doors do not slip through by rounding.
  const grace = 1e-9;
  let near = 0;
  let far = Infinity;
  for (const [p, u, low, high] of [
    [lx, ux, -o.hx, o.hx],
    [ly, uy, -o.hy, o.hy],
    [pz, dz, o.low, o.high],
  ] as const) {
    if (Math.abs(u) < 1e-12) {
      if (p < low - grace || p > high + grace) return false;
      continue;
    }
    const a = (low - grace - p) / u;
    const b = (high + grace - p) / u;
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far;
}

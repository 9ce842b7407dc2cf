import type { GroundBlock } from "../../../src/exchange/feed/decode.ts";
import type { FeedRegion, FeedScene } from "../data/feed-types.ts";

/** A straight piece of a room's outline, with the direction into the room. */
export interface WallEdge {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  readonly z: number;
  readonly inX: number;
  readonly inY: number;
}

export function wallEdges(scene: FeedScene): WallEdge[] {
  return scene.regions.filter(({ type, toUs }) => type === "room" && toUs === null).flatMap(edgesOf);
}

function edgesOf({ outline, z }: FeedRegion): WallEdge[] {
  let twiceArea = 0;
  for (const [n, a] of outline.entries()) {
    const b = outline[(n + 1) % outline.length]!;
    twiceArea += a.x * b.y - b.x * a.y;
  }
  const turn = Math.sign(twiceArea) || 1;
  return outline.flatMap((a, n) => {
    const b = outline[(n + 1) % outline.length]!;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    if (length < 0.05) return [];
    const [inX, inY] = [(-turn * (b.y - a.y)) / length, (turn * (b.x - a.x)) / length];
    return [{ ax: a.x, ay: a.y, bx: b.x, by: b.y, z, inX, inY }];
  });
}

/** An edge without the openings that one walks through. */
export function withoutOpenings(edge: WallEdge, openings: GroundBlock["openings"]): WallEdge[] {
  const [dx, dy] = [edge.bx - edge.ax, edge.by - edge.ay];
  const length = Math.hypot(dx, dy);
  const along = (x: number, y: number) => ((x - edge.ax) * dx + (y - edge.ay) * dy) / length;
  const off = (x: number, y: number) => Math.abs((x - edge.ax) * dy - (y - edge.ay) * dx) / length;
  const holes = openings
    .filter(({ from, to }) => off(from.x, from.y) < 0.3 && off(to.x, to.y) < 0.3)
    .map(
      ({ from, to }) => [along(from.x, from.y), along(to.x, to.y)].sort((a, b) => a - b) as [number, number],
    )
    .filter(([from, to]) => to > 0 && from < length)
    .sort((a, b) => a[0] - b[0]);
  const pieces: WallEdge[] = [];
  let at = 0;
  for (const [from, to] of [...holes, [length, length] as [number, number]]) {
    if (from - at > 0.05) pieces.push(part(edge, at / length, Math.min(from, length) / length));
    at = Math.max(at, to);
  }
  return pieces;
}

function part(edge: WallEdge, from: number, to: number): WallEdge {
  const mix = (a: number, b: number, s: number) => a + (b - a) * s;
  return {
    ...edge,
    ax: mix(edge.ax, edge.bx, from),
    ay: mix(edge.ay, edge.by, from),
    bx: mix(edge.ax, edge.bx, to),
    by: mix(edge.ay, edge.by, to),
  };
}

const CELL_M = 0.1;
const REACH_M = 0.28;

/**
 * Which wall a point of the map belongs to, so that walls between the eye and a room can give way: 0 is none, else 1 to 255
 * is the angle of the direction into the room. A grid of decimetres, for there are millions of points.
 */
export class WallField {
  readonly #codes = new Map<number, number>();
  readonly #far: Map<number, number> = new Map();

  constructor(edges: readonly WallEdge[]) {
    for (const edge of edges) this.#draw(edge);
    this.#far.clear();
  }

  codeAt(x: number, y: number): number {
    return this.#codes.get(keyOf(Math.floor(x / CELL_M), Math.floor(y / CELL_M))) ?? 0;
  }

  #draw(edge: WallEdge): void {
    const length = Math.hypot(edge.bx - edge.ax, edge.by - edge.ay);
    const angle = Math.atan2(edge.inY, edge.inX);
    const code = 1 + Math.round(((angle + Math.PI) / (2 * Math.PI)) * 253);
    const [ux, uy] = [(edge.bx - edge.ax) / length, (edge.by - edge.ay) / length];
    for (let s = -REACH_M; s <= length + REACH_M; s += CELL_M / 2) {
      for (let d = -REACH_M; d <= REACH_M; d += CELL_M / 2) {
        const key = keyOf(
          Math.floor((edge.ax + ux * s + edge.inX * d) / CELL_M),
          Math.floor((edge.ay + uy * s + edge.inY * d) / CELL_M),
        );
        // Where two rooms share a wall, each side belongs to the room it is nearer to; on its own side first.
        const distance = Math.abs(d - 0.04);
        if (distance >= (this.#far.get(key) ?? Infinity)) continue;
        this.#far.set(key, distance);
        this.#codes.set(key, code);
      }
    }
  }
}

function keyOf(x: number, y: number): number {
  return (x + 1_000_000) * 2_000_003 + (y + 1_000_000);
}

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

/** An edge without its passages. */
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

/** Most cells of the grid; over a larger map cells are larger. */
const MOST_CELLS = 16_000_000;

/**
 * Which wall a point of the map belongs to, so that walls between the camera and a room can be hidden: 0 is none,
 * else 1 to 255 is the angle of the direction into the room. A grid of decimetres, because there are millions of
 * points.
 */
export class WallField {
  readonly #cellM: number;
  readonly #left: number;
  readonly #low: number;
  readonly #width: number;
  readonly #height: number;
  readonly #codes: Uint8Array;

  constructor(edges: readonly WallEdge[]) {
    const [xs, ys] = [edges.flatMap(({ ax, bx }) => [ax, bx]), edges.flatMap(({ ay, by }) => [ay, by])];
    const least = (all: readonly number[]) => all.reduce((so, one) => Math.min(so, one), Infinity);
    const most = (all: readonly number[]) => all.reduce((so, one) => Math.max(so, one), -Infinity);
    const [wide, high] = edges.length === 0 ? [0, 0] : [most(xs) - least(xs), most(ys) - least(ys)];
    this.#cellM = Math.max(CELL_M, Math.sqrt(((wide + 1) * (high + 1)) / MOST_CELLS));
    this.#left = least(xs) - 2 * REACH_M;
    this.#low = least(ys) - 2 * REACH_M;
    this.#width = Math.ceil((wide + 4 * REACH_M) / this.#cellM);
    this.#height = Math.ceil((high + 4 * REACH_M) / this.#cellM);
    this.#codes = new Uint8Array(this.#width * this.#height);
    const far = new Float32Array(this.#codes.length).fill(Infinity);
    for (const edge of edges) this.#draw(edge, far);
  }

  codeAt(x: number, y: number): number {
    const at = this.#cellOf(x, y);
    return at < 0 ? 0 : this.#codes[at]!;
  }

  #cellOf(x: number, y: number): number {
    const column = Math.floor((x - this.#left) / this.#cellM);
    const row = Math.floor((y - this.#low) / this.#cellM);
    const isInside = column >= 0 && row >= 0 && column < this.#width && row < this.#height;
    return isInside ? row * this.#width + column : -1;
  }

  #draw(edge: WallEdge, far: Float32Array): void {
    const length = Math.hypot(edge.bx - edge.ax, edge.by - edge.ay);
    const angle = Math.atan2(edge.inY, edge.inX);
    const code = 1 + Math.round(((angle + Math.PI) / (2 * Math.PI)) * 253);
    const [ux, uy] = [(edge.bx - edge.ax) / length, (edge.by - edge.ay) / length];
    const step = this.#cellM / 2;
    for (let s = -REACH_M; s <= length + REACH_M; s += step) {
      for (let d = -REACH_M; d <= REACH_M; d += step) {
        const at = this.#cellOf(edge.ax + ux * s + edge.inX * d, edge.ay + uy * s + edge.inY * d);
        // If two rooms share a wall, each side belongs to the nearer room, its own side first.
        const distance = Math.abs(d - 0.04);
        if (at < 0 || distance >= far[at]!) continue;
        far[at] = distance;
        this.#codes[at] = code;
      }
    }
  }
}

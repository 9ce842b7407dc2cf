import type { Cloud } from "./cloud.ts";

const CELLS = 2 ** 26;

/** Which cells of a box contain a surface, dilated by one cell; and the nearest point to a position. */
export class CellGrid {
  readonly side: number;
  readonly minX: number;
  readonly minY: number;
  readonly minZ: number;
  readonly width: number;
  readonly depth: number;
  readonly height: number;
  /** 1 if a surface is within one cell horizontally. */
  readonly near: Uint8Array;
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #cloud: Cloud;

  constructor(cloud: Cloud, side: number) {
    this.#cloud = cloud;
    const { count, points } = cloud;
    const [min, max] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
    ] as [number[], number[]];
    for (let i = 0; i < 3 * count; i++) {
      min[i % 3] = Math.min(min[i % 3]!, points[i]!);
      max[i % 3] = Math.max(max[i % 3]!, points[i]!);
    }
    const cells = (by: number) => min.reduce((n, from, k) => n * ((max[k]! - from) / by + 3), 1);
    let own = side;
    while (cells(own) > CELLS) own *= 1.25;
    this.side = own;
    [this.minX, this.minY, this.minZ] = min.map((from) => from - own) as [number, number, number];
    [this.width, this.depth, this.height] = max.map((to, k) => Math.floor((to - min[k]!) / own) + 3) as [
      number,
      number,
      number,
    ];
    this.near = new Uint8Array(this.width * this.depth * this.height);
    this.#first = new Int32Array(this.near.length).fill(-1);
    this.#next = new Int32Array(count).fill(-1);
    for (let i = 0; i < count; i++) {
      const at = this.at(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!);
      this.#next[i] = this.#first[at]!;
      this.#first[at] = i;
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) this.near[at + dy * this.width + dx] = 1;
    }
  }

  /** The cell of a position, or -1 outside. */
  at(x: number, y: number, z: number): number {
    const [i, j, k] = [
      Math.floor((x - this.minX) / this.side),
      Math.floor((y - this.minY) / this.side),
      Math.floor((z - this.minZ) / this.side),
    ];
    if (i < 0 || j < 0 || k < 0 || i >= this.width || j >= this.depth || k >= this.height) return -1;
    return (k * this.depth + j) * this.width + i;
  }

  /** The nearest point within range of a position (a few cells at most), or -1. */
  nearest(x: number, y: number, z: number, reachM: number): number {
    const { points } = this.#cloud;
    const { side, width, depth, height } = this;
    let best = -1;
    let squared = reachM * reachM;
    const lower = (v: number, min: number) => Math.max(0, Math.floor((v - reachM - min) / side));
    const upper = (v: number, min: number, n: number) =>
      Math.min(n - 1, Math.floor((v + reachM - min) / side));
    const [i0, i1] = [lower(x, this.minX), upper(x, this.minX, width)];
    const [j0, j1] = [lower(y, this.minY), upper(y, this.minY, depth)];
    const [k0, k1] = [lower(z, this.minZ), upper(z, this.minZ, height)];
    for (let k = k0; k <= k1; k++)
      for (let j = j0; j <= j1; j++)
        for (let i = i0; i <= i1; i++)
          for (let n = this.#first[(k * depth + j) * width + i]!; n >= 0; n = this.#next[n]!) {
            const d =
              (points[3 * n]! - x) ** 2 + (points[3 * n + 1]! - y) ** 2 + (points[3 * n + 2]! - z) ** 2;
            if (d < squared) [best, squared] = [n, d];
          }
    return best;
  }
}

import type { Cloud } from "./cloud.ts";
import type { CellGrid } from "./grid.ts";
import type { Level } from "./level.ts";
import { ARRIVAL } from "./settings.ts";

/** Normals further apart than this (cosine) belong to different surfaces. */
const FACING = 0.7;

/** A pose registered on the known surfaces, and how firmly they constrain it over the ground. */
export interface Laid extends Level {
  /** Final share of samples on a surface. */
  readonly lying: number;
  /** The weakest and strongest constraint against a horizontal shift, in samples: along a bare wall it slides. */
  readonly holds: readonly [number, number];
}

/**
 * The effort of a registration: samples of the arriving cloud, iterations, and the search range of the first and
 * last.
 */
export interface Care {
  readonly samples: number;
  readonly rounds: number;
  readonly firstReachM: number;
  readonly lastReachM: number;
}

/** Point-to-plane registration in four parameters, with decreasing search range. */
export function layOnKnown(
  known: Cloud,
  grid: CellGrid,
  arriving: Cloud,
  start: Level,
  { samples, rounds, firstReachM, lastReachM }: Care = ARRIVAL.fit,
): Laid {
  let { yawRad, x, y, z } = start;
  const stride = Math.max(1, Math.floor(arriving.count / samples));
  let lying = 0;
  let asked = 0;
  let hold: readonly [number, number] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const share = round / (rounds - 1);
    const reach = firstReachM * (lastReachM / firstReachM) ** share;
    const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
    const m = new Float64Array(16);
    const v = new Float64Array(4);
    [lying, asked] = [0, 0];
    let [hxx, hxy, hyy] = [0, 0, 0];
    for (let i = 0; i < arriving.count; i += stride) {
      const [ax, ay, az] = [
        arriving.points[3 * i]!,
        arriving.points[3 * i + 1]!,
        arriving.points[3 * i + 2]!,
      ];
      const [rx, ry] = [cos * ax - sin * ay, sin * ax + cos * ay];
      const [px, py, pz] = [rx + x, ry + y, az + z];
      if (grid.at(px, py, pz) < 0) continue;
      asked++;
      const n = grid.nearest(px, py, pz, reach);
      if (n < 0) continue;
      const [nx, ny, nz] = [known.normals[3 * n]!, known.normals[3 * n + 1]!, known.normals[3 * n + 2]!];
      if (nx === 0 && ny === 0 && nz === 0) continue;
      const [bx, by, bz] = [
        arriving.normals[3 * i]!,
        arriving.normals[3 * i + 1]!,
        arriving.normals[3 * i + 2]!,
      ];
      if (bx === 0 && by === 0 && bz === 0) continue;
      const along = nx * (cos * bx - sin * by) + ny * (sin * bx + cos * by) + nz * bz;
      if (Math.abs(along) < FACING) continue;
      const off =
        nx * (known.points[3 * n]! - px) +
        ny * (known.points[3 * n + 1]! - py) +
        nz * (known.points[3 * n + 2]! - pz);
      lying++;
      const w = 1 - (off / (2 * reach)) ** 2;
      const j = [-nx * ry + ny * rx, nx, ny, nz];
      for (let r = 0; r < 4; r++) {
        v[r]! += w * j[r]! * off;
        for (let c = 0; c < 4; c++) m[4 * r + c]! += w * j[r]! * j[c]!;
      }
      hxx += nx * nx;
      hxy += nx * ny;
      hyy += ny * ny;
    }
    const step = solved(m, v);
    yawRad += Math.max(-0.1, Math.min(0.1, step[0]!));
    x += step[1]!;
    y += step[2]!;
    z += step[3]!;
    const [half, root] = [(hxx + hyy) / 2, Math.hypot((hxx - hyy) / 2, hxy)];
    hold = [half - root, half + root];
  }
  return { yawRad, x, y, z, lying: asked === 0 ? 0 : lying / asked, holds: hold };
}

/** Solves four equations by elimination; slightly regularised, so that unconstrained directions stay put. */
function solved(m: Float64Array, v: Float64Array): Float64Array {
  const a = m.slice();
  const b = v.slice();
  for (let k = 0; k < 4; k++) a[5 * k]! += 1;
  for (let k = 0; k < 4; k++)
    for (let r = k + 1; r < 4; r++) {
      const f = a[4 * r + k]! / a[5 * k]!;
      for (let c = k; c < 4; c++) a[4 * r + c]! -= f * a[4 * k + c]!;
      b[r]! -= f * b[k]!;
    }
  for (let k = 3; k >= 0; k--) {
    for (let c = k + 1; c < 4; c++) b[k]! -= a[4 * k + c]! * b[c]!;
    b[k]! /= a[5 * k]!;
  }
  return b;
}

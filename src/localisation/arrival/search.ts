import type { Cloud } from "./cloud.ts";
import type { CellGrid } from "./grid.ts";
import type { Level } from "./level.ts";
import { ARRIVAL } from "./settings.ts";

/** A candidate pose of the arriving cloud, and how many of its voters then lie on a surface. */
export interface Proposal extends Level {
  readonly votes: number;
}

/** Poses by which points of the second cloud fall onto surfaces of the first, most votes first. */
export function proposalsOf(known: Cloud, grid: CellGrid, arriving: Cloud): Proposal[] {
  const voters = votersOf(arriving);
  const heights = heightsOf(known, arriving);
  const reach = voters.reduce((far, [x, y]) => Math.max(far, Math.hypot(x, y)), 0);
  const wide = grid.width * grid.side + 2 * reach;
  const deep = grid.depth * grid.side + 2 * reach;
  const tries = ARRIVAL.turns * heights.length * voters.length;
  const square = Math.max(ARRIVAL.squareM, Math.sqrt((wide * deep * tries) / ARRIVAL.mostLookups));
  const [columns, rows] = [Math.ceil(wide / square), Math.ceil(deep / square)];
  const found: Proposal[] = [];
  const votes = new Uint16Array(columns * rows);
  for (const z of heights)
    for (let turn = 0; turn < ARRIVAL.turns; turn++) {
      const yawRad = (turn * 2 * Math.PI) / ARRIVAL.turns;
      const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
      votes.fill(0);
      for (const [x, y, height] of voters) {
        const k = Math.floor((height + z - grid.minZ) / grid.side);
        if (k < 0 || k >= grid.height) continue;
        const layer = k * grid.depth * grid.width;
        const [px, py] = [cos * x - sin * y - reach, sin * x + cos * y - reach];
        for (let row = 0; row < rows; row++) {
          const j = Math.floor((py + (row + 0.5) * square) / grid.side);
          if (j < 0 || j >= grid.depth) continue;
          const line = layer + j * grid.width;
          const to = row * columns;
          for (let column = 0; column < columns; column++) {
            const i = Math.floor((px + (column + 0.5) * square) / grid.side);
            if (i >= 0 && i < grid.width) votes[to + column]! += grid.near[line + i]!;
          }
        }
      }
      for (let n = 0; n < ARRIVAL.peaks; n++) {
        const at = greatest(votes);
        if (votes[at] === 0) break;
        const [column, row] = [at % columns, Math.floor(at / columns)];
        found.push({
          yawRad,
          x: grid.minX - reach + (column + 0.5) * square,
          y: grid.minY - reach + (row + 0.5) * square,
          z,
          votes: votes[at]!,
        });
        for (let dr = -2; dr <= 2; dr++)
          for (let dc = -2; dc <= 2; dc++)
            if (row + dr >= 0 && row + dr < rows && column + dc >= 0 && column + dc < columns)
              votes[(row + dr) * columns + column + dc] = 0;
      }
    }
  return found.sort((a, b) => b.votes - a.votes);
}

function greatest(values: Uint16Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i;
  return best;
}

/** Voting points, spread over heights: otherwise floors, which fit anywhere, would outvote everything else. */
function votersOf({ count, points, normals }: Cloud): (readonly [number, number, number])[] {
  const byHeight = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const isLevel = Math.abs(normals[3 * i + 2]!) > 0.9;
    const bin = Math.floor(points[3 * i + 2]! / 0.1) * 2 + (isLevel ? 1 : 0);
    const held = byHeight.get(bin);
    if (held) held.push(i);
    else byHeight.set(bin, [i]);
  }
  const weights = [...byHeight.values()].map((held) => Math.sqrt(held.length));
  const sum = weights.reduce((a, b) => a + b, 0);
  return [...byHeight.values()].flatMap((held, n) => {
    const want = Math.min(held.length, Math.max(1, Math.round((ARRIVAL.voters * weights[n]!) / sum)));
    return Array.from({ length: want }, (_, k) => {
      const i = held[Math.floor(((k + 0.5) * held.length) / want)]!;
      return [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!] as const;
    });
  });
}

/** Height shifts by which a level of one cloud, its floor or a table, lies on one of the other. */
function heightsOf(known: Cloud, arriving: Cloud): number[] {
  const [a, b] = [levelsOf(known), levelsOf(arriving)];
  const shifts = a.flatMap(([to, much]) =>
    b.map(([from, more]) => [to - from, Math.sqrt(much * more)] as const),
  );
  const found: { z: number; weight: number }[] = [];
  for (const [z, weight] of shifts.sort((p, q) => q[1] - p[1])) {
    const same = found.find((other) => Math.abs(other.z - z) < ARRIVAL.levelM * 1.5);
    if (same) same.weight += weight;
    else found.push({ z, weight });
  }
  return found
    .sort((p, q) => q.weight - p.weight)
    .slice(0, 2 * ARRIVAL.levels)
    .map(({ z }) => z);
}

/** The heights of the largest level surfaces, with their points. */
function levelsOf({ count, points, normals }: Cloud): (readonly [number, number])[] {
  const bins = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    if (Math.abs(normals[3 * i + 2]!) < 0.9) continue;
    const bin = Math.floor(points[3 * i + 2]! / ARRIVAL.levelM);
    const held = bins.get(bin);
    if (held) held.push(points[3 * i + 2]!);
    else bins.set(bin, [points[3 * i + 2]!]);
  }
  const sums = [...bins.keys()].map((bin) => {
    const near = [bin - 1, bin, bin + 1].flatMap((each) => bins.get(each) ?? []);
    return [near.reduce((a, b) => a + b, 0) / near.length, near.length] as const;
  });
  const levels: (readonly [number, number])[] = [];
  for (const one of sums.sort((p, q) => q[1] - p[1])) {
    if (levels.length === ARRIVAL.levels) break;
    if (!levels.some(([z]) => Math.abs(z - one[0]) < 2.5 * ARRIVAL.levelM)) levels.push(one);
  }
  return levels.length > 0 ? levels : [[0, 1]];
}

import {
  type Box,
  centreOf,
  diagonalOf,
  distance,
  gapBetween,
  type Interval,
  inflate,
  intervalsOverlap,
  iou,
  type Vec3,
} from "../../geometry/index.ts";

/** A thing as the neighbour graph sees it. */
export interface Neighbour {
  readonly box: Box;
  readonly presence: Interval;
  /** Floors, walls and ceilings touch everything, so they connect nothing. */
  readonly structural: boolean;
}

/**
 * Which nodes are adjacent: `touching` is ours, `paper` the rule of STaR's released code (docs/formulas.md#bottleneck).
 */
export type NeighbourRule = "touching" | "paper";

const CELL_M = 1;
/** A thing that would lie in more cells than this is compared with every other thing instead. */
const MAX_CELLS = 512;
const GAP_M = 0.1;
const DEGREE = { touching: 8, paper: 6 } as const;
const PAPER = { centreM: 3, heightM: 0.4, iou: 0.01, dilationM: 0.02, thinM: 0.1 } as const;

/**
 * Edges a₀ b₀ a₁ b₁ … between neighbours, each node bringing in at most its eight (paper: six) nearest. A spatial
 * hash of each thing's ball of influence keeps it near-linear.
 */
export function neighbourEdges(things: readonly Neighbour[], rule: NeighbourRule = "touching"): Int32Array {
  const grid = new Map<number, number[]>();
  const large: number[] = [];
  const reach = things.map(({ box }) =>
    rule === "paper" ? PAPER.centreM / 2 : diagonalOf(box) / 2 + GAP_M / 2,
  );
  const diagonals = things.map(({ box }) => diagonalOf(box));
  const centres = things.map(({ box }) => centreOf(box));
  const cells = things.map((_, i) => cellsAround(centres[i]!, reach[i]!));
  cells.forEach((own, i) => {
    if (things[i]!.structural) return;
    if (own === undefined) large.push(i);
    for (const cell of own ?? []) {
      const there = grid.get(cell);
      if (there) there.push(i);
      else grid.set(cell, [i]);
    }
  });

  const pairs = new Set<number>();
  const n = things.length;
  for (let i = 0; i < n; i++) {
    if (things[i]!.structural) continue;
    const own = cells[i];
    const candidates = new Set(large);
    if (own === undefined) for (let j = 0; j < n; j++) candidates.add(j);
    for (const cell of own ?? []) for (const j of grid.get(cell) ?? []) candidates.add(j);
    const near: { j: number; apart: number }[] = [];
    for (const j of candidates) {
      if (j === i || things[j]!.structural || !intervalsOverlap(things[i]!.presence, things[j]!.presence))
        continue;
      const apart = distance(centres[i]!, centres[j]!);
      const touching =
        rule === "paper"
          ? paperNeighbours(things[i]!.box, things[j]!.box, apart)
          : apart <= 0.5 * (diagonals[i]! + diagonals[j]!) ||
            gapBetween(things[i]!.box, things[j]!.box) <= GAP_M;
      if (touching) near.push({ j, apart });
    }
    near.sort((x, y) => x.apart - y.apart || x.j - y.j);
    for (const { j } of near.slice(0, DEGREE[rule])) pairs.add(Math.min(i, j) * n + Math.max(i, j));
  }
  const edges = new Int32Array(pairs.size * 2);
  let at = 0;
  for (const pair of [...pairs].sort((a, b) => a - b)) {
    edges[at++] = Math.floor(pair / n);
    edges[at++] = pair % n;
  }
  return edges;
}

function paperNeighbours(a: Box, b: Box, apart: number): boolean {
  const [ca, cb] = [centreOf(a), centreOf(b)];
  const thin = (box: Box) => box.max.z - box.min.z < PAPER.thinM;
  return (
    apart <= PAPER.centreM &&
    Math.abs(ca.z - cb.z) <= PAPER.heightM &&
    !thin(a) &&
    !thin(b) &&
    iou(inflate(a, PAPER.dilationM), inflate(b, PAPER.dilationM)) > PAPER.iou
  );
}

/** Cells as hashes: two that collide only offer each other candidates that the exact test turns away. */
function cellsAround(c: Vec3, reachM: number): number[] | undefined {
  const low = [c.x, c.y, c.z].map((v) => Math.floor((v - reachM) / CELL_M));
  const high = [c.x, c.y, c.z].map((v) => Math.floor((v + reachM) / CELL_M));
  const count = low.reduce((product, from, axis) => product * (high[axis]! - from + 1), 1);
  if (count > MAX_CELLS) return undefined;
  const cells: number[] = [];
  for (let x = low[0]!; x <= high[0]!; x++)
    for (let y = low[1]!; y <= high[1]!; y++)
      for (let z = low[2]!; z <= high[2]!; z++)
        cells.push((Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663) ^ Math.imul(z, 83_492_791)) | 0);
  return cells;
}

import { measured } from "./measured.ts";
import type { Region } from "./pieces.ts";
import type { Partition } from "./regions.ts";

/**
 * Least length, greatest depth and thickness (including a voxel of noise on both sides), and mounting height of a
 * board.
 */
const LONG_M = 0.5;
const DEEP_M = 0.5;
const THICK_M = 0.12;
const HIGH_M = 0.3;
/** Limits for things standing on it: gap in height, lateral offset of the centre, and length. */
const STEP_M = 0.1;
const BESIDE_M = 0.05;
const CARRIED_M = 0.5;
/** A single thing may hang behind it; several stand on it. */
const CARRIED = 2;
/** Name of a board, and the least vote for it when it is one region with posts, rims and other parts along its wall. */
export const SHELF = "shelf";
const CALLED = 0.3;

type Board = Pick<Region, "members" | "point" | "low" | "high">;

/**
 * Regions below the reporting threshold on which things stand: long, thin, level boards on a wall. A camera looking
 * along a board sees only its edge, and the network takes it for a piece of the wall or of what stands on it. Boards
 * within a reported thing belong to that thing.
 */
export function boardsIn(
  cut: Partition,
  shown: ReadonlySet<number>,
  categories: readonly string[],
  sizeM: number,
  floorZ: number,
): (readonly number[])[] {
  const things = [...shown].map((number) => cut.regions[number]!);
  const shelf = categories.indexOf(SHELF);
  const boards = cut.regions.flatMap((region, number) => {
    if (shown.has(number)) return [];
    const isThin = region.high[2]! - region.low[2]! <= THICK_M;
    const board = isThin ? region : isCalled(region, shelf) ? fullestLevel(region, cut) : undefined;
    if (!board || !(board.low[2]! - floorZ >= HIGH_M)) return [];
    const carried = things.filter((thing) => standsOn(thing, board));
    const isOwn = !things.some((thing) => isWithin(board, thing) || bears(thing, board));
    return carried.length > 0 && isOwn ? [{ ...board, carried }] : [];
  });
  return joined(boards).flatMap((run) => {
    if (new Set(run.flatMap(({ carried }) => carried)).size < CARRIED) return [];
    const members = run.flatMap((board) => board.members);
    const { longM, wideM } = measured(cut.seen, members, sizeM);
    return longM >= LONG_M && wideM <= DEEP_M ? [members] : [];
  });
}

/** Merges boards that continue each other: things standing on one hide parts of it. */
function joined<B extends Board>(boards: readonly B[]): B[][] {
  const runs: B[][] = [];
  for (const board of boards) {
    const own = runs.filter((run) => run.some((one) => goesOn(one, board)));
    for (const run of own) runs.splice(runs.indexOf(run), 1);
    runs.push([...own.flat(), board]);
  }
  return runs;
}

function goesOn(a: Board, b: Board): boolean {
  if (Math.abs(heightOf(a) - heightOf(b)) > BESIDE_M) return false;
  return [0, 1].every((k) => a.low[k]! <= b.high[k]! + STEP_M && b.low[k]! <= a.high[k]! + STEP_M);
}

function heightOf({ point, members }: Board): number {
  return point[2]! / members.length;
}

function isCalled({ names, members }: Region, category: number): boolean {
  return (names[category] ?? 0) >= CALLED * members.length;
}

/** The level of a region with the most of its voxels, as thin as a board. */
function fullestLevel({ members }: Region, { seen: { point } }: Partition): Board {
  const ranked = members.toSorted((a, b) => point[3 * a + 2]! - point[3 * b + 2]!);
  let best: readonly number[] = [];
  for (let from = 0, to = 0; from < ranked.length; from++) {
    while (to < ranked.length && point[3 * ranked[to]! + 2]! - point[3 * ranked[from]! + 2]! <= THICK_M) to++;
    if (to - from > best.length) best = ranked.slice(from, to);
  }
  const over = (of: (a: number, b: number) => number, start: number) =>
    Float32Array.from([0, 1, 2], (k) => best.reduce((so, n) => of(so, point[3 * n + k]!), start));
  return {
    members: [...best],
    point: over((a, b) => a + b, 0),
    low: over(Math.min, Infinity),
    high: over(Math.max, -Infinity),
  };
}

function standsOn(thing: Region, board: Board): boolean {
  const topZ = heightOf(board);
  if (Math.abs(thing.low[2]! - topZ) > STEP_M || thing.high[2]! < topZ + STEP_M) return false;
  return isOver(thing, board) && [0, 1].every((k) => thing.high[k]! - thing.low[k]! <= CARRIED_M);
}

/** Whether the centre of one lies within the other as seen from above. */
function isOver({ point, members }: Board, below: Board): boolean {
  return [0, 1].every((k) => {
    const middle = point[k]! / members.length;
    return middle >= below.low[k]! - BESIDE_M && middle <= below.high[k]! + BESIDE_M;
  });
}

/** Boards hang: the edge of a plinth on a counter does not count. */
function bears(thing: Region, board: Board): boolean {
  const isBelow = Math.abs(thing.high[2]! - board.low[2]!) <= STEP_M;
  return isBelow && isOver(board, thing);
}

function isWithin(board: Board, thing: Region): boolean {
  return [0, 1, 2].every(
    (k) => board.low[k]! >= thing.low[k]! - STEP_M && board.high[k]! <= thing.high[k]! + STEP_M,
  );
}

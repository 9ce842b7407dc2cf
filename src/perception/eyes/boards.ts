import { settings } from "../../schema/settings.ts";
import { measured } from "./measured.ts";
import type { Region } from "./pieces.ts";
import type { Partition } from "./regions.ts";

/** Value, unit, minimum, maximum, source. */
const BOARDS = settings("eyes.boards", {
  /**
   * Least length, greatest depth and thickness (including a voxel of noise on both sides), and mounting height of a
   * board.
   */
  longM: [0.5, "m", 0.25, 1, "experiment"],
  deepM: [0.5, "m", 0.25, 1, "experiment"],
  thickM: [0.12, "m", 0.06, 0.24, "experiment"],
  highM: [0.3, "m", 0.15, 0.6, "experiment"],
  /** Limits for things standing on it: gap in height, lateral offset of the centre, and length. */
  stepM: [0.1, "m", 0.05, 0.2, "experiment"],
  besideM: [0.05, "m", 0.025, 0.1, "experiment"],
  carriedM: [0.5, "m", 0.25, 1, "experiment"],
  /** A single thing may hang behind it; several stand on it. */
  carried: [2, "count", 1, 4, "experiment"],
  called: [0.3, "share", 0.15, 0.6, "experiment"],
});

/** Name of a board, and the least vote for it when it is one region with posts, rims and other parts along its wall. */
export const SHELF = "shelf";

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
    const isThin = region.high[2]! - region.low[2]! <= BOARDS.thickM;
    const board = isThin ? region : isCalled(region, shelf) ? fullestLevel(region, cut) : undefined;
    if (!board || !(board.low[2]! - floorZ >= BOARDS.highM)) return [];
    const carried = things.filter((thing) => standsOn(thing, board));
    const isOwn = !things.some((thing) => isWithin(board, thing) || bears(thing, board));
    return carried.length > 0 && isOwn ? [{ ...board, carried }] : [];
  });
  return joined(boards).flatMap((run) => {
    if (new Set(run.flatMap(({ carried }) => carried)).size < BOARDS.carried) return [];
    const members = run.flatMap((board) => board.members);
    const { longM, wideM } = measured(cut.seen, members, sizeM);
    return longM >= BOARDS.longM && wideM <= BOARDS.deepM ? [members] : [];
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
  if (Math.abs(heightOf(a) - heightOf(b)) > BOARDS.besideM) return false;
  return [0, 1].every(
    (k) => a.low[k]! <= b.high[k]! + BOARDS.stepM && b.low[k]! <= a.high[k]! + BOARDS.stepM,
  );
}

function heightOf({ point, members }: Board): number {
  return point[2]! / members.length;
}

function isCalled({ names, members }: Region, category: number): boolean {
  return (names[category] ?? 0) >= BOARDS.called * members.length;
}

/** The level of a region with the most of its voxels, as thin as a board. */
function fullestLevel({ members }: Region, { seen: { point } }: Partition): Board {
  const ranked = members.toSorted((a, b) => point[3 * a + 2]! - point[3 * b + 2]!);
  let best: readonly number[] = [];
  for (let from = 0, to = 0; from < ranked.length; from++) {
    while (to < ranked.length && point[3 * ranked[to]! + 2]! - point[3 * ranked[from]! + 2]! <= BOARDS.thickM)
      to++;
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
  if (Math.abs(thing.low[2]! - topZ) > BOARDS.stepM || thing.high[2]! < topZ + BOARDS.stepM) return false;
  return isOver(thing, board) && [0, 1].every((k) => thing.high[k]! - thing.low[k]! <= BOARDS.carriedM);
}

/** Whether the centre of one lies within the other as seen from above. */
function isOver({ point, members }: Board, below: Board): boolean {
  return [0, 1].every((k) => {
    const middle = point[k]! / members.length;
    return middle >= below.low[k]! - BOARDS.besideM && middle <= below.high[k]! + BOARDS.besideM;
  });
}

/** Boards hang: the edge of a plinth on a counter does not count. */
function bears(thing: Region, board: Board): boolean {
  const isBelow = Math.abs(thing.high[2]! - board.low[2]!) <= BOARDS.stepM;
  return isBelow && isOver(board, thing);
}

function isWithin(board: Board, thing: Region): boolean {
  return [0, 1, 2].every(
    (k) => board.low[k]! >= thing.low[k]! - BOARDS.stepM && board.high[k]! <= thing.high[k]! + BOARDS.stepM,
  );
}

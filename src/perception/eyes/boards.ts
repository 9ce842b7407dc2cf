import { measured } from "./measured.ts";
import type { Region } from "./pieces.ts";
import type { Partition } from "./regions.ts";

/** A board is as long as this, no deeper and no thicker than these (a voxel of noise on both sides included), and hangs this high. */
const LONG_M = 0.5;
const DEEP_M = 0.5;
const THICK_M = 0.12;
const HIGH_M = 0.3;
/** What stands on it begins within this of its height, and has its middle no farther beside it than this, and is no longer than this. */
const STEP_M = 0.1;
const BESIDE_M = 0.05;
const CARRIED_M = 0.5;
/** One thing may hang behind it; several stand on it. */
const CARRIED = 2;

/**
 * Regions that nobody takes for a thing, though things stand on them: long, thin and level boards on a wall. Eyes that look along a
 * board see its edge and little else, and take it for a piece of the wall or of what stands on it. Boards within
 * a thing that is shown are of that thing.
 */
export function boardsIn(
  cut: Partition,
  shown: ReadonlySet<number>,
  sizeM: number,
  floorZ: number,
): number[] {
  const things = [...shown].map((number) => cut.regions[number]!);
  return [...cut.regions.keys()].filter((number) => {
    const region = cut.regions[number]!;
    if (shown.has(number) || !(region.low[2]! - floorZ >= HIGH_M)) return false;
    if (region.high[2]! - region.low[2]! > THICK_M) return false;
    const carried = things.filter((thing) => standsOn(thing, region)).length;
    if (carried < CARRIED || things.some((thing) => isWithin(region, thing))) return false;
    const { longM, wideM } = measured(cut.seen, region.members, sizeM);
    return longM >= LONG_M && wideM <= DEEP_M;
  });
}

function standsOn(thing: Region, board: Region): boolean {
  const [things, boards] = [thing.members.length, board.members.length];
  const topZ = board.point[2]! / boards;
  if (Math.abs(thing.low[2]! - topZ) > STEP_M || thing.high[2]! < topZ + STEP_M) return false;
  return [0, 1].every((k) => {
    const middle = thing.point[k]! / things;
    const isShort = thing.high[k]! - thing.low[k]! <= CARRIED_M;
    return isShort && middle >= board.low[k]! - BESIDE_M && middle <= board.high[k]! + BESIDE_M;
  });
}

function isWithin(board: Region, thing: Region): boolean {
  return [0, 1, 2].every(
    (k) => board.low[k]! >= thing.low[k]! - STEP_M && board.high[k]! <= thing.high[k]! + STEP_M,
  );
}

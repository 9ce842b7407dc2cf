import { GRID } from "./settings.ts";

/**
 * The height ranges, above the floor, in which a map cell is judged. A robot or a person collides with what is low,
 * mid or high; what stands at head height above every doorway is wall or lintel, which separates rooms even where
 * their doors are open. The floor itself is evidence that one can stand there.
 */
export const FLOOR_BAND = 0;
export const LOW_BAND = 1;
export const MID_BAND = 2;
export const HIGH_BAND = MID_BAND + 1;
export const HEAD_BAND = HIGH_BAND + 1;
export const BANDS = HEAD_BAND + 1;

/** Side of a cell, and how many of them a tile has along a side. */
export const CELL_M = GRID.cellM;
export const TILE_SHIFT = 6;
export const TILE = 1 << TILE_SHIFT;
/** Observation times are stored in cells twice as wide: about 0.25 m, rounded to fit the grid. */
export const LOOK = TILE / 2;

/** Evidence is log-odds in tenths, to fit a byte; the clamp lets a changed world win soon. */
export const HIT = GRID.hit;
export const MISS = GRID.miss;
export const CLAMP = GRID.clamp;
/** Beyond this the cell counts as occupied or, on the negative side, as free. */
export const BELIEVED = GRID.believed;

/** In the tables below: no band. */
export const NO_BAND = 0xff;
/**
 * The tables below are in twentieths of a metre from here; the first entry is everything lower, the last everything
 * higher.
 */
const STEP_M = GRID.stepM;
export const STEPS_A_METRE = 1 / STEP_M;
const LOWEST_M = 2 * GRID.floorFromM;
const HIGHEST_M = GRID.headToM;
const STEPS = Math.round((HIGHEST_M - LOWEST_M) / STEP_M) + 2;
/** The entry for everything above the highest band. */
export const TOP_STEP = STEPS - 1;
/** Lower edge of each stretch of height, with the band of a point that lies in it. */
const STRETCHES: readonly (readonly [fromM: number, band: number])[] = [
  [GRID.floorFromM, FLOOR_BAND],
  [GRID.lowFromM, LOW_BAND],
  [GRID.midFromM, MID_BAND],
  [GRID.highFromM, HIGH_BAND],
  [GRID.highToM, NO_BAND],
  [GRID.headFromM, HEAD_BAND],
  [HIGHEST_M, NO_BAND],
];

/** The band that a point at a height (by `heightStep`) is evidence for; none for drops and ceilings. */
export const HIT_BAND = new Uint8Array(STEPS).fill(NO_BAND);
/** The band that a passing ray is evidence against. Skimming the floor says nothing, going through it does. */
export const PASS_BAND = new Uint8Array(STEPS).fill(NO_BAND);
for (let i = 0; i < STEPS; i++) {
  const middleM = LOWEST_M + (i - 0.5) * STEP_M;
  const band = STRETCHES.findLast(([fromM]) => middleM >= fromM)?.[1];
  if (band !== undefined) HIT_BAND[i] = band;
  PASS_BAND[i] = band === undefined ? FLOOR_BAND : band === FLOOR_BAND ? NO_BAND : band;
}

/** For each entry of `PASS_BAND` the first one of its stretch, and the first one beyond it. */
export const STRETCH_START = new Uint8Array(STEPS);
export const STRETCH_END = new Uint8Array(STEPS);
for (let i = 0; i < STEPS; i++)
  STRETCH_START[i] = i > 0 && PASS_BAND[i] === PASS_BAND[i - 1] ? STRETCH_START[i - 1]! : i;
for (let i = STEPS - 1; i >= 0; i--)
  STRETCH_END[i] = i + 1 < STEPS && PASS_BAND[i] === PASS_BAND[i + 1] ? STRETCH_END[i + 1]! : i + 1;

/** Index of a height above the floor in the tables, before `tableStep` clamps it to their ends. */
export function heightStep(heightM: number): number {
  return (heightM - LOWEST_M) * STEPS_A_METRE + 1;
}

export function tableStep(step: number): number {
  return step < 0 ? 0 : step >= STEPS ? STEPS - 1 : step | 0;
}

/** The band whose observation times apply to a point at this height. */
export function bandOfLook(heightM: number): number {
  if (heightM < GRID.lowFromM) return FLOOR_BAND;
  if (heightM < GRID.midFromM) return LOW_BAND;
  if (heightM < GRID.highFromM) return MID_BAND;
  return heightM < GRID.highToM ? HIGH_BAND : HEAD_BAND;
}

import type { Rgb } from "./colours.ts";

/** Names that a voxel remembers; weaker ones are replaced. */
export const NAMES = 5;
/** `goneAt` of an existing voxel. */
export const ALIVE = 0x7fffffff;

/** Sums over the observations of each voxel, with a total of `weight`. */
export interface Columns {
  cell: Int32Array;
  weight: Float32Array;
  point: Float32Array;
  normal: Float32Array;
  centre: Float32Array;
  rgb: Float32Array;
  surface: Float32Array;
  boundary: Float32Array;
  name: Uint8Array;
  nameWeight: Float32Array;
  kind: Uint8Array;
  kindWeight: Float32Array;
  /** Weight of the observations with close-up categories. */
  closerWeight: Float32Array;
  hits: Uint16Array;
  through: Uint8Array;
  sides: Uint8Array;
  lastFrame: Int32Array;
  goneAt: Int32Array;
}

const WIDTHS: Readonly<Record<keyof Columns, number>> = {
  cell: 3,
  weight: 1,
  point: 3,
  normal: 3,
  centre: 3,
  rgb: 3,
  surface: 3,
  boundary: 1,
  name: NAMES,
  nameWeight: NAMES,
  kind: NAMES,
  kindWeight: NAMES,
  closerWeight: 1,
  hits: 1,
  through: 1,
  sides: 1,
  lastFrame: 1,
  goneAt: 1,
};

/** The mean colour of a voxel. */
export function colourAt({ rgb, weight }: Pick<Columns, "rgb" | "weight">, voxel: number): Rgb {
  const w = weight[voxel]!;
  return [rgb[3 * voxel]! / w, rgb[3 * voxel + 1]! / w, rgb[3 * voxel + 2]! / w];
}

export function emptyColumns(room: number): Columns {
  const floats = (key: keyof Columns) => new Float32Array(WIDTHS[key] * room);
  return {
    cell: new Int32Array(3 * room),
    weight: floats("weight"),
    point: floats("point"),
    normal: floats("normal"),
    centre: floats("centre"),
    rgb: floats("rgb"),
    surface: floats("surface"),
    boundary: floats("boundary"),
    name: new Uint8Array(NAMES * room),
    nameWeight: floats("nameWeight"),
    kind: new Uint8Array(NAMES * room),
    kindWeight: floats("kindWeight"),
    closerWeight: floats("closerWeight"),
    hits: new Uint16Array(room),
    through: new Uint8Array(room),
    sides: new Uint8Array(room),
    lastFrame: new Int32Array(room),
    goneAt: new Int32Array(room),
  };
}

/** The data of some voxels, in order, with room for more. */
export function keptColumns(from: Columns, kept: Int32Array, room: number): Columns {
  const to = emptyColumns(room);
  const runs = runsOf(kept);
  for (const key of Object.keys(WIDTHS) as (keyof Columns)[])
    keepColumn(from[key], to[key], runs, WIDTHS[key]);
  return to;
}

/** Runs of consecutive voxels that stay: old start, new start and length. Most voxels are in long runs. */
function runsOf(kept: Int32Array): number[] {
  const runs: number[] = [];
  for (let n = 0; n < kept.length; ) {
    const start = n;
    do n++;
    while (n < kept.length && kept[n] === kept[n - 1]! + 1);
    runs.push(kept[start]!, start, n - start);
  }
  return runs;
}

function keepColumn(
  from: Columns[keyof Columns],
  to: Columns[keyof Columns],
  runs: readonly number[],
  width: number,
): void {
  for (let n = 0; n < runs.length; n += 3) {
    const at = runs[n]! * width;
    to.set(from.subarray(at, at + runs[n + 2]! * width), runs[n + 1]! * width);
  }
}

/** The same data with twice the room. */
export function grownColumns(from: Columns, room: number): Columns {
  const to = emptyColumns(room);
  for (const key of Object.keys(WIDTHS) as (keyof Columns)[]) to[key].set(from[key]);
  return to;
}

/** Resets a voxel to unknown. */
export function clear(columns: Columns, voxel: number): void {
  for (const key of Object.keys(WIDTHS) as (keyof Columns)[])
    if (key !== "cell") columns[key].fill(0, voxel * WIDTHS[key], (voxel + 1) * WIDTHS[key]);
  columns.goneAt[voxel] = ALIVE;
  columns.lastFrame[voxel] = -1;
}

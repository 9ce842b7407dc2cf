import type { Maybe } from "../../schema/core.ts";
import { colourWord } from "./colours.ts";
import type { Surface } from "./links.ts";
import { type Nameable, namesOf } from "./naming.ts";
import type { Region } from "./pieces.ts";
import type { Partition } from "./regions.ts";
import { thingness } from "./thingness.ts";
import type { VoxelMap } from "./voxels.ts";

/** How likely a region must be a thing of its own before it is shown. */
const BELIEVED = 0.15;
/** Smaller than this nothing is told apart from noise. */
const LEAST_M = 0.06;
const LEAST_VOXELS = 10;
/** A top is as level as this, as large and as high. */
const LEVEL = 0.9;
const TOP_M2 = 0.4;
const STEP_M = 0.04;
const TOP_LEAST_M = 0.2;
const TOP_MOST_M = 1.6;

/** A thing of the map in words. */
export interface SeenThing {
  readonly region: number;
  /** Absent where no name is sure enough. */
  readonly label: string | undefined;
  readonly maybe: readonly Maybe[];
  readonly text: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly score: number;
}

/** The regions that are things, each with its words; walls, floors, specks and slivers are none. */
export function thingsIn(
  map: VoxelMap,
  cut: Partition,
  categories: readonly string[],
  floorZ: number,
): SeenThing[] {
  const { seen, regions } = cut;
  const things = regions.flatMap((region, number) => {
    const thing = nameableOf(cut, number, map.sizeM, floorZ);
    return thing ? [{ region, number, ...thing }] : [];
  });
  const names = namesOf(things, categories);
  return things.map((thing, n): SeenThing => {
    const { region, number, score } = thing;
    const { label, maybe } = names[n]!;
    const colour = colourWord(coloursIn(map, seen, region));
    const isTop = !label && hasTop(seen, region, map.sizeM, floorZ);
    const shape = label || isTop ? undefined : shapeOf(thing);
    const noun = label ?? (isTop ? "flat surface" : "thing");
    const text = [colour, shape, noun].filter(Boolean).join(" ");
    // Only what does not change with the cut: whatever differs speaks for another thing when it is met again.
    const attributes = { ...(colour && { colour }), ...(shape && { shape }) };
    return { region: number, label, maybe, text, attributes, score };
  });
}

/** A region as it is named, with how likely it is a thing; undefined for what is likely none, or too small to tell. */
export function nameableOf(
  cut: Partition,
  number: number,
  sizeM: number,
  floorZ: number,
): (Nameable & { readonly score: number }) | undefined {
  const region = cut.regions[number]!;
  const { members, names, point, low } = region;
  if (members.length < LEAST_VOXELS) return undefined;
  const score = thingness(cut, number, floorZ);
  if (score < BELIEVED) return undefined;
  const size = measured(cut.seen, region, sizeM);
  if (size.longM < LEAST_M) return undefined;
  return {
    ...size,
    score,
    votes: names.map((sum) => sum / members.length),
    aboveM: low[2]! - floorZ,
    middle: [...point].map((sum) => sum / members.length),
  };
}

interface Measured {
  readonly longM: number;
  readonly wideM: number;
  readonly highM: number;
}

/** Length and width along the directions in which it spreads on the ground, and height; without the outermost places. */
function measured({ point }: Surface, { members }: Region, sizeM: number): Measured {
  let [mx, my] = [0, 0];
  for (const n of members) {
    mx += point[3 * n]!;
    my += point[3 * n + 1]!;
  }
  mx /= members.length;
  my /= members.length;
  let [xx, xy, yy] = [0, 0, 0];
  for (const n of members) {
    const [x, y] = [point[3 * n]! - mx, point[3 * n + 1]! - my];
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const yaw = Math.atan2(2 * xy, xx - yy) / 2;
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const spans = [
    spanOf(members.map((n) => c * point[3 * n]! + s * point[3 * n + 1]!)),
    spanOf(members.map((n) => c * point[3 * n + 1]! - s * point[3 * n]!)),
  ];
  return {
    longM: Math.max(...spans) + sizeM / 2,
    wideM: Math.min(...spans) + sizeM / 2,
    highM: spanOf(members.map((n) => point[3 * n + 2]!)) + sizeM / 2,
  };
}

function spanOf(values: number[]): number {
  values.sort((a, b) => a - b);
  const last = values.length - 1;
  return values[Math.round(0.97 * last)]! - values[Math.round(0.03 * last)]!;
}

/** One word for a shape that a person would see; none where nothing stands out. */
function shapeOf({ longM, wideM, highM }: Measured): string | undefined {
  if (highM < 0.04 && highM < 0.4 * wideM) return "flat";
  if (highM > 2.5 * longM) return "tall";
  if (longM > 4 * Math.max(wideM, highM)) return "long";
  if (wideM > 0.5 * longM && highM > 0.5 * longM && highM < 2 * longM) return "box-shaped";
  return undefined;
}

/** Whether it has a level part on which things can stand, at a height at which one puts them. */
function hasTop({ point, normal }: Surface, { members }: Region, sizeM: number, floorZ: number): boolean {
  const heights = new Map<number, number>();
  for (const n of members) {
    if (normal[3 * n + 2]! < LEVEL) continue;
    const step = Math.round(point[3 * n + 2]! / STEP_M);
    heights.set(step, (heights.get(step) ?? 0) + 1);
  }
  const near = (step: number) => [-1, 0, 1].reduce((sum, d) => sum + (heights.get(step + d) ?? 0), 0);
  return [...heights.keys()].some((step) => {
    const heightM = step * STEP_M - floorZ;
    return near(step) * sizeM * sizeM >= TOP_M2 && heightM >= TOP_LEAST_M && heightM <= TOP_MOST_M;
  });
}

function* coloursIn(map: VoxelMap, { voxels }: Surface, { members }: Region) {
  const { rgb, weight } = map.columns;
  for (const n of members) {
    const voxel = voxels[n]!;
    const w = weight[voxel]!;
    yield [rgb[3 * voxel]! / w, rgb[3 * voxel + 1]! / w, rgb[3 * voxel + 2]! / w] as const;
  }
}

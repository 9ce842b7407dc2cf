import { isKindOf, typicalSizeM } from "../../ontology/index.ts";
import { colourWord } from "./colours.ts";
import type { Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import type { Partition } from "./regions.ts";
import { thingness } from "./thingness.ts";
import type { VoxelMap } from "./voxels.ts";

/** From which fused probability a name is believed, and how many times the second's it must be; docs/eyes.md#names. */
const NAMED = { least: 0.24, times: 1.5 };
/** How likely a region must be a thing of its own before it is shown. */
const BELIEVED = 0.15;
/** A thing is between these shares of what its kind usually measures; what is seen in part is smaller. */
const SMALLEST_SHARE = 0.2;
const LARGEST_SHARE = 2.5;
/** Smaller than this nothing is told apart from noise. */
const LEAST_M = 0.06;
const LEAST_VOXELS = 10;
/** A top is as level as this, as large and as high. */
const LEVEL = 0.9;
const TOP_M2 = 0.4;
const STEP_M = 0.04;
const TOP_LEAST_M = 0.2;
const TOP_MOST_M = 1.6;
/** What the eyes call a thing that they have no name for. */
const NO_NAME = new Set(["other", "thing", "nothing", "background", "structure"]);

/** A thing of the map in words. */
export interface SeenThing {
  readonly region: number;
  /** Absent where no name is sure enough. */
  readonly label: string | undefined;
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
  return regions.flatMap((region, number): SeenThing[] => {
    const count = region.members.length;
    if (count < LEAST_VOXELS) return [];
    const believed = thingness(cut, number, floorZ);
    if (believed < BELIEVED) return [];
    const size = measured(seen, region, map.sizeM);
    if (size.longM < LEAST_M) return [];
    const label = nameOf(region, categories, Math.max(size.longM, size.highM));
    const colour = colourWord(coloursIn(map, seen, region));
    const isTop = !label && hasTop(seen, region, map.sizeM, floorZ);
    const shape = label || isTop ? undefined : shapeOf(size);
    const noun = label ?? (isTop ? "flat surface" : "thing");
    const text = [colour, shape, noun].filter(Boolean).join(" ");
    // Only what does not change with the cut: whatever differs speaks for another thing when it is met again.
    const attributes = { ...(colour && { colour }), ...(shape && { shape }) };
    return [{ region: number, label, text, attributes, score: believed }];
  });
}

/**
 * The name that is likely enough, clear of the next, and of something that may be as large as this. A kind takes what was
 * said of its kinds: who sees a stool or an armchair has seen a seat.
 */
function nameOf(
  { names, members }: Region,
  categories: readonly string[],
  longM: number,
): string | undefined {
  const said = categories.flatMap((label, n) =>
    names[n]! > 0 && !NO_NAME.has(label) ? [{ label, p: names[n]! / members.length }] : [],
  );
  const ranked = said
    .map(({ label, p }) => ({
      label,
      p:
        p +
        said.reduce(
          (sum, other) => sum + (other.label !== label && isKindOf(other.label, label) ? other.p : 0),
          0,
        ),
    }))
    .sort((a, b) => b.p - a.p);
  const [best, second] = ranked.filter(
    ({ label }) => !ranked[0] || label === ranked[0].label || !isKindOf(label, ranked[0].label),
  );
  if (!best) return undefined;
  const usualM = typicalSizeM(best.label);
  const fits =
    usualM === undefined || (longM >= SMALLEST_SHARE * usualM && longM <= LARGEST_SHARE * usualM + 0.1);
  const isSure = fits && best.p >= NAMED.least && best.p >= NAMED.times * (second?.p ?? 0);
  return isSure ? best.label : undefined;
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

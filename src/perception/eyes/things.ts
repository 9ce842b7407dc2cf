import { isKindOf, usualMaterial } from "../../ontology/index.ts";
import type { Maybe } from "../../schema/core.ts";
import { settings } from "../../schema/settings.ts";
import { boardsIn, SHELF } from "./boards.ts";
import { type Colours, coloursOf, lampColoursOf, paintedColoursOf, type Rgb } from "./colours.ts";
import { opennessOf } from "./doors.ts";
import { frameColoursOf, isFrameOnly } from "./frames.ts";
import { backsOf, runsOf } from "./fronts.ts";
import { FITTED, usualHighM } from "./known-kinds.ts";
import { standingLampsIn } from "./lamps.ts";
import type { Surface } from "./links.ts";
import { type Measuring, meanLooks, nameableOf } from "./measured.ts";
import { type Nameable, type Named, unnamed } from "./named.ts";
import { namesOf } from "./naming.ts";
import { partsOf } from "./partitions.ts";
import type { Region } from "./pieces.ts";
import type { Partition } from "./regions.ts";
import { type Rug, rugName, rugsIn } from "./rugs.ts";
import { isDoor, shownAmong } from "./shown.ts";
import type { Measured } from "./spans.ts";
import { SIDE_TABLE, topsIn } from "./tops.ts";
import { fillOf } from "./tubs.ts";
import { colourAt } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";
import { type Whole, wholesOf } from "./wholes.ts";

/** Value, unit, minimum, maximum, source. */
const THINGS = settings("eyes.things", {
  /** Required probability of a whole that takes its piece's name. */
  sureOfPieces: [0.8, "probability", 0.6, 0.9, "experiment"],
  /** Observations required for a name: of the names from one frame for a desk, five of six were wrong. */
  looksToName: [1.5, "looks", 0.75, 3, "experiment"],
  /** Score given to a board on which things stand. */
  believedBoard: [0.6, "probability", 0.3, 0.8, "experiment"],
  /**
   * A lamp shines above this share of its height; and the share of the usual height up to which it must have been seen.
   */
  shadeFrom: [0.65, "share", 0.325, 0.825, "experiment"],
  shadeHigh: [0.8, "share", 0.6, 0.9, "experiment"],
  /** A usable top has this levelness, area and height. */
  level: [0.9, "cosine", 0.8, 0.95, "experiment"],
  topM2: [0.4, "m²", 0.2, 0.8, "experiment"],
  stepM: [0.04, "m", 0.02, 0.08, "experiment"],
  topLeastM: [0.2, "m", 0.1, 0.4, "experiment"],
  topMostM: [1.6, "m", 0.8, 3.2, "experiment"],
  /** Words for shapes: a flat thing is lower than this, and than this share of its width; others by ratios of sides. */
  flatM: [0.04, "m", 0.02, 0.08, "experiment"],
  flatShare: [0.4, "share", 0.2, 0.8, "experiment"],
  tall: [2.5, "ratio", 1.5, 4, "experiment"],
  long: [4, "ratio", 2, 8, "experiment"],
});

/** A thing of the map with its description. */
export interface SeenThing {
  /** Its regions in the map: several if it was never seen as one. */
  readonly regions: readonly number[];
  /** Voxels outside any region, for things that lie flat on the floor. */
  readonly voxels?: readonly number[];
  /** Unseen points of its extent, x y z in sequence. */
  readonly back?: readonly number[];
  /** Absent if no name is certain enough. */
  readonly label: string | undefined;
  readonly maybe: readonly Maybe[];
  readonly text: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly score: number;
  /** States that follow from its location, whatever a frame shows. */
  readonly states?: Readonly<Record<string, string>> | undefined;
  /** For a lamp, the height above which it shines. */
  readonly upperZ?: number | undefined;
}

/** The regions that are things, with descriptions; walls, floors, specks and slivers are not. */
export function thingsIn(
  map: VoxelMap,
  cut: Partition,
  categories: readonly string[],
  floorZ: number,
  kinds: readonly string[] = [],
): SeenThing[] {
  const { seen } = cut;
  const { things, by } = wholesIn(map, cut, categories, floorZ, kinds);
  const { isApart } = by;
  const names = namesOf(things, categories, isApart);
  const candidates = things.map((thing, n) => {
    const looks = meanLooks(seen, thing.region);
    const named = looks < THINGS.looksToName ? unnamed(names[n]!) : calledBy(thing, names[n]!);
    const closeness = cut.closeness[thing.regions[0]!]!;
    return { ...thing, ...named, ...callingsOf(thing), looks, closeness };
  });
  const shown = shownAmong(map, seen, candidates).map((thing): SeenThing => {
    const { region, regions, score, label, maybe } = thing;
    const colours = coloursIn(
      map,
      region.members.map((n) => seen.voxels[n]!),
    );
    const painted = coloursFor(label, thing, cut, map.sizeM)([...colours]);
    const isTop = !label && hasTop(seen, region, map.sizeM, floorZ);
    const shape = label || isTop ? undefined : shapeOf(thing);
    const noun = label ?? (isTop ? "flat surface" : "thing");
    const text = [painted.colour, shape, noun].filter(Boolean).join(" ");
    // Only attributes that do not change between segmentations: any difference counts against a match when it is seen
    // again.
    const attributes = { ...painted, ...(shape && { shape }) };
    const states = statesByPlace(label, map, seen, region, floorZ);
    return { regions, label, maybe, text, attributes, score, states, upperZ: upperZ(label, thing) };
  });
  const taken = new Set(shown.flatMap(({ regions }) => regions));
  const rugs = rugsIn(map, seen, categories, by, (place) => taken.has(cut.regionOf[place]!));
  const among = rugs.length > 0 ? namesOf([...rugs, ...things], categories, isApart) : [];
  return [
    ...shown.flatMap((thing) => inRuns(map, cut, thing)),
    ...boardsIn(cut, taken, categories, map.sizeM, floorZ).map((members) => seenBoard(map, seen, members)),
    ...topsIn(cut, taken, categories, map.sizeM, floorZ).map((number) => seenTop(map, cut, number)),
    ...rugs.map((rug, n) => seenRug(map, rug, among[n]!)),
  ];
}

/** Fitted furniture as its runs, each of which reaches back to the wall. */
function inRuns(map: VoxelMap, { seen, regions }: Partition, thing: SeenThing): SeenThing[] {
  if (thing.label === undefined || !FITTED.includes(thing.label)) return [thing];
  const runs = runsOf(
    map,
    thing.regions.flatMap((region) => regions[region]!.members.map((n) => seen.voxels[n]!)),
  );
  const backs = backsOf(map, seen, runs);
  if (runs.length < 2) return [{ ...thing, back: backs[0]! }];
  return runs.map(({ voxels }, n) => ({ ...thing, regions: [], voxels, back: backs[n]! }));
}

/** Named by its function: things stand on it, and nothing stands below it. */
function seenBoard(map: VoxelMap, seen: Surface, members: readonly number[]): SeenThing {
  const voxels = members.map((n) => seen.voxels[n]!);
  const painted = coloursOf(coloursIn(map, voxels));
  return {
    regions: [],
    voxels,
    label: SHELF,
    maybe: [],
    text: [painted.colour, SHELF].filter(Boolean).join(" "),
    attributes: { ...painted },
    score: THINGS.believedBoard,
  };
}

/** The same for the top of a side table. */
function seenTop(map: VoxelMap, { seen, regions }: Partition, number: number): SeenThing {
  const voxels = regions[number]!.members.map((n) => seen.voxels[n]!);
  const painted = paintedColoursOf(coloursIn(map, voxels));
  return {
    regions: [number],
    label: SIDE_TABLE,
    maybe: [],
    text: [painted.colour, SIDE_TABLE].filter(Boolean).join(" "),
    attributes: { ...painted },
    score: THINGS.believedBoard,
  };
}

function seenRug(map: VoxelMap, { voxels, score }: Rug, { label, maybe }: Named): SeenThing {
  const name = rugName(label);
  const painted = coloursOf(coloursIn(map, voxels));
  return {
    regions: [],
    voxels,
    label: name,
    maybe: maybe.filter(({ category }) => category !== name),
    text: [painted.colour, name].filter(Boolean).join(" "),
    attributes: { ...painted },
    score,
  };
}

/** Candidate things of the map before naming, and what they are measured against. */
export function wholesIn(
  map: VoxelMap,
  cut: Partition,
  categories: readonly string[],
  floorZ: number,
  kinds: readonly string[],
): { readonly things: readonly Whole[]; readonly by: Measuring } {
  const closer = kinds.length > 0 ? { map, kinds } : undefined;
  const by = { seen: cut.seen, sizeM: map.sizeM, floorZ, closer, isApart: partsOf(map, cut.seen) };
  const lamps = standingLampsIn(cut, categories, by);
  const taken = new Set(lamps.flatMap(({ regions }) => regions));
  const pieces = cut.regions.flatMap((region, number): Whole[] => {
    if (taken.has(number)) return [];
    const thing = nameableOf(cut, number, map.sizeM, floorZ, closer);
    return thing ? [{ ...thing, region, regions: [number] }] : [];
  });
  return { things: wholesOf([...pieces, ...lamps], categories, by), by };
}

/** How to determine the colours of a thing with this name, one colour per voxel. */
function coloursFor(
  label: string | undefined,
  thing: Whole,
  { seen }: Partition,
  sizeM: number,
): (places: readonly Rgb[]) => Colours {
  if (label === undefined) return coloursOf;
  if (isFrameOnly(label, thing)) return () => ({});
  if (isLight(label)) return lampColoursOf;
  if (isKindOf(label, "mirror")) return (places) => frameColoursOf(seen, thing, sizeM, places);
  return isPainted(label) ? paintedColoursOf : coloursOf;
}

function isPainted(label: string): boolean {
  const isLinen = isKindOf(label, "bed");
  return label === "radiator" || (usualMaterial(label) === "wood" && !isLinen);
}

/** A piece takes the whole's name, if the other evidence for it is certain. */
function calledBy({ called }: Whole, named: Named): Named {
  const [likeliest, ...others] = named.maybe;
  if (named.label !== undefined || !likeliest || likeliest.category !== called) return named;
  return likeliest.p >= THINGS.sureOfPieces ? { label: called, maybe: others } : named;
}

/** The largest share of votes for any one name, and for any two. */
function callingsOf({ votes, kindVotes }: Nameable): { loudest: number; loudestTwo: number } {
  const sorted = [Float64Array.from(votes), Float64Array.from(kindVotes?.values() ?? [])].map((all) =>
    all.sort().reverse(),
  );
  return {
    loudest: Math.max(...sorted.map(([first = 0]) => first)),
    loudestTwo: Math.max(...sorted.map(([first = 0, second = 0]) => first + second)),
  };
}

function isLight(label: string | undefined): boolean {
  return label !== undefined && isKindOf(label, "light");
}

/** The states that follow from a thing's shape and surroundings. */
function statesByPlace(
  label: string | undefined,
  map: VoxelMap,
  seen: Surface,
  region: Region,
  floorZ: number,
): SeenThing["states"] {
  const openness = isDoor(label) ? opennessOf(map, seen, region) : undefined;
  const fill = label === "bathtub" ? fillOf(seen, region, map.sizeM, floorZ) : undefined;
  return { ...(openness && { openness }), ...(fill && { fill }) };
}

/** The height at which a lamp's upper part begins, if enough of its usual height was seen. */
function upperZ(label: string | undefined, { region, highM }: Whole): number | undefined {
  if (label === undefined || !isLight(label) || highM < THINGS.shadeHigh * usualHighM(label))
    return undefined;
  const [low, high] = [region.low[2]!, region.high[2]!];
  return low + THINGS.shadeFrom * (high - low);
}

/** A word for a distinctive shape; none if nothing stands out. */
function shapeOf({ longM, wideM, highM }: Measured): string | undefined {
  if (highM < THINGS.flatM && highM < THINGS.flatShare * wideM) return "flat";
  if (highM > THINGS.tall * longM) return "tall";
  if (longM > THINGS.long * Math.max(wideM, highM)) return "long";
  if (wideM > 0.5 * longM && highM > 0.5 * longM && highM < 2 * longM) return "box-shaped";
  return undefined;
}

/** Whether it has a level part at a usable height on which things can be put. */
function hasTop({ point, normal }: Surface, { members }: Region, sizeM: number, floorZ: number): boolean {
  const heights = new Map<number, number>();
  for (const n of members) {
    if (normal[3 * n + 2]! < THINGS.level) continue;
    const step = Math.round(point[3 * n + 2]! / THINGS.stepM);
    heights.set(step, (heights.get(step) ?? 0) + 1);
  }
  const near = (step: number) => [-1, 0, 1].reduce((sum, d) => sum + (heights.get(step + d) ?? 0), 0);
  return [...heights.keys()].some((step) => {
    const heightM = step * THINGS.stepM - floorZ;
    return (
      near(step) * sizeM * sizeM >= THINGS.topM2 && heightM >= THINGS.topLeastM && heightM <= THINGS.topMostM
    );
  });
}

function* coloursIn(map: VoxelMap, voxels: readonly number[]) {
  for (const voxel of voxels) yield colourAt(map.columns, voxel);
}

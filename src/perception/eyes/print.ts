import { areKin } from "../../ontology/index.ts";
import { settings } from "../../schema/settings.ts";
import { coloursOf } from "./colours.ts";
import { kinds } from "./known-kinds.ts";
import type { Surface } from "./links.ts";
import { type Nameable, type Named, type Shades, unnamed } from "./named.ts";
import type { Region } from "./pieces.ts";
import { reachOf } from "./spans.ts";
import { colourAt } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** Words for printed things, and the probability of any of them from which it counts as print. */
export const PRINT: readonly string[] = ["book", "paper"];
const PRINTED: readonly string[] = [...PRINT, "picture"];
/** Value, unit, minimum, maximum, source. */
const OF_PRINT = settings("eyes.print", {
  surePrint: [0.6, "share", 0.3, 0.8, "experiment"],
  /** Either one of them has this vote, or all together half. */
  said: [0.32, "share", 0.16, 0.64, "experiment"],
  half: [0.5, "share", 0.25, 1, "experiment"],
  /** Also if all these words together have this share of the votes, and no other is stronger than these two. */
  loudlyPrinted: [0.75, "share", 0.375, 0.875, "experiment"],
  /**
   * Paper of this height and width stands by itself, which sheets do not: it is a book if something supports it, if it
   * is coloured, or if the network says so this strongly.
   */
  standingM: [0.12, "m", 0.06, 0.24, "experiment"],
  boundM: [0.06, "m", 0.03, 0.12, "experiment"],
  saidBook: [0.1, "share", 0.05, 0.2, "experiment"],
  /** A thing nowhere thinner than this, and nearly as wide as long and high, is not print but, say, a bag. */
  thickM: [0.1, "m", 0.05, 0.2, "experiment"],
  /** Nor is a lying thing, lower than wide by this share, that is this thick including camera noise: a lunch box. */
  lying: [0.5, "share", 0.25, 1, "experiment"],
  lyingM: [0.075, "m", 0.0375, 0.15, "experiment"],
  /**
   * In colour print the darkest places are darker than this share of the lightest; text on a sheet is too fine to show.
   */
  printedAllOver: [0.65, "share", 0.325, 0.825, "experiment"],
  /** Share of outliers at either end, and the edge vote above which a voxel is ignored: it has the table's colour. */
  outermost: [0.1, "share", 0.05, 0.2, "experiment"],
  rim: [0.5, "share", 0.25, 1, "experiment"],
  least: [20, "voxels", 10, 40, "experiment"],
  /** A thing on its edge is higher than thick by this factor, unless this share of the votes says print. */
  upright: [1.3, "ratio", 0.65, 2.6, "experiment"],
  surelyPrinted: [0.6, "share", 0.3, 0.8, "experiment"],
});

const CUBIC = 2 / 3;
const SHEETS = new Set(["white", "grey", "beige", "black"]);

/**
 * The network calls brochures book in one frame, paper in the next and a picture in a third, and people use any of
 * these words. The result is whichever of book and paper has more votes, if it is clearly one of them and one has
 * enough votes or all together half; or if hardly any other word has votes.
 */
export function printOf(post: Float64Array, said: ReadonlyMap<string, number>): string | undefined {
  const all = kinds();
  const p = post.reduce((sum, own, n) => sum + (PRINT.includes(all[n]!.word) ? own : 0), 0);
  const [word] = PRINT.toSorted((a, b) => (said.get(b) ?? 0) - (said.get(a) ?? 0));
  const printed = printedOf(said);
  const isSaid = (said.get(word!) ?? 0) >= OF_PRINT.said || printed >= OF_PRINT.half;
  const isLoud = printed >= OF_PRINT.loudlyPrinted && (said.get(word!) ?? 0) >= (said.get("picture") ?? 0);
  return (p >= OF_PRINT.surePrint && isSaid) || isLoud ? word : undefined;
}

/**
 * A name for print that its shape and brightness allow: sheets do not stand by themselves, magazines lie flat with
 * dark and light areas, and nothing printed is as thick as it is long.
 */
export function printedOrNot(
  named: Named,
  { longM, wideM, highM, isBorne, shades }: Nameable,
  said: ReadonlyMap<string, number>,
): Named {
  const { label, maybe } = named;
  if (label === undefined || !PRINT.some((word) => areKin(label, word))) return named;
  const thinM = Math.min(wideM, highM);
  if (thinM >= OF_PRINT.thickM && thinM >= CUBIC * Math.max(longM, highM)) return unnamed(named);
  if (PRINT.includes(label) && highM < OF_PRINT.lying * wideM && highM >= OF_PRINT.lyingM)
    return unnamed(named);
  if (label !== "paper") return named;
  if (shades && highM < OF_PRINT.lyingM && shades.darkest < OF_PRINT.printedAllOver)
    return { label: "magazine", maybe };
  if (highM < OF_PRINT.standingM || wideM < OF_PRINT.boundM) return named;
  const isBound = isBorne || shades?.isColoured || (said.get("book") ?? 0) >= OF_PRINT.saidBook;
  const isStanding = highM >= OF_PRINT.upright * wideM || printedOf(said) >= OF_PRINT.surelyPrinted;
  return isBound && isStanding ? { label: "book", maybe } : unnamed(named);
}

/** The brightness values of a region, without its edges; undefined if it has too few voxels. */
export function shadesOf(
  { members }: Pick<Region, "members">,
  { boundary, voxels }: Surface,
  { columns }: VoxelMap,
): Shades | undefined {
  const inner = members.filter((n) => boundary[n]! <= OF_PRINT.rim).map((n) => voxels[n]!);
  if (inner.length < OF_PRINT.least) return undefined;
  const places = inner.map((voxel) => colourAt(columns, voxel));
  const [dark, light] = reachOf(
    Float64Array.from(places, ([r, g, b]) => r + g + b),
    OF_PRINT.outermost,
  );
  const { colour } = coloursOf(places);
  return { darkest: dark / light, isColoured: colour !== undefined && !SHEETS.has(colour) };
}

function printedOf(said: ReadonlyMap<string, number>): number {
  return PRINTED.reduce((sum, word) => sum + (said.get(word) ?? 0), 0);
}

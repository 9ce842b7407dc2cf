import { areKin } from "../../ontology/index.ts";
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
const SURE_PRINT = 0.6;
/** Either one of them has this vote, or all together half. */
const SAID = 0.32;
const HALF = 0.5;
/** Also if all these words together have this share of the votes, and no other is stronger than these two. */
const LOUDLY_PRINTED = 0.75;
/**
 * Paper of this height and width stands by itself, which sheets do not: it is a book if something supports it, if it
 * is coloured, or if the network says so this strongly.
 */
const STANDING_M = 0.12;
const BOUND_M = 0.06;
const SAID_BOOK = 0.1;
/** A thing nowhere thinner than this, and nearly as wide as long and high, is not print but, say, a bag. */
const THICK_M = 0.1;
const CUBIC = 2 / 3;
/** Nor is a lying thing, lower than wide by this share, that is this thick including camera noise: a lunch box. */
const LYING = 0.5;
const LYING_M = 0.075;
/**
 * In colour print the darkest places are darker than this share of the lightest; text on a sheet is too fine to show.
 */
const PRINTED_ALL_OVER = 0.65;
/** Share of outliers at either end, and the edge vote above which a voxel is ignored: it has the table's colour. */
const OUTERMOST = 0.1;
const RIM = 0.5;
const LEAST = 20;
const SHEETS = new Set(["white", "grey", "beige", "black"]);
/** A thing on its edge is higher than thick by this factor, unless this share of the votes says print. */
const UPRIGHT = 1.3;
const SURELY_PRINTED = 0.6;

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
  const isSaid = (said.get(word!) ?? 0) >= SAID || printed >= HALF;
  const isLoud = printed >= LOUDLY_PRINTED && (said.get(word!) ?? 0) >= (said.get("picture") ?? 0);
  return (p >= SURE_PRINT && isSaid) || isLoud ? word : undefined;
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
  if (thinM >= THICK_M && thinM >= CUBIC * Math.max(longM, highM)) return unnamed(named);
  if (PRINT.includes(label) && highM < LYING * wideM && highM >= LYING_M) return unnamed(named);
  if (label !== "paper") return named;
  if (shades && highM < LYING_M && shades.darkest < PRINTED_ALL_OVER) return { label: "magazine", maybe };
  if (highM < STANDING_M || wideM < BOUND_M) return named;
  const isBound = isBorne || shades?.isColoured || (said.get("book") ?? 0) >= SAID_BOOK;
  const isStanding = highM >= UPRIGHT * wideM || printedOf(said) >= SURELY_PRINTED;
  return isBound && isStanding ? { label: "book", maybe } : unnamed(named);
}

/** The brightness values of a region, without its edges; undefined if it has too few voxels. */
export function shadesOf(
  { members }: Pick<Region, "members">,
  { boundary, voxels }: Surface,
  { columns }: VoxelMap,
): Shades | undefined {
  const inner = members.filter((n) => boundary[n]! <= RIM).map((n) => voxels[n]!);
  if (inner.length < LEAST) return undefined;
  const places = inner.map((voxel) => colourAt(columns, voxel));
  const [dark, light] = reachOf(
    Float64Array.from(places, ([r, g, b]) => r + g + b),
    OUTERMOST,
  );
  const { colour } = coloursOf(places);
  return { darkest: dark / light, isColoured: colour !== undefined && !SHEETS.has(colour) };
}

function printedOf(said: ReadonlyMap<string, number>): number {
  return PRINTED.reduce((sum, word) => sum + (said.get(word) ?? 0), 0);
}

import { areKin } from "../../ontology/index.ts";
import { coloursOf } from "./colours.ts";
import { kinds } from "./known-kinds.ts";
import type { Surface } from "./links.ts";
import { type Nameable, type Named, type Shades, unnamed } from "./named.ts";
import type { Region } from "./pieces.ts";
import { reachOf } from "./spans.ts";
import { colourAt } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** Words for what is printed, and from which probability of any of them on it is called so. */
export const PRINT: readonly string[] = ["book", "paper"];
const PRINTED: readonly string[] = [...PRINT, "picture"];
const SURE_PRINT = 0.6;
/** One of them is said by this at least, or all by half. */
const SAID = 0.32;
const HALF = 0.5;
/** So it is where all of these words together have this share of the votes, and none of them is louder than these two. */
const LOUDLY_PRINTED = 0.75;
/** Paper that is this high and this wide stands by itself, as sheets do not: it is a book if something bears it, if it is coloured, or if the eyes say that this much. */
const STANDING_M = 0.12;
const BOUND_M = 0.06;
const SAID_BOOK = 0.1;
/** What is nowhere thinner than this, and nearly as wide as it is long and high, is no print: bags are. */
const THICK_M = 0.1;
const CUBIC = 2 / 3;
/** Nor is what lies, by this share lower than it is wide, and is as thick as this with the noise of a camera: lunch boxes are. */
const LYING = 0.5;
const LYING_M = 0.075;
/** Of what is printed in colour the darkest places are darker than this share of the lightest: text on a sheet is too fine to show. */
const PRINTED_ALL_OVER = 0.65;
/** The share of places at either end that does not count, and what is the end of something by more than this: it has the colour of the table. */
const OUTERMOST = 0.1;
const RIM = 0.5;
const LEAST = 20;
const SHEETS = new Set(["white", "grey", "beige", "black"]);
/** What stands on its edge is higher than it is thick by this, unless the eyes see print by this share of their votes. */
const UPRIGHT = 1.3;
const SURELY_PRINTED = 0.6;

/**
 * Brochures are book to one look, paper to the next and a picture to a third, and any of these to people: which of the first two the eyes
 * say more, where it is surely one of them, and one is said enough or all of them are said by half; or where hardly anything else is said.
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
 * A name for print as its shape and shades allow it: sheets do not stand by themselves, magazines lie and are dark here and light there,
 * and nothing printed is as thick as it is long.
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

/** The shades of a region, without its ends; undefined where it has too few places. */
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

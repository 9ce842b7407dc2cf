import type { Candidates, StateHit } from "./candidates.ts";
import type { Description } from "./description.ts";
import {
  contradictionOf,
  detailFit,
  headFit,
  isCompound,
  isMistaken,
  mayBeAsDescribed,
  onlyMayBe,
} from "./matching.ts";

/** Fit of a thing whose kind has the name asked for, though it itself is called otherwise. */
const OF_THE_KIND = 0.86;
/** From here on a thing has the very name that is asked for. */
const VERY_NAME = 0.95;
/** What was once taken for the thing asked for, where others are it. */
const MISTAKEN = 0.8;
/** Where there is a front door, another door is hardly meant by it. */
const OTHER_KIND = 0.6;

/** Those candidates that a description may mean, each with how well it fits (0 to 1); by name at least `least`. */
export function fitting(
  description: Description,
  { hits, kinds, best, isKind }: Candidates,
  least: number,
  isDoubtful: boolean,
): { readonly hit: StateHit; readonly fit: number }[] {
  const isNamed = hits.some(
    ({ record }) =>
      headFit(description, record) >= VERY_NAME && contradictionOf(description, record) === undefined,
  );
  const compound = hits.some(({ record }) => isCompound(description, record));
  return hits.flatMap((hit) => {
    const alike = kinds.has(hit.record.category) ? OF_THE_KIND : 0;
    const wasMistaken = isKind && alike === 0 && isMistaken(description, hit.record);
    const head = Math.max(alike, headFit(description, hit.record) * (wasMistaken ? MISTAKEN : 1));
    // Where something has the very name, what merely resembles it is not meant; unless all that have it are otherwise
    // than described, and this one is not: the pink soap dispenser may be what was taken for a pink cup.
    const isMeant = best < VERY_NAME || head >= OF_THE_KIND;
    const mayBeMeant = isDoubtful
      ? onlyMayBe(description.head, hit.record)
      : !isNamed && mayBeAsDescribed(description, hit.record);
    if (head < least || !(isMeant || mayBeMeant)) return [];
    const other = compound && !isCompound(description, hit.record) ? OTHER_KIND : 1;
    return [{ hit, fit: head * other * detailFit(description, hit.record) }];
  });
}

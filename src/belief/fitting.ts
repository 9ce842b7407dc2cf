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
import { isGuessed, nameBelief } from "./names.ts";

/** Fit of a thing with another label whose category has the name asked for. */
const OF_THE_KIND = 0.86;
/** From this fit on, a thing has exactly the name asked for. */
const VERY_NAME = 0.95;
/** Factor for a thing once mistaken for what is asked for, where others really are that. */
const MISTAKEN = 0.8;
/**
 * Factor for other things of the kind where a compound name matches: where there is a front door, another door is
 * hardly meant.
 */
const OTHER_KIND = 0.6;

/**
 * Factor for a thing whose name can hardly be right: one that more likely has the name is meant before it, and alone it
 * is still meant.
 */
const HARDLY_NAMED = 0.5;

/** The candidates that a description may mean, each with how well it fits (0 to 1); by name at least `least`. */
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
    // Where a thing has exactly that name, similar things are not meant; unless all with the name contradict the
    // description and this one does not: the pink soap dispenser may have been mistaken for a pink cup.
    const isMeant = best < VERY_NAME || head >= OF_THE_KIND;
    const mayBeMeant = isDoubtful
      ? onlyMayBe(description.head, hit.record)
      : !isNamed && mayBeAsDescribed(description, hit.record);
    if (head < least || !(isMeant || mayBeMeant)) return [];
    const other = compound && !isCompound(description, hit.record) ? OTHER_KIND : 1;
    const isGuess = isGuessed({ category: hit.record.category, state: hit.record });
    const sure = isGuess ? HARDLY_NAMED + (1 - HARDLY_NAMED) * nameBelief(hit.record).p : 1;
    return [{ hit, fit: head * other * sure * detailFit(description, hit.record) }];
  });
}

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
import { MATCHING } from "./settings/matching.ts";

/** The candidates that a description may mean, each with how well it fits (0 to 1); by name at least `least`. */
export function fitting(
  description: Description,
  { hits, kinds, best, isKind }: Candidates,
  least: number,
  isDoubtful: boolean,
): { readonly hit: StateHit; readonly fit: number }[] {
  const isNamed = hits.some(
    ({ record }) =>
      headFit(description, record) >= MATCHING.veryName && contradictionOf(description, record) === undefined,
  );
  const compound = hits.some(({ record }) => isCompound(description, record));
  return hits.flatMap((hit) => {
    const alike = kinds.has(hit.record.category) ? MATCHING.ofTheKind : 0;
    const wasMistaken = isKind && alike === 0 && isMistaken(description, hit.record);
    const head = Math.max(alike, headFit(description, hit.record) * (wasMistaken ? MATCHING.mistaken : 1));
    // Where a thing has exactly that name, similar things are not meant; unless all with the name contradict the
    // description and this one does not: the pink soap dispenser may have been mistaken for a pink cup.
    const isMeant = best < MATCHING.veryName || head >= MATCHING.ofTheKind;
    const mayBeMeant = isDoubtful
      ? onlyMayBe(description.head, hit.record)
      : !isNamed && mayBeAsDescribed(description, hit.record);
    if (head < least || !(isMeant || mayBeMeant)) return [];
    const other = compound && !isCompound(description, hit.record) ? MATCHING.otherKind : 1;
    const isGuess = isGuessed({ category: hit.record.category, state: hit.record });
    const sure = isGuess ? MATCHING.hardlyNamed + (1 - MATCHING.hardlyNamed) * nameBelief(hit.record).p : 1;
    return [{ hit, fit: head * other * sure * detailFit(description, hit.record) }];
  });
}

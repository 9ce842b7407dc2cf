import type { Entry } from "./entry.ts";
import { isKindOf, stepsUp } from "./facts.ts";
import { headOf, lookup, meaningsOf } from "./names.ts";
import { singularOf } from "./nouns.ts";
import { keyOf } from "./read-data.ts";

/** How well a name fits: identical, a synonym, a subcategory, a supercategory, a confusion. */
export const FIT = {
  same: 1,
  synonym: 0.85,
  kind: 0.75,
  fartherKind: 0.7,
  moreSpecific: 0.7,
  alike: 0.7,
  sibling: 0.45,
} as const;

const MAX_KEPT = 20_000;
const kept = new Map<string, number>();

/** How well a requested name fits a thing's category, from 0 to 1: "couch" fits a sofa, "seat" an armchair. */
export function nameFit(asked: string, category: string): number {
  const pair = `${asked}\n${category}`;
  let known = kept.get(pair);
  if (known === undefined) {
    if (kept.size >= MAX_KEPT) kept.clear();
    known = fitOf(singularOf(keyOf(asked)), singularOf(keyOf(category)));
    kept.set(pair, known);
  }
  return known;
}

function fitOf(asked: string, own: string): number {
  if (asked === own) return FIT.same;
  const [wanted, called] = [meaningsOf(asked), meaningsOf(own)];
  if (wanted.some((entry) => called.includes(entry))) return FIT.synonym;
  return Math.max(byKinds(asked, own, wanted), byWords(asked, own));
}

function byKinds(asked: string, own: string, wanted: readonly Entry[]): number {
  const category = headOf(own);
  const head = headOf(asked);
  if (category === undefined || head === undefined) return 0;
  let best = 0;
  for (const { name } of wanted) {
    const up = stepsUp(own, name);
    if (up !== undefined) best = Math.max(best, up <= 1 ? FIT.kind : FIT.fartherKind);
  }
  if (best > 0) return best;
  // "dining chair" for a chair: the thing may be one.
  if (!category.isKind && lookup(own) !== undefined && isKindOf(asked, own)) return FIT.moreSpecific;
  if (isLike(head, category)) return FIT.alike;
  return head.kinds.some((kind) => category.kinds.includes(kind) && lookup(kind)?.isKind === false)
    ? FIT.sibling
    : 0;
}

function isLike(a: Entry, b: Entry): boolean {
  return a.said.like.some((name) => lookup(name) === b) || b.said.like.some((name) => lookup(name) === a);
}

/** For unknown names: the last word is the category. */
function byWords(asked: string, own: string): number {
  const [last, askedLast] = [lastWord(own), lastWord(asked)];
  if (last === asked && lookup(own) === undefined) return FIT.kind;
  if (askedLast === own && lookup(asked) === undefined) return FIT.moreSpecific;
  return last === askedLast ? FIT.sibling : 0;
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(" ") + 1);
}

import type { FoundThing } from "./detector.ts";

/** Boxes of one class that overlap more are one thing. */
const SAME_CLASS_IOU = 0.5;
/** Boxes of different classes that overlap more are two words for one thing, and the surer one is kept. */
const OTHER_CLASS_IOU = 0.75;
/** Candidates before overlapping ones are dropped, and things after. */
const MAX_CANDIDATES = 1_000;
const MAX_THINGS = 100;

/** What a detector proposes, the surest first; of boxes that are one thing only the surest stays. */
export function withoutOverlaps(candidates: readonly FoundThing[]): FoundThing[] {
  const sorted = candidates.toSorted((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
  const kept: FoundThing[] = [];
  for (const one of sorted) {
    if (kept.length === MAX_THINGS) break;
    const isNew = kept.every(
      (other) =>
        overlapOf(one.bbox, other.bbox) < (one.label === other.label ? SAME_CLASS_IOU : OTHER_CLASS_IOU),
    );
    if (isNew) kept.push(one);
  }
  return kept;
}

/** What two boxes have in common, of all that they cover. */
export function overlapOf(a: FoundThing["bbox"], b: FoundThing["bbox"]): number {
  const across = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const down = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (across <= 0 || down <= 0) return 0;
  const both = across * down;
  return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both);
}

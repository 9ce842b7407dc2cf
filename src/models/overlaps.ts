import type { FoundThing } from "./detector.ts";

/** Boxes of one class with a larger overlap are one thing. */
const SAME_CLASS_IOU = 0.5;
/** Boxes of different classes with a larger overlap are two words for one thing, and the more certain one is kept. */
const OTHER_CLASS_IOU = 0.75;
/** Most candidates before overlap removal, and most things after. */
const MAX_CANDIDATES = 1_000;
const MAX_THINGS = 100;

/** A detector's candidates without overlaps: of boxes that are one thing only the most certain is kept. */
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

/** Intersection over union of two boxes. */
export function overlapOf(a: FoundThing["bbox"], b: FoundThing["bbox"]): number {
  const across = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const down = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (across <= 0 || down <= 0) return 0;
  const both = across * down;
  return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both);
}

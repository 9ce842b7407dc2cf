/** Integer microseconds since the epoch, UTC (docs/formulas.md#axes-and-time). A double holds them exactly until the year 2255. */
export type TimeUs = number;

/** World time from `fromUs` up to but not including `toUs`; null means it has not ended. */
export interface Interval {
  readonly fromUs: TimeUs;
  readonly toUs: TimeUs | null;
}

/** Whole microseconds and at least one of them: an empty interval holds at no time and is not stored. */
export function isValidInterval({ fromUs, toUs }: Interval): boolean {
  return Number.isSafeInteger(fromUs) && (toUs === null || (Number.isSafeInteger(toUs) && toUs > fromUs));
}

/** The shortest interval there is, [t, t+1): what a single observation proves. */
export function instant(timeUs: TimeUs): Interval {
  return { fromUs: timeUs, toUs: timeUs + 1 };
}

/** The end belongs to the next interval, so states that follow each other never both hold. */
export function intervalContains({ fromUs, toUs }: Interval, timeUs: TimeUs): boolean {
  return timeUs >= fromUs && (toUs === null || timeUs < toUs);
}

/** True when some microsecond lies in both; intervals that only meet do not overlap. */
export function intervalsOverlap(a: Interval, b: Interval): boolean {
  return Math.max(a.fromUs, b.fromUs) < Math.min(endOf(a), endOf(b));
}

/** The common part, or undefined when there is none. */
export function intersectIntervals(a: Interval, b: Interval): Interval | undefined {
  if (!intervalsOverlap(a, b)) return undefined;
  const end = Math.min(endOf(a), endOf(b));
  return { fromUs: Math.max(a.fromUs, b.fromUs), toUs: end === Infinity ? null : end };
}

/**
 * The union as a sorted list of disjoint intervals, with holes of at most `gapUs` closed: a few missed frames do
 * not end a sighting. With 0, intervals that meet still merge. O(n log n).
 */
export function mergeIntervals(intervals: Iterable<Interval>, gapUs = 0): Interval[] {
  const merged: { fromUs: TimeUs; toUs: TimeUs | null }[] = [];
  for (const interval of [...intervals].sort((a, b) => a.fromUs - b.fromUs)) {
    const last = merged.at(-1);
    if (last === undefined || interval.fromUs - endOf(last) > gapUs) merged.push({ ...interval });
    else if (endOf(interval) > endOf(last)) last.toUs = interval.toUs;
  }
  return merged;
}

/** Length in microseconds; Infinity for an interval that has not ended. */
export function durationUs(interval: Interval): number {
  return endOf(interval) - interval.fromUs;
}

function endOf({ toUs }: Interval): number {
  return toUs ?? Infinity;
}

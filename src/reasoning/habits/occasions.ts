import type { TimeUs } from "../../geometry/index.ts";
import { DAY_US, isAmong, localTime } from "./local-time.ts";
import type { DayChoice, HabitModel, HabitStay, UsualHours } from "./types.ts";

/** An event, or its beginning: a breakfast, a lamp going on, a person leaving. */
export interface Occasion {
  readonly fromUs: TimeUs;
  /** When it was over; null while it lasts, absent where unknown. */
  readonly toUs?: TimeUs | null;
  /** The earliest possible beginning: the last observation before. */
  readonly notBeforeUs?: TimeUs;
}

export interface OccasionOptions {
  readonly utcOffsetMin?: number;
  readonly weekday?: DayChoice;
  /** Local days (since the epoch) on which it could have been noticed; `observedDays(model)` gives them. */
  readonly observedDays: readonly number[];
}

/** Starts further apart than this are of different occasions: breakfast and lunch. */
const APART_MIN = 100;

/**
 * When something normally happens: groups of start times, from the first to the last quartile of each, most regular
 * first. An unobserved start counts at the middle of its gap; in gaps longer than half a day, not at all.
 */
export function normallyWhen(occasions: readonly Occasion[], options: OccasionOptions): UsualHours[] {
  const { utcOffsetMin = 0, weekday } = options;
  const observed = new Set(options.observedDays.filter((day) => isAmong(day, weekday)));
  const starts = occasions
    .map(({ fromUs, notBeforeUs = fromUs }) => ({ fromUs, gapUs: Math.max(0, fromUs - notBeforeUs) }))
    .filter(({ gapUs }) => gapUs <= DAY_US / 2)
    .map(({ fromUs, gapUs }) => localTime(fromUs - gapUs / 2, utcOffsetMin))
    .filter(({ day }) => observed.has(day));
  return groupsOf(starts)
    .map((group) => {
      const minutes = group.map(({ minute }) => minute).sort((a, b) => a - b);
      return {
        fromMin: wrapped(quantile(minutes, 0.25)),
        toMin: wrapped(quantile(minutes, 0.75)),
        days: new Set(group.map(({ day }) => day)).size,
        observedDays: observed.size,
      };
    })
    .sort((a, b) => b.days - a.days || a.fromMin - b.fromMin);
}

/** The usual duration in microseconds: the median and the quartiles; of `count` that are over. */
export interface UsualLength {
  readonly medianUs: number;
  readonly lowUs: number;
  readonly highUs: number;
  readonly count: number;
}

/** Undefined where none of them is over. Unobserved beginnings count from the middle of their gap. */
export function howLongUsually(occasions: readonly Occasion[]): UsualLength | undefined {
  const lengths = occasions
    .flatMap(({ fromUs, toUs, notBeforeUs = fromUs }) =>
      toUs === null || toUs === undefined ? [] : [toUs - (fromUs + notBeforeUs) / 2],
    )
    .filter((us) => us > 0)
    .sort((a, b) => a - b);
  if (lengths.length === 0) return undefined;
  return {
    medianUs: quantile(lengths, 0.5),
    lowUs: quantile(lengths, 0.25),
    highUs: quantile(lengths, 0.75),
    count: lengths.length,
  };
}

/** The stays at a place, or in a state, as occasions: each begins after the last observation of the one before. */
export function occasionsAt(stays: readonly HabitStay[], placeKey: string): Occasion[] {
  const inOrder = stays.toSorted((a, b) => a.fromUs - b.fromUs);
  const out: Occasion[] = [];
  inOrder.forEach((stay, n) => {
    const before = inOrder[n - 1];
    if (stay.placeKey !== placeKey || before?.placeKey === placeKey) return;
    let end = n;
    while (inOrder[end + 1]?.placeKey === placeKey) end++;
    const last = inOrder[end]!;
    const goneUs = inOrder[end + 1]?.fromUs ?? last.toUs;
    out.push({
      fromUs: stay.fromUs,
      toUs: goneUs === null ? null : Math.floor((last.lastSeenUs + Math.max(goneUs, last.lastSeenUs)) / 2),
      // A thing present from the first observation on arrived at an unknown time.
      notBeforeUs: before === undefined ? stay.fromUs - DAY_US : Math.min(before.lastSeenUs, stay.fromUs),
    });
  });
  return out;
}

/** The local days on which the thing was seen at all. */
export function observedDays(model: HabitModel): number[] {
  return model.days.map(({ day }) => day);
}

type Start = { readonly day: number; readonly minute: number };

/** Neighbours on the circle of the day belong together; minutes of a group that passes midnight go on past 1440. */
function groupsOf(starts: readonly Start[]): Start[][] {
  const sorted = starts.toSorted((a, b) => a.minute - b.minute);
  const groups: Start[][] = [];
  for (const start of sorted) {
    const group = groups.at(-1);
    if (group !== undefined && start.minute - group.at(-1)!.minute <= APART_MIN) group.push(start);
    else groups.push([start]);
  }
  const [first, last] = [groups[0], groups.at(-1)];
  if (first === undefined || last === undefined || first === last) return groups;
  if (first[0]!.minute + 1440 - last.at(-1)!.minute > APART_MIN) return groups;
  const late = first.map(({ day, minute }) => ({ day: day - 1, minute: minute + 1440 }));
  return [...groups.slice(1, -1), [...last, ...late]];
}

function wrapped(minute: number): number {
  return ((minute % 1440) + 1440) % 1440;
}

function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low]! + (at - low) * ((sorted[low + 1] ?? sorted[low]!) - sorted[low]!);
}

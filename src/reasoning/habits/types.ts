import type { TimeUs } from "../../geometry/index.ts";

/**
 * The place of a thing that was missed at its place and not seen elsewhere: out of the house, or in a cupboard. It is
 * counted like a place and kept apart from the places.
 */
export const ELSEWHERE = "(elsewhere)";

/** One thing, person or state at one place for a while; `placeKey` is any name of a place, a room or a value ("on"). */
export interface HabitStay {
  readonly placeKey: string;
  readonly fromUs: TimeUs;
  /** Null while it may still be there. */
  readonly toUs: TimeUs | null;
  /** The last time it was seen there. */
  readonly lastSeenUs: TimeUs;
}

/** A span in which the place of the thing was known. */
export interface ObservedSpan {
  readonly fromUs: TimeUs;
  readonly toUs: TimeUs;
}

/** The input for learning a habit. */
export interface HabitInput {
  /** In any order; at one time a thing is at one place. */
  readonly stays: readonly HabitStay[];
  /** Time outside of these is ignored. Default: every stay from its start to its last sighting. */
  readonly observed?: readonly ObservedSpan[];
  readonly nowUs: TimeUs;
  /** Minutes that local time is ahead of UTC. */
  readonly utcOffsetMin?: number;
  /**
   * The usual places of things of its kind, as shares that add up to at most 1: used while little is known of this one.
   */
  readonly prior?: Readonly<Record<string, number>>;
}

/** Days as people group them: one weekday (0 is Sunday), all working days, or the weekend. */
export type DayChoice = number | "weekday" | "weekend";

/** The hours and days that are meant; by default all of the time. */
export interface When {
  /** From this full hour to the next. */
  readonly hour?: number;
  /** Hours of the day, such as 18 to 22; the end may lie after midnight: 22 to 6. */
  readonly span?: { readonly fromHour: number; readonly toHour: number };
  readonly weekday?: DayChoice;
}

/** One observed day, cut into slots; `cells[slot · places + place]` is the share of the slot that it was seen there. */
export interface HabitDay {
  /** Local days since the epoch. */
  readonly day: number;
  readonly isWeekend: boolean;
  /** Its weight: days fade. */
  readonly weight: number;
  readonly cells: Float32Array;
  /** The same smoothed over neighbouring slots; a slot observed on all sides sums up to 1. */
  readonly smooth: Float32Array;
}

/** The habits of one thing. Plain data; the functions beside it read it. */
export interface HabitModel {
  readonly places: readonly string[];
  readonly days: readonly HabitDay[];
  readonly nowUs: TimeUs;
  readonly utcOffsetMin: number;
  readonly prior: Float64Array;
  /** Share of each place over all observed time, including the prior; the rest to 1 is elsewhere. */
  readonly overall: Float64Array;
  /** Weighted sums of `smooth` over all days, working days and weekends. */
  readonly sums: {
    readonly all: Float64Array;
    readonly weekday: Float64Array;
    readonly weekend: Float64Array;
  };
  readonly leaving: Leaving;
  /** Exponent that calibrates the probabilities on held-out days. */
  readonly sharpness: number;
}

/** How often the thing leaves: moves an hour in each slot of the day, and a factor for each place. */
export interface Leaving {
  readonly perHour: Float64Array;
  readonly factor: Float64Array;
}

/** A place with its share of the time, and the days on which it was seen there. */
export interface UsualPlace {
  readonly placeKey: string;
  readonly share: number;
  readonly days: number;
}

/** The usual places, best first, and the number of days with observations at such times; 0 means none. */
export interface Usual {
  readonly places: readonly UsualPlace[];
  /** Share of the observations without it at any place. */
  readonly elsewhere: number;
  readonly observedDays: number;
}

/**
 * Always a guess: places with their probability, best first; `elsewhere` is the rest to 1: out of sight, or at a new
 * place.
 */
export interface Guess {
  readonly places: readonly { readonly placeKey: string; readonly p: number }[];
  readonly elsewhere: number;
  readonly observedDays: number;
}

/** Hours of the day, in minutes since midnight, at which it usually holds; the end may lie after midnight. */
export interface UsualHours {
  readonly fromMin: number;
  readonly toMin: number;
  /** Days on which it held in these hours, out of those with observations. */
  readonly days: number;
  readonly observedDays: number;
}

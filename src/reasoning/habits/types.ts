import type { TimeUs } from "../../geometry/index.ts";

/**
 * The place of a thing that was looked for where it had been and was not there, and that nobody saw elsewhere: out of
 * the house, or in a cupboard. It is counted like a place and told apart from the places.
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

/** A span in which it was known where the thing was. */
export interface ObservedSpan {
  readonly fromUs: TimeUs;
  readonly toUs: TimeUs;
}

/** Everything that a habit is learnt from. */
export interface HabitInput {
  /** In any order; at one time a thing is at one place. */
  readonly stays: readonly HabitStay[];
  /** Time outside of these counts for nothing. Default: every stay from its start to when it was last seen. */
  readonly observed?: readonly ObservedSpan[];
  readonly nowUs: TimeUs;
  /** Minutes that local time is ahead of UTC. */
  readonly utcOffsetMin?: number;
  /** Where things of its kind are, as shares that add up to at most 1: believed while little is known of this one. */
  readonly prior?: Readonly<Record<string, number>>;
}

/** Days as people group them: one weekday (0 is Sunday), all working days, or the weekend. */
export type DayChoice = number | "weekday" | "weekend";

/** Which hours of which days are meant; nothing given is all of the time. */
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
  /** What is left of it: days fade. */
  readonly weight: number;
  readonly cells: Float32Array;
  /** The same spread over neighbouring slots; a slot observed on all sides sums up to 1. */
  readonly smooth: Float32Array;
}

/** What was learnt of one thing. Plain data; the functions beside it read it. */
export interface HabitModel {
  readonly places: readonly string[];
  readonly days: readonly HabitDay[];
  readonly nowUs: TimeUs;
  readonly utcOffsetMin: number;
  readonly prior: Float64Array;
  /** Share of each place over all observed time, with the prior in it; what is missing to 1 is elsewhere. */
  readonly overall: Float64Array;
  /** Sums of `smooth` over the days by their weight: of all days, of working days, of weekends. */
  readonly sums: {
    readonly all: Float64Array;
    readonly weekday: Float64Array;
    readonly weekend: Float64Array;
  };
  readonly leaving: Leaving;
  /** Exponent that makes probabilities as sure as days held out of the learning found them to be. */
  readonly sharpness: number;
}

/** How often the thing leaves: moves an hour in each slot of the day, and how much more or less from each place. */
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

/** The usual places, best first, and how many days they rest on: 0 means nobody ever looked at such a time. */
export interface Usual {
  readonly places: readonly UsualPlace[];
  /** Share of the looks that did not find it at any place. */
  readonly elsewhere: number;
  readonly observedDays: number;
}

/** Always a guess: places with their probability, best first; `elsewhere` is the rest to 1: out of sight, or at a new place. */
export interface Guess {
  readonly places: readonly { readonly placeKey: string; readonly p: number }[];
  readonly elsewhere: number;
  readonly observedDays: number;
}

/** Hours of the day, in minutes since midnight, at which it usually is so; the end may lie after midnight. */
export interface UsualHours {
  readonly fromMin: number;
  readonly toMin: number;
  /** Days on which it was so in these hours, out of those on which anybody looked. */
  readonly days: number;
  readonly observedDays: number;
}

import type { TimeUs } from "../../geometry/index.ts";
import { SLOT_MIN, SLOTS } from "./parameters.ts";
import type { DayChoice, When } from "./types.ts";

export const MINUTE_US = 60_000_000;
export const HOUR_US = 60 * MINUTE_US;
export const DAY_US = 24 * HOUR_US;
export const SLOT_US = SLOT_MIN * MINUTE_US;

export interface LocalTime {
  /** Local days since the epoch. */
  readonly day: number;
  readonly minute: number;
  readonly slot: number;
}

export function localTime(timeUs: TimeUs, utcOffsetMin: number): LocalTime {
  const local = timeUs + utcOffsetMin * MINUTE_US;
  const day = Math.floor(local / DAY_US);
  const minute = (local - day * DAY_US) / MINUTE_US;
  return { day, minute, slot: Math.min(SLOTS - 1, Math.floor(minute / SLOT_MIN)) };
}

/** 0 is Sunday; the epoch began on a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

export function isWeekend(day: number): boolean {
  return weekdayOf(day) % 6 === 0;
}

export function isAmong(day: number, choice: DayChoice | undefined): boolean {
  if (choice === undefined) return true;
  if (typeof choice === "number") return weekdayOf(day) === choice;
  return isWeekend(day) === (choice === "weekend");
}

/** The slots of the day that are meant, in order from the first. */
export function slotsOf({ hour, span }: When): number[] {
  const from = hour ?? span?.fromHour ?? 0;
  const to = hour === undefined ? (span?.toHour ?? 24) : hour + 1;
  const first = Math.floor((from * 60) / SLOT_MIN);
  // 22 to 6 goes past midnight; at most a whole day.
  const hours = to > from ? to - from : to + 24 - from;
  const count = Math.min(SLOTS, Math.max(1, Math.round((hours * 60) / SLOT_MIN)));
  return Array.from({ length: count }, (_, i) => (((first + i) % SLOTS) + SLOTS) % SLOTS);
}

import { DAY_US, HOUR_US, weekdayOf as weekdayOfDay } from "../../habits/local-time.ts";

export { DAY_US, HOUR_US };

/** The usual parts of a day, in hours since midnight; a night goes on into the next day. */
export const DAY_PARTS = {
  morning: [5, 12],
  noon: [12, 14],
  afternoon: [12, 18],
  evening: [17, 23],
  night: [20, 30],
} as const;
export type DayPart = keyof typeof DAY_PARTS;

export const WEEKDAYS = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
] as const;

/** Midnight before it, in UTC. */
export function dayStartUs(timeUs: number): number {
  return Math.floor(timeUs / DAY_US) * DAY_US;
}

/** 0 is a Sunday, as in `WEEKDAYS`. */
export function weekdayOf(timeUs: number): number {
  return weekdayOfDay(Math.floor(timeUs / DAY_US));
}

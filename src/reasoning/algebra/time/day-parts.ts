/** The parts of a day, as people call them, in hours since midnight; a night goes on into the next day. */
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

export const HOUR_US = 3_600_000_000;
export const DAY_US = 24 * HOUR_US;

/** Midnight before it, in UTC. */
export function dayStartUs(timeUs: number): number {
  return Math.floor(timeUs / DAY_US) * DAY_US;
}

/** 0 is a Sunday, as in `WEEKDAYS`; 1970 began on a Thursday. */
export function weekdayOf(timeUs: number): number {
  return (((Math.floor(timeUs / DAY_US) + 4) % 7) + 7) % 7;
}

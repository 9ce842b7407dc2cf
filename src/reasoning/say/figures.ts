const DAY_US = 86_400_000_000;
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** "45 cm", "1.2 m", "14 m". */
export function metresText(m: number): string {
  const size = Math.abs(m);
  if (size < 1) return `${Math.round(m * 100)} cm`;
  return size < 10 ? `${m.toFixed(1)} m` : `${Math.round(m)} m`;
}

/** "12 m²", "0.40 m²". */
export function areaText(m2: number): string {
  return `${Math.abs(m2) < 1 ? m2.toFixed(2) : Math.abs(m2) < 10 ? m2.toFixed(1) : m2.toFixed(0)} m²`;
}

/** "40 seconds", "5 minutes", "1 hour and 20 minutes", "3 days". */
export function spanText(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 90) return some(s, "second");
  const minutes = Math.round(s / 60);
  if (minutes < 10 && s % 60 !== 0) return two(s, 60, "minute", "second");
  if (minutes < 60) return some(minutes, "minute");
  if (minutes < 24 * 60) return two(minutes, 60, "hour", "minute");
  const hours = Math.round(s / 3600);
  return hours < 7 * 24 ? two(hours, 24, "day", "hour") : some(Math.round(hours / 24), "day");
}

function two(n: number, of: number, large: string, small: string): string {
  const rest = n % of;
  return [some(Math.floor(n / of), large), ...(rest === 0 ? [] : [some(rest, small)])].join(" and ");
}

function some(n: number, unit: string): string {
  return `${n} ${unit}${n === 1 ? "" : "s"}`;
}

/** "3 minutes ago", "just now", "2 days ago": to the largest unit. */
export function agoText(us: number): string {
  const s = Math.round(us / 1e6);
  if (s < -5) return `in ${roughly(-s)}`;
  return s < 5 ? "just now" : `${roughly(s)} ago`;
}

function roughly(s: number): string {
  if (s < 90) return some(s, "second");
  if (s < 90 * 60) return some(Math.round(s / 60), "minute");
  if (s < 36 * 3600) return some(Math.round(s / 3600), "hour");
  return some(Math.round(s / 86_400), "day");
}

/** "10:20:05" within the hour, "10:20" otherwise, UTC as all times are. */
export function clockText(us: number, seconds = true): string {
  return new Date(us / 1000).toISOString().slice(11, seconds ? 19 : 16);
}

/** "at 10:20:05", "yesterday at 10:20", "on Monday at 10:20", "on 3 May at 10:20". */
export function dayAndClock(us: number, nowUs: number): string {
  const days = Math.floor(nowUs / DAY_US) - Math.floor(us / DAY_US);
  const date = new Date(us / 1000);
  if (days === 0) return `at ${clockText(us)}`;
  const clock = `at ${clockText(us, false)}`;
  if (days === 1) return `yesterday ${clock}`;
  if (days === -1) return `tomorrow ${clock}`;
  if (days > 0 && days < 7) return `on ${WEEKDAYS[date.getUTCDay()]} ${clock}`;
  return `on ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${clock}`;
}

/** "3 minutes ago, at 10:20:05". */
export function momentText(us: number, nowUs: number): string {
  return `${agoText(nowUs - us)}, ${dayAndClock(us, nowUs)}`;
}

/** Observations at most this far apart witnessed an event between them (µs): robots observe twice a second and more. */
export const WITNESSED_US = 3_000_000;

/**
 * The time of a change: "at 10:20:05" where it was witnessed, otherwise between the last observation before it and the
 * first after it, "between 10:20:05 and 10:45:10".
 */
export function changeText(fromUs: number, toUs: number | null, nowUs: number): string {
  if (toUs === null || toUs - fromUs <= WITNESSED_US) return dayAndClock(toUs ?? fromUs, nowUs);
  const [begin, end] = [fromUs, toUs].map((us) => dayAndClock(us, nowUs)) as [string, string];
  const isOneDay = begin.startsWith("at ") === end.startsWith("at ");
  return isOneDay
    ? `between ${begin.replace(/^at /, "")} and ${end.replace(/^at /, "")}`
    : `between ${begin} and today ${end}`;
}

/** "from 10:20 to 10:45". */
export function spanOfDay(fromUs: number, toUs: number, nowUs: number): string {
  const same = Math.floor(fromUs / DAY_US) === Math.floor(toUs / DAY_US);
  const begin = dayAndClock(fromUs, nowUs).replace(/^at /, "");
  const end = same ? clockText(toUs, /:\d\d:/.test(begin)) : dayAndClock(toUs, nowUs).replace(/^at /, "");
  return `from ${begin} to ${end}`;
}

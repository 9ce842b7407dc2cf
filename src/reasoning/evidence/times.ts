const DAY_US = 86_400_000_000;

/** "09:05:23" today, "2026-03-01 09:05:23" on another day: models are bad at arithmetic with epochs. */
export function timeText(us: number, nowUs: number): string {
  const iso = new Date(Math.floor(us / 1_000)).toISOString();
  const isToday = Math.floor(us / DAY_US) === Math.floor(nowUs / DAY_US);
  return isToday ? iso.slice(11, 19) : `${dayText(us)} ${iso.slice(11, 19)}`;
}

/** "2026-03-01". */
export function dayText(us: number): string {
  return new Date(Math.floor(us / 1_000)).toISOString().slice(0, 10);
}

/** "09:00:10–09:12:04"; one moment once. */
export function spanText(fromUs: number, toUs: number, nowUs: number): string {
  const [from, to] = [timeText(fromUs, nowUs), timeText(toUs, nowUs)];
  return from === to ? from : `${from}–${to}`;
}

import { toUs } from "./store.ts";

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });
const longDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

export function clockText(us: number): string {
  return clock.format(us / 1000);
}

export function dayText(us: number): string {
  return day.format(us / 1000);
}

export function whenText(us: number): string {
  return `${day.format(us / 1000)}, ${clock.format(us / 1000)}`;
}

/** "5 January 2026", or "5 – 6 January 2026". */
export function spanText(fromUs: number, toUs_: number): string {
  return longDay.formatRange(fromUs / 1000, toUs_ / 1000);
}

export function momentText(seconds: number): string {
  return whenText(toUs(seconds));
}

/** A length of time in its two largest units. */
export function lengthText(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  const units: [number, string][] = [
    [86_400, "d"],
    [3_600, "h"],
    [60, "min"],
  ];
  const at = units.findIndex(([size]) => s >= size);
  const [size, unit] = units[at]!;
  const whole = Math.floor(s / size);
  const [nextSize, nextUnit] = units[at + 1] ?? [1, "s"];
  const rest = Math.floor((s - whole * size) / nextSize);
  return rest === 0 || whole >= 10 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${nextUnit}`;
}

export function counted(n: number, noun: string): string {
  const many = noun.endsWith("y") && !/[aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${n.toLocaleString("en")} ${n === 1 ? noun : many}`;
}

export function metres(m: number): string {
  return m < 10 ? `${m.toFixed(1)} m` : `${Math.round(m)} m`;
}

export function squareMetres(m2: number): string {
  return `${metres(m2)}²`;
}

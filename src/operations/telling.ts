import type { Vec3 } from "../geometry/index.ts";
import type { Stored } from "../schema/core.ts";
import { quoted } from "./world-text.ts";

export { quoted } from "./world-text.ts";

/** A moment as models and people read it: UTC, to the second. */
export function timeText(timeUs: number): string {
  const date = new Date(timeUs / 1000);
  return Number.isNaN(date.getTime()) ? `${timeUs} us` : date.toISOString().replace(/\.\d+Z$/, "Z");
}

/** From when to when something was so. */
export function spanText({ validFromUs, validToUs }: Pick<Stored, "validFromUs" | "validToUs">): string {
  if (validToUs === null) return `since ${timeText(validFromUs)}`;
  if (validToUs - validFromUs < 1_000_000) return `at ${timeText(validFromUs)}`;
  return `${timeText(validFromUs)} to ${timeText(validToUs)}`;
}

export function pointText({ x, y, z }: Vec3): string {
  return `(${x.toFixed(2)}, ${y.toFixed(2)}, ${z.toFixed(2)})`;
}

export function rounded({ x, y, z }: Vec3): Vec3 {
  return { x: round(x), y: round(y), z: round(z) };
}

export function round(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}

/** The title of a record: its name, else its first words, else its kind. */
export function titleOf(record: Stored): string {
  const name = "name" in record ? record.name : undefined;
  return quoted(name ?? (record.text.join(" ") || record.kind));
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

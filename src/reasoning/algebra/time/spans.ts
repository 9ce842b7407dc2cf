import type { Span } from "../../../belief/span.ts";
import type { Interval } from "../../../geometry/index.ts";
import { LIMITS } from "../../../schema/core.ts";
import type { Scope } from "../operator.ts";
import { type TimesValue, WHOLE } from "../value.ts";

/** The time that is meant; by default all until now. Times after now are never meant. */
export function spanOf({ during, memory: { nowUs } }: Pick<Scope, "during" | "memory">): Span {
  const toUs = Math.min(during?.toUs ?? nowUs + 1, nowUs + 1);
  return { fromUs: Math.min(during?.fromUs ?? -LIMITS.timeUs, toUs - 1), toUs };
}

/** Spans no longer than this are moments: "at 10:05". */
const MOMENT_US = 61_000_000;

/** The moment that is meant; undefined where a longer time is, or none. */
export function momentOf({ during }: Pick<Scope, "during">): number | undefined {
  if (during?.toUs == null || during.toUs - during.fromUs > MOMENT_US) return undefined;
  return during.fromUs;
}

export function timesValue(spans: readonly Interval[], more: Partial<TimesValue> = {}): TimesValue {
  return { kind: "times", spans, p: 1, complete: WHOLE, evidence: [], ...more };
}

/** 10:05:30 in UTC; with the date where it differs. */
export function clockOf(us: number, nowUs: number): string {
  const text = new Date(us / 1000).toISOString();
  const clock = text.slice(11, 19);
  return text.slice(0, 10) === new Date(nowUs / 1000).toISOString().slice(0, 10)
    ? clock
    : `${text.slice(0, 10)} ${clock}`;
}

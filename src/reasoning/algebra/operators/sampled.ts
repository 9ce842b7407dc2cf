import type { Expression } from "../../../schema/index.ts";
import type { When } from "../../habits/index.ts";
import { isAmong, slotsOf } from "../../habits/local-time.ts";
import { gistOf } from "../gist.ts";
import type { Call } from "../operator.ts";
import { DAY_US, HOUR_US } from "../time/day-parts.ts";
import { type KnownValue, unknownValue, type Value } from "../value.ts";

/** So many days back, one look a day. */
const MOST_DAYS = 14;
/** Where no hours are said, looks so far from this time of the day count. */
const AROUND_US = HOUR_US;
const SLOT_US = HOUR_US / 4;

/**
 * An expression as it was on most of the last days at such an hour: whatever has no habit of its own. Days on which
 * nobody looked at that hour say nothing.
 */
export async function sampled(call: Call, inner: Expression, when: When): Promise<Value> {
  const { memory } = call.scope;
  const values: KnownValue[] = [];
  const hasHours = when.hour !== undefined || when.span !== undefined;
  const slots = slotsOf(when);
  const today = Math.floor(memory.nowUs / DAY_US);
  for (let day = today; day > today - MOST_DAYS; day--) {
    if (!isAmong(day, when.weekday)) continue;
    const sameTimeUs = memory.nowUs - (today - day) * DAY_US;
    const fromUs = hasHours ? day * DAY_US + slots[0]! * SLOT_US : sameTimeUs - AROUND_US;
    const toUs = hasHours ? fromUs + slots.length * SLOT_US : sameTimeUs + AROUND_US;
    if (fromUs > memory.nowUs) continue;
    const [look] = await memory.search({
      kinds: ["observation"],
      time: { overlaps: { fromUs, toUs: Math.min(memory.nowUs, toUs) + 1 } },
      limit: 1,
      rank: "latest",
    });
    if (!look) continue;
    const { validFromUs: atUs } = look.record;
    const value = await call.value(inner, { during: { fromUs: atUs, toUs: atUs + 1 } });
    if (value.kind !== "unknown") values.push(value);
  }
  const groups = [...Map.groupBy(values, gistOf).values()].toSorted((a, b) => b.length - a.length);
  const [best] = groups;
  if (!best) return unknownValue("never-seen", "I have not seen that often enough to say what is usual");
  const value = best[0]!;
  const habit = { observedDays: values.length, days: best.length, isGuess: false };
  return { ...value, p: value.p * ((best.length + 0.5) / (values.length + 1)), habit };
}

import type { Expression } from "../../../schema/index.ts";
import type { When } from "../../habits/index.ts";
import { isAmong, slotsOf } from "../../habits/local-time.ts";
import { gistOf } from "../gist.ts";
import type { Call } from "../operator.ts";
import { DAY_US, HOUR_US } from "../time/day-parts.ts";
import { type KnownValue, unknownValue, type Value } from "../value.ts";

/** The number of past days sampled, one observation a day. */
const MOST_DAYS = 14;
/** If no hours are given, observations this far from this time of day count. */
const AROUND_US = HOUR_US;
const SLOT_US = HOUR_US / 4;

/**
 * The value of an expression on most of the last days at that hour, for facts without a habit of their own. Days
 * without an observation at that hour do not count.
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

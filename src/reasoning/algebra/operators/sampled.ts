import type { Expression } from "../../../schema/index.ts";
import type { When } from "../../habits/index.ts";
import { isAmong, slotsOf } from "../../habits/local-time.ts";
import type { Call } from "../operator.ts";
import { type KnownValue, unknownValue, type Value } from "../value.ts";

const HOUR_US = 3_600_000_000;
const DAY_US = 24 * HOUR_US;
/** So many days back, one look a day. */
const MOST_DAYS = 14;
/** Somebody was there to see it within this time of the moment. */
const SEEN_US = HOUR_US;
const SLOTS_PER_HOUR = 4;

/**
 * An expression as it was on most of the last days at such an hour: whatever has no habit of its own. Days on which
 * nobody looked at that hour say nothing.
 */
export async function sampled(call: Call, inner: Expression, when: When): Promise<Value> {
  const { recall } = call.scope;
  const values: KnownValue[] = [];
  const hasHours = when.hour !== undefined || when.span !== undefined;
  const slots = slotsOf(when);
  const hours = slots[Math.floor(slots.length / 2)]! / SLOTS_PER_HOUR;
  const today = Math.floor(recall.nowUs / DAY_US);
  for (let day = today; day > today - MOST_DAYS; day--) {
    if (!isAmong(day, when.weekday)) continue;
    const atUs = hasHours ? day * DAY_US + hours * HOUR_US : recall.nowUs - (today - day) * DAY_US;
    if (atUs > recall.nowUs) continue;
    const [look] = await recall.search({
      kinds: ["observation"],
      time: { overlaps: { fromUs: atUs - SEEN_US, toUs: Math.min(recall.nowUs, atUs + SEEN_US) + 1 } },
      limit: 1,
      rank: "latest",
    });
    if (!look) continue;
    const value = await call.value(inner, { during: { fromUs: atUs, toUs: atUs + 1 } });
    if (value.kind !== "unknown") values.push(value);
  }
  const groups = [...Map.groupBy(values, keyOf).values()].toSorted((a, b) => b.length - a.length);
  const [best] = groups;
  if (!best) return unknownValue("never-seen", "I have not seen that often enough to say what is usual");
  const value = best[0]!;
  const habit = { observedDays: values.length, days: best.length, isGuess: false };
  return { ...value, p: value.p * ((best.length + 0.5) / (values.length + 1)), habit };
}

/** What makes two values the same. */
function keyOf(value: KnownValue): string {
  switch (value.kind) {
    case "truth":
      return String(value.truth);
    case "number":
      return value.value.toPrecision(2);
    case "words":
      return value.items.map(({ words }) => words).join("; ");
    case "things":
      return value.things
        .map(({ trackId }) => trackId)
        .sort()
        .join(" ");
    case "rooms":
      return value.rooms
        .map(({ id }) => id)
        .sort()
        .join(" ");
    default:
      return value.kind;
  }
}

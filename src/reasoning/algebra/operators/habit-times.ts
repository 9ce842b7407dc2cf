import type { KnownThing } from "../../../belief/thing.ts";
import type { Expression } from "../../../schema/index.ts";
import {
  howLongUsually,
  normallyWhen,
  type Occasion,
  observedDays,
  occasionsAt,
  usualHours,
  type When,
} from "../../habits/index.ts";
import type { Call } from "../operator.ts";
import { habitEvidence, thingHabits } from "../things/habit.ts";
import { DAY_US, HOUR_US } from "../time/day-parts.ts";
import { timesValue } from "../time/spans.ts";
import {
  type EventsValue,
  type NumberValue,
  numberValue,
  type TimesValue,
  type UnknownValue,
  unknownValue,
  type Value,
} from "../value.ts";
import { askedOf, held, learnt } from "./habit-asked.ts";

/** The usual times of a state or event. */
export async function usualTimes(call: Call, of: Expression, { weekday }: When): Promise<Value> {
  const days = weekday === undefined ? {} : { weekday };
  const asked = await askedOf(of, call);
  if (asked && "kind" in asked) return asked;
  if (asked?.as === "truth") {
    const known = await learnt(call, asked);
    if ("kind" in known) return known;
    const daily = asked.keys!.flatMap((key) => usualHours(known.habits.model, key, days));
    const evidence = await habitEvidence(known.habits, call.scope.memory);
    return dailyValue(daily, evidence, known.habits.model.days.length);
  }
  const value = await call.value(of);
  if (value.kind === "unknown") return value;
  if (value.kind !== "events") return unknownValue("not-understood", "only what happens has usual times");
  const occasions = occasionsIn(value);
  const seen = [...new Set(occasions.map(({ fromUs }) => Math.floor(fromUs / DAY_US)))];
  const [thing] = value.things;
  const model = thing && (await thingHabits(thing, "room", call.scope.memory)).model;
  const daily = normallyWhen(occasions, {
    ...days,
    observedDays: model ? [...new Set([...observedDays(model), ...seen])] : seen,
  });
  return dailyValue(daily, value.evidence, daily[0]?.observedDays ?? 0);
}

function dailyValue(
  daily: NonNullable<TimesValue["daily"]>,
  evidence: TimesValue["evidence"],
  days: number,
): TimesValue | UnknownValue {
  const [best] = daily;
  if (!best) return unknownValue("never-seen", "there is no usual time for that");
  const p = held(best.days / Math.max(1, best.observedDays), best.observedDays);
  const habit = { observedDays: days, days: best.days, isGuess: false };
  return timesValue([], { daily, p, evidence, habit });
}

/** A beginning within a longer gap than this was not observed. */
const UNSEEN_US = 6 * HOUR_US;

/** How long a thing usually stays in its place, or stays and other events usually last. */
export async function usualLength(call: Call, of: Expression): Promise<Value> {
  const { occasions, evidence, of: things } = await occasionsOf(call, of);
  if ("kind" in occasions) return occasions;
  const length = howLongUsually(
    occasions.filter(({ fromUs, notBeforeUs = fromUs }) => fromUs - notBeforeUs < UNSEEN_US),
  );
  if (!length) return unknownValue("never-seen", "I have not seen one from its beginning to its end");
  const days = new Set(occasions.map(({ fromUs }) => Math.floor(fromUs / DAY_US))).size;
  return numberValue(
    length.medianUs / 1e6,
    "s",
    { p: held(0.8, length.count), evidence },
    {
      range: [length.lowUs / 1e6, length.highUs / 1e6],
      habit: { observedDays: days, days, isGuess: false },
      of: things,
    },
  );
}

interface Occasions {
  readonly occasions: readonly Occasion[] | UnknownValue;
  readonly evidence: NumberValue["evidence"];
  readonly of?: readonly KnownThing[];
}

function occasionsIn({ events }: EventsValue): Occasion[] {
  return events.map(({ validFromUs, validToUs }) => ({ fromUs: validFromUs, toUs: validToUs }));
}

/** Occasions with a beginning and an end: events, a thing's stays anywhere, or the times that something is true. */
async function occasionsOf(call: Call, of: Expression): Promise<Occasions> {
  const { memory } = call.scope;
  const asked = await askedOf(of, call);
  if (asked && "kind" in asked) return { occasions: asked, evidence: [] };
  if (asked?.as === "truth") {
    const known = await learnt(call, asked);
    if ("kind" in known) return { occasions: unknownOf(known), evidence: [] };
    const occasions = asked.keys!.flatMap((key) => occasionsAt(known.habits.input.stays, key));
    return { occasions, evidence: await habitEvidence(known.habits, memory), of: [known.thing] };
  }
  const value = await call.value(of);
  if (value.kind === "events") return { occasions: occasionsIn(value), evidence: value.evidence };
  const [thing] = value.kind === "things" ? value.things : [];
  if (!thing) return { occasions: unknownOf(value), evidence: [] };
  const { input } = await thingHabits(thing, "words", memory);
  const keys = new Set(input.stays.map(({ placeKey }) => placeKey));
  return {
    occasions: [...keys].flatMap((key) => occasionsAt(input.stays, key)),
    evidence: value.evidence,
    of: [thing],
  };
}

function unknownOf(value: Value): UnknownValue {
  return value.kind === "unknown"
    ? value
    : unknownValue("not-understood", "only things, what they are and what happens last for a time");
}

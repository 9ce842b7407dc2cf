import type { KnownThing } from "../../../belief/thing.ts";
import type { Expression } from "../../../schema/index.ts";
import type { LastSeen } from "../../habits/index.ts";
import type { Call } from "../operator.ts";
import { type HabitBy, type ThingHabits, thingHabits } from "../things/habit.ts";
import { type KnownValue, type UnknownValue, unknownValue, type Value } from "../value.ts";

/** A question about a habit of one thing: the keys asked for, and the kind of value to report. */
export interface Asked {
  readonly subject: Expression;
  readonly by: HabitBy;
  readonly as: "words" | "rooms" | "truth";
  readonly about: string;
  /** For truth: the places or values asked for. */
  readonly keys?: readonly string[];
}

/** How an expression asks for a habit of one thing; undefined where it does not. */
export async function askedOf(inner: Expression, call: Call): Promise<Asked | UnknownValue | undefined> {
  const { op, of, with: options } = inner;
  const [subject, place] = of;
  if (!subject) return undefined;
  const attribute = String(options["attribute"] ?? options["name"] ?? "");
  switch (op) {
    case "place":
      return { subject, by: options["detail"] === "room" ? "room" : "words", as: "words", about: "place" };
    case "room":
      return { subject, by: "room", as: "rooms", about: "room" };
    case "name":
      return subject.op === "room" && subject.of[0]
        ? { subject: subject.of[0], by: "room", as: "words", about: "room" }
        : undefined;
    case "attribute":
      return { subject, by: { attribute }, as: "words", about: attribute };
    case "is":
      return {
        subject,
        by: { attribute },
        as: "truth",
        about: attribute,
        keys: [String(options["value"])],
      };
    case "within": {
      if (!place) return undefined;
      const value = await call.value(place);
      if (value.kind === "unknown") return value;
      const by = value.kind === "rooms" ? "room" : "place";
      return { subject, by, as: "truth", about: "place", keys: keysOf(value) };
    }
    default:
      return undefined;
  }
}

/** The keys of a place among those of a thing: rooms by their ids, furniture by its tracks. */
function keysOf(value: KnownValue): readonly string[] {
  if (value.kind === "rooms") return value.rooms.map(({ id }) => id);
  return value.kind === "things" ? value.things.map(({ trackId }) => trackId) : [];
}

export interface Learnt {
  readonly thing: KnownThing;
  readonly rivals?: readonly KnownThing[] | undefined;
  readonly habits: ThingHabits;
}

/** The habits of the thing that an expression is about. */
export async function learnt(call: Call, { subject, by }: Asked): Promise<Learnt | Value> {
  const value = await call.value(subject);
  if (value.kind === "unknown") return value;
  const [thing] = value.kind === "things" ? value.things : [];
  if (!thing || value.kind !== "things")
    return unknownValue("not-understood", "only things and people have habits");
  const habits = await thingHabits(thing, by, call.scope.memory);
  if (habits.input.stays.length === 0)
    return unknownValue("never-seen", "I have not seen it often enough", { goal: thing });
  return { thing, habits, ...(value.rivals && { rivals: value.rivals }) };
}

/** Shrinks a share towards even: observations of one day are no habit yet. */
export const held = (p: number, days: number) => (p * days + 0.5) / (days + 1);

/** Where and when it was last seen before a time. */
export function lastSeen({ input: { stays } }: ThingHabits, atUs: number): LastSeen | undefined {
  const seen = stays
    .filter(({ fromUs }) => fromUs <= atUs)
    .toSorted((a, b) => a.fromUs - b.fromUs)
    .at(-1);
  return seen && { placeKey: seen.placeKey, seenUs: Math.min(seen.lastSeenUs, atUs) };
}

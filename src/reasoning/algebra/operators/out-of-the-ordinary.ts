import type { KnownThing } from "../../../belief/thing.ts";
import { evidenceOf } from "../../../belief/trust.ts";
import { unusual } from "../../habits/index.ts";
import type { Call } from "../operator.ts";
import { type HabitBy, thingHabits } from "../things/habit.ts";
import { theseThings, type Value } from "../value.ts";
import { lastSeen } from "./habit-asked.ts";

/** The most things examined, those that changed last first. */
const MOST_LOOKED_AT = 40;
const FLUENTS = ["power", "openness"] as const;

/** Things not in their usual place or state at this hour, the most surprising first. */
export async function outOfTheOrdinary(call: Call): Promise<Value> {
  const { memory } = call.scope;
  const among = call.size > 0 ? await call.arg(0) : undefined;
  const things = among?.kind === "things" ? among.things : await changing(call);
  const found: { readonly thing: KnownThing; readonly note: string; readonly bits: number }[] = [];
  for (const thing of things.slice(0, MOST_LOOKED_AT)) {
    for (const by of ["words", ...FLUENTS.map((attribute) => ({ attribute }))] as HabitBy[]) {
      if (typeof by === "object" && !thing.state.attributes[by.attribute]) continue;
      const habits = await thingHabits(thing, by, memory);
      const now = lastSeen(habits, memory.nowUs);
      if (!now || habits.input.stays.length < 2) continue;
      const is = unusual(habits.model, { placeKey: now.placeKey, timeUs: memory.nowUs });
      const note = `usually ${is.usual.places[0]?.placeKey}`;
      if (is.isUnusual) found.push({ thing, note, bits: is.surpriseBits });
    }
  }
  found.sort((a, b) => b.bits - a.bits);
  const strange = found.map(({ thing }) => thing);
  const notes = found.map(({ note }) => note);
  const evidence = found.map(({ thing, note }) => evidenceOf(thing, `${thing.name}, ${note}`));
  const habit = { observedDays: 0, isGuess: false };
  return theseThings(strange, "unusual thing", { p: 0.6, evidence }, { notes, habit });
}

/** Things that moved or changed, the latest first: the others are as always. */
async function changing({ scope: { memory } }: Call): Promise<KnownThing[]> {
  const events = await memory.events(["move", "state-change"], { fromUs: 0, toUs: memory.nowUs + 1 });
  const ids = [...new Set(events.toReversed().flatMap(({ who }) => who))];
  const things = new Map<string, KnownThing>();
  for (const id of ids.slice(0, 4 * MOST_LOOKED_AT)) {
    const thing = await memory.thingOfState(id, 1);
    if (thing) things.set(thing.trackId, thing);
    if (things.size >= MOST_LOOKED_AT) break;
  }
  return [...things.values()];
}

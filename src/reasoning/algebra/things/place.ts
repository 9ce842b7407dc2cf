import type { Belief } from "../../../belief/belief.ts";
import { holderOf } from "../../../belief/holder.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { distance, gapBetween, type Interval, type Vec3 } from "../../../geometry/index.ts";
import { movesItself } from "../../../ontology/index.ts";
import { withThe } from "../../say/grammar.ts";
import { theThing } from "../../say/naming.ts";
import { placeWithStanding } from "../../say/standing.ts";
import type { Scope } from "../operator.ts";

/** "on the kitchen counter in the kitchen", as far as it is known. */
export async function placeOf(thing: KnownThing, memory: Belief): Promise<string> {
  const isIn = thing.slot && !thing.spot;
  const holder = isIn ? `in ${thing.slot.code}` : await holderText(thing, memory);
  const room = await memory.roomOf(thing);
  const parts = [holder ?? "", room ? `in ${withThe(room.name)}` : ""].filter((part) => part !== "");
  return parts.join(" ") || (thing.position ? `at ${coordinates(thing.position)}` : "somewhere unknown");
}

/** The same with whether it is still there: "gone: it was on the kitchen counter in the kitchen until 09:01". */
export async function whereabouts(thing: KnownThing, { memory, during }: Scope): Promise<string> {
  const place = await placeOf(thing, memory);
  if (during !== undefined || thing.spot) return place;
  return placeWithStanding(place, thing, await memory.standing(thing), memory.nowUs);
}

/** The radius around a thing for things that describe its place (m). */
const NEAR_M = 2;

/** The landmark that a person would name for a thing's place: the nearest that stands by itself. */
export async function nearText(thing: KnownThing, { memory, during }: Scope): Promise<string> {
  if (!thing.position) return placeOf(thing, memory);
  const around = await memory.around({ type: "radius", centre: thing.position, radiusM: NEAR_M }, during);
  const [near] = around
    .filter(
      (other) =>
        other.trackId !== thing.trackId &&
        other.roomId === thing.roomId &&
        !other.heldBy &&
        // People and vehicles move about and are no landmarks.
        !movesItself(other.category) &&
        other.category !== "thing",
    )
    .map((other) => ({ other, m: apartM(thing, other) }))
    .toSorted((a, b) => a.m - b.m);
  const where = await placeOf(thing, memory);
  return near ? `${where}, near ${theThing(near.other)}` : where;
}

/** Metres between two things where they come closest, by their boxes where these are known. */
function apartM(a: KnownThing, b: KnownThing): number {
  if (a.box && b.box) return gapBetween(a.box, b.box);
  return a.position && b.position ? distance(a.position, b.position) : Infinity;
}

/** The most things elsewhere whose places are reported. */
const MOST_TOLD = 6;

/** Things that are not in the place asked for, the likeliest with its actual place. */
export async function elsewhere(
  things: readonly KnownThing[],
  part: "room" | "relation",
  memory: Belief,
): Promise<KnownThing[]> {
  const told = things.toSorted((a, b) => b.fit - a.fit).slice(0, MOST_TOLD);
  const says = new Map<KnownThing, string>();
  for (const thing of told) says.set(thing, `is ${await placeOf(thing, memory)}`);
  return things.map((thing) => ({
    ...thing,
    against: [...(thing.against ?? []), { part, says: says.get(thing) ?? "is elsewhere" }],
  }));
}

/** "on the table", "in the drawer"; undefined for things that stand by themselves. */
export async function holderText(
  thing: KnownThing,
  memory: Belief,
  during?: Interval,
): Promise<string | undefined> {
  const held = await holderOf(thing, memory, during);
  return held && `${held.relation} the ${held.category}`;
}

function coordinates({ x, y, z }: Vec3): string {
  return `(${x.toFixed(1)}, ${y.toFixed(1)}, ${z.toFixed(1)})`;
}

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

/** So far around a thing lies what tells where it is. */
const NEAR_M = 2;

/** What somebody would name to tell where a thing is: the nearest that stands by itself. */
export async function nearText(thing: KnownThing, { memory, during }: Scope): Promise<string> {
  if (!thing.position) return placeOf(thing, memory);
  const around = await memory.around({ type: "radius", centre: thing.position, radiusM: NEAR_M }, during);
  const [near] = around
    .filter(
      (other) =>
        other.trackId !== thing.trackId &&
        other.roomId === thing.roomId &&
        !other.heldBy &&
        // Who walks about tells nobody where something is.
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

/** So many of what is elsewhere are told where they are; nobody hears of more. */
const MOST_TOLD = 6;

/** Things that are not where they were asked for, the likeliest with where they are instead. */
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

/** "on the table", "in the drawer"; undefined for what stands by itself. */
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

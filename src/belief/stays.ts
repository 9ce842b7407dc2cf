import { distance, gapBetween } from "../geometry/index.ts";
import type { Belief } from "./belief.ts";
import { isMover } from "./mobility.ts";
import { CHANGING } from "./settings/changes.ts";
import { standsOf } from "./stands.ts";
import { isLiveAt, type KnownThing } from "./thing.ts";

/** The places of a thing, earliest first, without stays that continue the place before them. */
export async function placesOf(thing: KnownThing, memory: Belief): Promise<KnownThing[]> {
  const stands = isMover(thing.category) ? await standsOf(thing, memory) : [];
  if (stands.length > 0) return stands;
  const kept: KnownThing[] = [];
  for (const stay of await memory.stays(thing.trackId)) {
    if (stay.state.validFromUs > memory.nowUs) continue;
    const before = kept.at(-1);
    if (!before || isElsewhere(before, stay)) kept.push(stay);
  }
  return kept;
}

/** Whether two stays are in two places. A thing that stayed in one slot was not moved, however far off the map was. */
export function isElsewhere(before: KnownThing, after: KnownThing): boolean {
  if (before.slot && after.slot && !before.spot) return before.slot.code !== after.slot.code;
  if (!before.position || !after.position) return true;
  // A moving vehicle may be seen at one end and then the other, so boxes are compared.
  if (isMover(before.category) && before.box && after.box)
    return gapBetween(before.box, after.box) > CHANGING.movedM;
  return distance(before.position, after.position) > CHANGING.movedM;
}

/** The time since when a thing is where it is at the moment that is meant: its arrival, or its first sighting there. */
export async function placeSince(
  thing: KnownThing,
  atUs: number,
  memory: Belief,
): Promise<{ readonly place: KnownThing; readonly n: number } | undefined> {
  const places = await placesOf(thing, memory);
  const n = places.findLastIndex(({ state }) => state.validFromUs <= atUs);
  return n < 0 ? undefined : { place: places[n]!, n };
}

/** The time at which it left its last place; undefined where it is still there. */
export async function goneUs(thing: KnownThing, memory: Belief): Promise<number | undefined> {
  const stays = await memory.stays(thing.trackId);
  if (stays.length === 0 || stays.some((stay) => isLiveAt(stay, memory.nowUs))) return undefined;
  return Math.max(...stays.map(({ state }) => state.validToUs ?? memory.nowUs));
}

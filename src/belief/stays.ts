import { distance, gapBetween } from "../geometry/index.ts";
import type { Belief } from "./belief.ts";
import { isMover } from "./mobility.ts";
import { isLiveAt, type KnownThing } from "./thing.ts";

/** So far a thing must have gone to have been moved. */
const MOVED_M = 0.5;

/** The places that a thing had, earliest first: stays without those that only go on where the one before them was. */
export async function placesOf(thing: KnownThing, memory: Belief): Promise<KnownThing[]> {
  const kept: KnownThing[] = [];
  for (const stay of await memory.stays(thing.trackId)) {
    if (stay.state.validFromUs > memory.nowUs) continue;
    const before = kept.at(-1);
    if (!before || isElsewhere(before, stay)) kept.push(stay);
  }
  return kept;
}

/** Whether two stays are in two places. What lies in one slot all the while was not moved, however far off the map was. */
export function isElsewhere(before: KnownThing, after: KnownThing): boolean {
  if (before.slot && after.slot && !before.spot) return before.slot.code !== after.slot.code;
  if (!before.position || !after.position) return true;
  // Of a forklift now one end was seen, now the other.
  if (isMover(before.category) && before.box && after.box) return gapBetween(before.box, after.box) > MOVED_M;
  return distance(before.position, after.position) > MOVED_M;
}

/** Since when a thing is where it is at the moment that is meant: when it came there, or was first seen there. */
export async function placeSince(
  thing: KnownThing,
  atUs: number,
  memory: Belief,
): Promise<{ readonly place: KnownThing; readonly n: number } | undefined> {
  const places = await placesOf(thing, memory);
  const n = places.findLastIndex(({ state }) => state.validFromUs <= atUs);
  return n < 0 ? undefined : { place: places[n]!, n };
}

/** Until when it stayed in its last place; undefined where it still is there. */
export async function goneUs(thing: KnownThing, memory: Belief): Promise<number | undefined> {
  const stays = await memory.stays(thing.trackId);
  if (stays.length === 0 || stays.some((stay) => isLiveAt(stay, memory.nowUs))) return undefined;
  return Math.max(...stays.map(({ state }) => state.validToUs ?? memory.nowUs));
}

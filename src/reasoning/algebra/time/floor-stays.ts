import type { Happening } from "../../../belief/happening.ts";
import type { EventsValue } from "../value.ts";
import { eventsValue, happeningsOf } from "./happenings.ts";

/** Stays in rooms of a floor as stays on it: changing rooms on a floor does not enter the floor again. */
export function staysOnFloor(inRooms: EventsValue, everywhere: EventsValue): EventsValue {
  const there = new Set(inRooms.events.map(({ id }) => id));
  const joined: Happening[] = [];
  let isGoingOn = false;
  for (const one of happeningsOf(everywhere).toSorted((a, b) => a.event.validFromUs - b.event.validFromUs)) {
    const last = joined.at(-1);
    const isThere = there.has(one.event.id);
    if (isThere && isGoingOn && last)
      joined[joined.length - 1] = { ...last, event: { ...last.event, validToUs: one.event.validToUs } };
    else if (isThere) joined.push(one);
    isGoingOn = isThere;
  }
  return eventsValue(joined, inRooms.phrase, { p: inRooms.p, evidence: inRooms.evidence });
}

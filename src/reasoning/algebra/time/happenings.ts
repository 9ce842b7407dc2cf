import { type Happening, MADE } from "../../../belief/happening.ts";
import { evidenceOfRecord } from "../../../belief/trust.ts";
import { type EventsValue, WHOLE } from "../value.ts";

const MOST_EVIDENCE = 12;

/** Events, earliest first. */
export function eventsValue(
  happenings: readonly Happening[],
  phrase: string,
  more: Partial<EventsValue> = {},
): EventsValue {
  const sorted = happenings.toSorted(
    (a, b) => a.event.validFromUs - b.event.validFromUs || (a.event.id < b.event.id ? -1 : 1),
  );
  return {
    kind: "events",
    events: sorted.map(({ event }) => event),
    things: sorted.map(({ thing }) => thing),
    phrase,
    p: 0.7,
    complete: WHOLE,
    evidence: sorted
      .filter(({ event }) => !event.id.startsWith(MADE))
      .slice(-MOST_EVIDENCE)
      .map(({ event, thing }) => ({
        ...evidenceOfRecord(event, event.text[0] ?? event.type, event.p, thing?.position),
        ...(thing && { trackId: thing.trackId }),
      })),
    ...more,
  };
}

/** The events of a set, each with the thing it happened to. */
export function happeningsOf({ events, things }: EventsValue): Happening[] {
  return events.map((event, n) => ({ event, thing: things[n] }));
}

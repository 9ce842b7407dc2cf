import { contentId, type RecordOf, recordSchema, type Stored } from "../../../schema/index.ts";
import type { KnownThing } from "../../memory-view/thing.ts";
import { evidenceOfRecord } from "../things/trust.ts";
import { type EventsValue, WHOLE } from "../value.ts";

export type EventRecord = Stored<RecordOf<"event">>;

/** Something that happened, and to what. */
export interface Happening {
  readonly event: EventRecord;
  readonly thing?: KnownThing | undefined;
}

const MOST_EVIDENCE = 12;

/** What happened, earliest first. */
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

/** What happened in a set of events, with what it happened to. */
export function happeningsOf({ events, things }: EventsValue): Happening[] {
  return events.map((event, n) => ({ event, thing: things[n] }));
}

const MADE = "made:";

/** What follows from other records, as if it had been written down: a stay in a room, a time in view. It is never stored. */
export function madeEvent(
  key: string,
  type: EventRecord["type"],
  span: { readonly fromUs: number; readonly toUs: number | null },
  more: Partial<Pick<EventRecord, "regionId" | "author" | "text" | "detail" | "who">> = {},
): EventRecord {
  const record = recordSchema.parse({
    kind: "event",
    // One may follow from another that does: what it follows from is hashed, however long that chain is.
    id: `${MADE}${contentId(type, key, span.fromUs)}`,
    type,
    validFromUs: span.fromUs,
    validToUs: span.toUs === null ? null : Math.max(span.toUs, span.fromUs + 1),
    ...more,
  }) as RecordOf<"event">;
  return { ...record, version: 1, recordedAtUs: span.fromUs, supersededAtUs: null };
}

import type { Timeline } from "../dynamics/index.ts";
import type { FluentName } from "../house/types.ts";
import { placeKeyOf, trackIdOf, type WeekFacts } from "./facts.ts";
import type { Household } from "./household.ts";

/** The subject of a habit: the place of a thing or a person, or the state of a thing. */
export interface Subject {
  readonly id: string;
  readonly group: "thing" | "person" | "state";
  readonly fluent?: FluentName;
}

/** One observation of a subject; `value` is undefined if it was looked for in vain. */
export interface Look {
  readonly timeUs: number;
  readonly value: string | undefined;
}

export function subjectsOf({ house }: Timeline, { things, persons, devices, lamps }: Household): Subject[] {
  return [
    ...things.map(({ id }): Subject => ({ id, group: "thing" })),
    ...persons.map((i): Subject => ({ id: house.things[i]!.id, group: "person" })),
    ...devices.map(({ id, device }): Subject => ({ id, group: "state", fluent: device.fluent })),
    ...lamps.map(({ id }): Subject => ({ id, group: "state", fluent: "power" })),
  ];
}

/** The truth: the furniture it is on or in, a person's room, or the state; undefined while out of the house. */
export function valueAt(timeline: Timeline, { id, fluent }: Subject, timeUs: number): string | undefined {
  if (fluent !== undefined) return timeline.fluentAt(id, fluent, timeUs);
  return placeKeyOf(timeline.thing(id), timeline.placementAt(id, timeUs));
}

/** Every look at a subject in order of time, with what it showed. */
export function looksAt({ records, sightings }: WeekFacts, timeline: Timeline, subject: Subject): Look[] {
  const trackId = trackIdOf(subject);
  const own = new Set(records.flatMap((r) => (r.kind === "state" && r.trackId === trackId ? [r.id] : [])));
  return sightings
    .filter(
      ({ stateId, outcome }) => own.has(stateId) && (outcome === "seen" || subject.fluent === undefined),
    )
    .map(({ timeUs, outcome }) => ({
      timeUs,
      value: outcome === "seen" ? valueAt(timeline, subject, timeUs) : undefined,
    }))
    .sort((a, b) => a.timeUs - b.timeUs);
}

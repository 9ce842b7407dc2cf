import { type Happening, madeEvent } from "../../../belief/happening.ts";
import { ownSteps, type Step, stepsOf, visitsOf } from "../../../belief/looks.ts";
import type { RoomView } from "../../../belief/room-names.ts";
import type { Span } from "../../../belief/span.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { distance } from "../../../geometry/index.ts";
import type { Scope } from "../operator.ts";
import type { EventsValue, FloorsValue, RoomsValue, ThingsValue } from "../value.ts";
import { eventsValue } from "./happenings.ts";
import { spanOf } from "./spans.ts";

/** A person this near to a thing is at it. */
const AT_M = 2.5;
const LEAST_AT_US = 1_500_000;
const AT_GAP_US = 5_000_000;

/** The positions of the robot, or of a person it saw, around the time that is meant. */
function stepsAround(who: KnownThing | undefined, scope: Scope): Promise<Step[]> {
  const span = spanOf(scope);
  return who ? stepsOf(who, scope.memory, span) : ownSteps(scope, span);
}

/** The positions in that time. */
export async function stepsIn(who: KnownThing | undefined, scope: Scope): Promise<Step[]> {
  const { fromUs, toUs } = spanOf(scope);
  return (await stepsAround(who, scope)).filter(({ timeUs }) => timeUs >= fromUs && timeUs < toUs);
}

/**
 * The stays in rooms, on floors or at things that overlap the time that is meant, whole and in order; in all rooms
 * where none are given.
 */
export async function staysIn(
  where: RoomsValue | FloorsValue | ThingsValue | undefined,
  who: KnownThing | undefined,
  scope: Scope,
): Promise<EventsValue> {
  const steps = await stepsAround(who, scope);
  const { fromUs: begin, toUs: end } = spanOf(scope);
  const reaches = ({ fromUs, toUs }: Span) => fromUs < end && toUs > begin;
  if (where?.kind === "things") return staysAt(where, who, steps, reaches);
  const visits = (await visitsOf(steps, scope.memory)).filter(
    (visit) => reaches(visit) && (!where || isIn(visit.room, where)),
  );
  const found: Happening[] = visits.map(({ room, fromUs, toUs }) => ({
    event: madeEvent(
      room.id,
      "enter",
      { fromUs, toUs },
      { regionId: room.id, text: [`in the ${room.name}`] },
    ),
    thing: who,
  }));
  return eventsValue(found, where?.phrase ?? "room", { p: 0.7, ...(where && { evidence: where.evidence }) });
}

export function isIn({ id, storey }: RoomView, where: RoomsValue | FloorsValue): boolean {
  return where.kind === "rooms" ? where.rooms.some((room) => room.id === id) : where.storeys.includes(storey);
}

function staysAt(
  where: ThingsValue,
  who: KnownThing | undefined,
  steps: readonly Step[],
  reaches: (span: Span) => boolean,
): EventsValue {
  const found: Happening[] = [];
  for (const thing of where.things) {
    const { position } = thing;
    if (!position) continue;
    const runs: { fromUs: number; toUs: number }[] = [];
    for (const step of steps) {
      if (distance({ ...step.position, z: position.z }, position) > AT_M) continue;
      const last = runs.at(-1);
      if (last && step.timeUs - last.toUs <= AT_GAP_US) last.toUs = step.timeUs;
      else runs.push({ fromUs: step.timeUs, toUs: step.timeUs });
    }
    for (const run of runs)
      if (run.toUs - run.fromUs >= LEAST_AT_US && reaches(run))
        found.push({
          event: madeEvent(thing.trackId, "pass", run, {
            who: [thing.state.id],
            text: [`at the ${thing.name}`],
            ...(thing.roomId !== undefined && { regionId: thing.roomId }),
          }),
          thing: who ?? thing,
        });
  }
  return eventsValue(found, where.phrase, { p: 0.65, evidence: where.evidence });
}

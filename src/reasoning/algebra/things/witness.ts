import { statesOf } from "../../../belief/changes.ts";
import { sightingsOf } from "../../../belief/looks.ts";
import type { Span } from "../../../belief/span.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import type { Scope } from "../operator.ts";
import { momentOf, spanOf } from "../time/spans.ts";

/** The most things, and sightings of each, searched for the robots that saw them. */
const MOST_ASKED = 60;
const MOST_LOOKS = 2_000;

/** When a robot saw a thing, first and last. */
interface Looks {
  readonly firstUs: number;
  readonly lastUs: number;
}

/** The robots that saw the things, in any of their stays, and when: by robot, then by track. */
export async function seenBy(
  things: readonly KnownThing[],
  scope: Pick<Scope, "memory" | "during">,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Looks>>> {
  const found = new Map<string, Map<string, Looks>>();
  for (const thing of things.slice(0, MOST_ASKED)) {
    const during = await spanOfState(thing, scope);
    for (const { agentId, timeUs } of await sightingsOf(thing, scope.memory, { during, limit: MOST_LOOKS })) {
      const own = found.get(agentId) ?? new Map<string, Looks>();
      found.set(agentId, own);
      const known = own.get(thing.trackId);
      own.set(thing.trackId, {
        firstUs: Math.min(known?.firstUs ?? timeUs, timeUs),
        lastUs: Math.max(known?.lastUs ?? timeUs, timeUs),
      });
    }
  }
  return found;
}

/**
 * The span in which a thing is looked at: for a moment of the past, all the time that its state stayed as it was then. What a
 * robot saw open before it was shut, it saw open.
 */
async function spanOfState(thing: KnownThing, scope: Pick<Scope, "memory" | "during">): Promise<Span> {
  const span = spanOf(scope);
  const atUs = scope.during && momentOf(scope);
  if (atUs === undefined) return span;
  const starts = (await statesOf(thing, scope.memory)).map(({ validFromUs }) => validFromUs);
  const before = starts.filter((fromUs) => fromUs <= atUs);
  // A change begins with the last look at the state before it.
  return {
    fromUs: Math.max(-1, ...before) + 1,
    toUs: Math.min(scope.memory.nowUs, ...starts.filter((fromUs) => fromUs > atUs)) + 1,
  };
}

/** The things that the compared robot saw itself; all without a comparison. */
export async function ownOnly(things: readonly KnownThing[], scope: Scope): Promise<readonly KnownThing[]> {
  if (scope.witness === undefined) return things;
  const own = (await seenBy(things, scope)).get(scope.witness);
  return things.filter(({ trackId }) => own?.has(trackId));
}

import { sightingsOf } from "../../../belief/looks.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import type { Scope } from "../operator.ts";
import { spanOf } from "../time/spans.ts";

/** So many things, and looks at each, are gone through for who saw them. */
const MOST_ASKED = 60;
const MOST_LOOKS = 2_000;

/** When a robot saw a thing, first and last. */
interface Looks {
  readonly firstUs: number;
  readonly lastUs: number;
}

/** Which robots saw which of the things, in any of their stays, and when: by robot, then by track. */
export async function seenBy(
  things: readonly KnownThing[],
  scope: Pick<Scope, "memory" | "during">,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Looks>>> {
  const found = new Map<string, Map<string, Looks>>();
  const during = spanOf(scope);
  for (const thing of things.slice(0, MOST_ASKED)) {
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

/** Those that the robot saw itself which is compared with others; all where none is. */
export async function ownOnly(things: readonly KnownThing[], scope: Scope): Promise<readonly KnownThing[]> {
  if (scope.witness === undefined) return things;
  const own = (await seenBy(things, scope)).get(scope.witness);
  return things.filter(({ trackId }) => own?.has(trackId));
}

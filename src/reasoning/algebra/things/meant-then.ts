import { asSeenAt } from "../../../belief/movers.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import type { Interval } from "../../../geometry/index.ts";
import { movesItself } from "../../../ontology/index.ts";
import type { Scope } from "../operator.ts";
import type { ThingsValue } from "../value.ts";

/** A thing first seen this soon after a moment stood there before. */
const SOON_US = 10_000_000;
/** Factor for a description that fits the present in a question about another time. */
const BY_NOW = 0.9;

/**
 * Things that are described as they are now, each as it was at the time that is meant; undefined where none was there.
 * A thing that had left its place before that time and was not yet in another was in none that is known; people and
 * vehicles are where they were last seen.
 */
export async function asTheyWere(
  set: ThingsValue,
  during: Interval,
  { memory }: Pick<Scope, "memory">,
): Promise<ThingsValue | undefined> {
  const endUs = Math.min(during.toUs ?? memory.nowUs, memory.nowUs) + SOON_US;
  const things: KnownThing[] = [];
  for (const thing of set.things) {
    const stays = (await memory.stays(thing.trackId)).filter(
      ({ state }) => state.validFromUs < endUs && (movesItself(thing.category) || !hasEnded(state, during)),
    );
    const stay = stays.findLast(({ state }) => state.validFromUs < endUs - SOON_US) ?? stays[0];
    if (stay) things.push(await asSeenAt({ ...stay, fit: thing.fit }, during, memory));
  }
  return things.length === 0 ? undefined : { ...set, things, rivals: undefined, p: set.p * BY_NOW };
}

function hasEnded({ validToUs }: KnownThing["state"], { fromUs }: Interval): boolean {
  return validToUs !== null && validToUs <= fromUs;
}

import { asSeenAt } from "../../../belief/movers.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import type { Interval } from "../../../geometry/index.ts";
import type { Scope } from "../operator.ts";
import type { ThingsValue } from "../value.ts";

/** What was first seen so soon after a moment stood there before. */
const SOON_US = 10_000_000;
/** Whoever describes a thing as it is now and asks of another time says it a little less plainly. */
const BY_NOW = 0.9;

/** Things that are described as they are now, each as it was at the time that is meant; undefined where none was there. */
export async function asTheyWere(
  set: ThingsValue,
  during: Interval,
  { memory }: Pick<Scope, "memory">,
): Promise<ThingsValue | undefined> {
  const endUs = Math.min(during.toUs ?? memory.nowUs, memory.nowUs) + SOON_US;
  const things: KnownThing[] = [];
  for (const thing of set.things) {
    const stays = (await memory.stays(thing.trackId)).filter(({ state }) => state.validFromUs < endUs);
    const stay = stays.findLast(({ state }) => state.validFromUs < endUs - SOON_US) ?? stays[0];
    if (stay) things.push(await asSeenAt({ ...stay, fit: thing.fit }, during, memory));
  }
  return things.length === 0 ? undefined : { ...set, things, rivals: undefined, p: set.p * BY_NOW };
}

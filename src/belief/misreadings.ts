import type { Belief } from "./belief.ts";
import type { EventRecord } from "./happening.ts";
import { sightingsOf } from "./looks.ts";
import type { KnownThing } from "./thing.ts";

/** A change between two looks so near to each other (µs) would have happened before somebody's eyes. */
const WITNESSED_US = 2_000_000;
/** Looks so long before and after it (µs) tell whether it was one. */
const AROUND_US = 20_000_000;
/**
 * So many looks on either side: a robot that watches a room for three seconds has more. In eleven simulated houses at noise .5
 * (seeds 81001, 92001 to 93006) five of seven flips that never happened had fewer on one side, and the one that did was kept.
 */
const LEAST_LOOKS = 5;
/** What nothing does by itself; who sits down is told by where they are. */
const BY_HAND: ReadonlySet<unknown> = new Set(["power", "openness", "making", "fill"]);

/** Whether a change of state is one that a few looks misread: it happened in full view, and hardly any look tells of one side of it. */
export async function isMisread(event: EventRecord, thing: KnownThing, memory: Belief): Promise<boolean> {
  const { type, detail, validFromUs: fromUs } = event;
  const toUs = event.validToUs ?? fromUs;
  if (type !== "state-change" || !BY_HAND.has(detail["attribute"]) || toUs - fromUs > WITNESSED_US)
    return false;
  const during = { fromUs: fromUs - AROUND_US, toUs: toUs + AROUND_US };
  const looks = await sightingsOf(thing, memory, { during, limit: 200 });
  // Who looked now and then saw nothing happen before their eyes.
  if (looks.length < LEAST_LOOKS) return false;
  const before = looks.filter(({ timeUs }) => timeUs <= fromUs).length;
  return Math.min(before, looks.length - before) < LEAST_LOOKS;
}

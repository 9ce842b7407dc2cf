import { Belief } from "../belief/belief.ts";
import { observedSpan } from "../belief/span.ts";
import type { Hit, MemoryReader } from "../memory/port.ts";
import type { Believed } from "../schema/core.ts";

/** A search hit with the current belief about its thing. */
export interface FoundHit extends Hit {
  readonly believed?: Believed | undefined;
}

/** Things per page that get a belief; longer pages are for programs, which read records. */
const MOST_BELIEVED = 64;

/**
 * Adds the current belief to each hit. A search returns records as they were written; whether a thing is still there,
 * and where, comes from the belief.
 */
export async function withBelief(
  reader: MemoryReader,
  hits: readonly Hit[],
  sceneId?: string | undefined,
): Promise<FoundHit[]> {
  const belief = new Belief({ reader, nowUs: (await observedSpan(reader))?.toUs ?? 0, sceneId });
  const told: FoundHit[] = [];
  let count = 0;
  for (const hit of hits) {
    const isThing = hit.record.kind === "state" || hit.record.kind === "track";
    const believed = isThing && count++ < MOST_BELIEVED ? await believedOf(hit.record.id, belief) : undefined;
    told.push(believed === undefined ? hit : { ...hit, believed });
  }
  return told;
}

async function believedOf(id: string, belief: Belief): Promise<Believed | undefined> {
  const thing = await belief.thingById(id);
  if (thing === undefined) return undefined;
  const { status, lastSeenUs } = await belief.standing(thing);
  const room = await belief.roomOf(thing);
  const { trackId, name, state, position } = thing;
  return {
    trackId,
    stateId: state.id,
    name,
    status,
    lastSeenUs,
    ...(position && { position }),
    ...(room && { room: { id: room.id, name: room.name } }),
  };
}

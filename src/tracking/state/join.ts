import type { FluentChange } from "./fluents.ts";
import type { Thing } from "./thing.ts";
import type { Words } from "./words.ts";

/**
 * One of two records of one thing takes over the evidence of the other. Returns the changes that are visible only from
 * both.
 */
export function join(kept: Thing, lost: Thing): FluentChange[] {
  kept.shape.absorb(lost.shape);
  kept.shape.addViewpoints(lost.shape);
  kept.shape.joinTrail(lost.shape);
  kept.rivals.absorb(lost.rivals, kept);
  kept.rivals.forget(lost);
  return kept.evidence.absorb(lost.evidence);
}

/**
 * Removes the observations since a moment, which were of another thing: its last sighting and words are those from
 * before. Returns the sightings that were not written yet.
 */
export function disown(
  thing: Thing,
  sinceUs: number,
  lastOwnUs: number,
  wordsBefore: Words,
): Thing["identity"]["pending"] {
  const { evidence, identity } = thing;
  evidence.lastSeenUs = Math.max(evidence.firstSeenUs, lastOwnUs);
  evidence.seenBeforeUs = Math.min(evidence.seenBeforeUs, evidence.lastSeenUs);
  evidence.words = wordsBefore;
  evidence.contrary = undefined;
  const held = identity.pending;
  identity.pending = held.filter(({ timeUs }) => timeUs < sinceUs);
  return held.filter(({ timeUs }) => timeUs >= sinceUs);
}

/**
 * Adds those observations, and their place, to this thing, which arrived by the time of the other's last sighting at
 * the latest.
 */
export function inherit(
  other: Thing,
  from: Thing,
  looks: {
    readonly pending: Thing["identity"]["pending"];
    readonly count: number;
    readonly sinceUs: number;
    readonly words: Words | undefined;
  },
): void {
  const { evidence, shape } = other;
  if (looks.words) evidence.words.absorb(looks.words);
  other.identity.pending = looks.pending;
  shape.absorb(from.shape);
  shape.viewpoints = [...from.shape.viewpoints];
  evidence.detections = looks.count - 1;
  evidence.existence = looks.count;
  evidence.firstSeenUs = looks.sinceUs;
  evidence.seenAgainUs = looks.sinceUs;
  other.doubts.cameAfterUs = from.evidence.lastSeenUs;
}

import type { FluentChange } from "./fluents.ts";
import type { Thing } from "./thing.ts";
import type { Words } from "./words.ts";

/** One of two records of one thing takes over all that the other knew. Answers the changes that neither could see alone. */
export function join(kept: Thing, lost: Thing): FluentChange[] {
  kept.shape.absorb(lost.shape);
  kept.shape.addViewpoints(lost.shape);
  kept.shape.joinTrail(lost.shape);
  kept.rivals.absorb(lost.rivals, kept);
  kept.rivals.forget(lost);
  return kept.evidence.absorb(lost.evidence);
}

/**
 * Looks since a moment were of another: the one was last seen before it, and what they said is not said of it. Answers
 * the looks that nobody was told of yet.
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

/** Those looks, and the place where they were, are of this one, which came when the other was last seen at the latest. */
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

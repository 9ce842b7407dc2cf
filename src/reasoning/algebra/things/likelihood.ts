import type { KnownThing } from "../../../belief/thing.ts";
import { distance } from "../../../geometry/index.ts";
import type { Judge } from "./related.ts";
import type { ShareOfKinds } from "./surroundings.ts";

/** A thing or room that a description mentions beside its head. */
export interface Mention {
  /** The known things of that name; empty where none was seen. */
  readonly anchors: readonly KnownThing[];
  /** How well the given relation holds to the anchors. */
  readonly judge?: Judge | undefined;
  /** The kinds of rooms that it is usually in, or that it is. */
  readonly kinds: readonly string[];
  /** The named rooms themselves, where known. */
  readonly roomIds?: ReadonlySet<string> | undefined;
}

export interface Surroundings {
  /** Everything that is known; empty where it is too much to read. */
  readonly all: readonly KnownThing[];
  readonly shareOf: ShareOfKinds;
}

/**
 * A speaker sees the thing they mention: the likelihood falls with the distance, as its inverse beyond this, so that a
 * thing farther away is less likely and never excluded.
 */
const IN_VIEW_M = 0.5;
/** A thing this near would rather have been mentioned. */
const BESIDE_M = 1;

/** The evidence for a candidate. */
interface Terms {
  /** Nearness to what is mentioned: the log of the inverse distance to the nearest of each. */
  readonly near: number;
  /** How well the given relations hold, 0 to 1 for each. */
  readonly relation: number;
  /** Whether it is in a room for such things, 0 to 1 for each. */
  readonly room: number;
  /** Things right beside it that are not mentioned, as evidence against it. */
  readonly silence: number;
}

/** The weight of each term in the log of the likelihood, by bench/fit-descriptions.ts. */
export const WEIGHTS: Readonly<Terms> = { near: 1.5, relation: 0.6, room: 2.9, silence: -0.4 };

/**
 * The probability that each candidate is the one described, adding up to 1: by its name and look (its fit), by
 * everything mentioned and everything not mentioned. No term excludes a candidate.
 */
export function likelihoods(
  candidates: readonly KnownThing[],
  mentions: readonly Mention[],
  around: Surroundings,
): number[] {
  const logs = termsOf(candidates, mentions, around).map(
    ({ near, relation, room, silence }, n) =>
      Math.log(Math.max(candidates[n]!.fit, Number.MIN_VALUE)) +
      WEIGHTS.near * near +
      WEIGHTS.relation * relation +
      WEIGHTS.room * room +
      WEIGHTS.silence * silence,
  );
  const most = Math.max(...logs);
  const sum = logs.reduce((total, log) => total + Math.exp(log - most), 0);
  return logs.map((log) => Math.exp(log - most) / sum);
}

/** The terms of each candidate. */
export function termsOf(
  candidates: readonly KnownThing[],
  mentions: readonly Mention[],
  { all, shareOf }: Surroundings,
): Terms[] {
  const own = new Set(candidates.map(({ category }) => category));
  const named = new Set(mentions.flatMap(({ anchors }) => anchors.map(({ trackId }) => trackId)));
  const unnamed = all.filter(({ trackId, category }) => !own.has(category) && !named.has(trackId));
  return candidates.map((one) => {
    const silence = unnamed.reduce((sum, other) => sum + Math.exp(-metres(one, other) / BESIDE_M), 0);
    let [near, relation, room] = [0, 0, 0];
    for (const mention of mentions) {
      near += nearness(one, mention.anchors);
      relation += mention.judge?.(one).score ?? 0;
      room += roomShare(one, mention, shareOf);
    }
    return { near, relation, room, silence };
  });
}

function nearness(one: KnownThing, anchors: readonly KnownThing[]): number {
  const away = Math.min(
    ...anchors.filter(({ trackId }) => trackId !== one.trackId).map((other) => metres(one, other)),
  );
  return away === Infinity ? 0 : -Math.log(IN_VIEW_M + away);
}

function metres(a: KnownThing, b: KnownThing): number {
  return a.position && b.position ? distance(a.position, b.position) : Infinity;
}

function roomShare(one: KnownThing, { kinds, roomIds }: Mention, shareOf: ShareOfKinds): number {
  if (roomIds) return roomIds.has(one.roomId ?? "") ? 1 : 0;
  return kinds.length === 0 ? 0 : shareOf(one, kinds);
}

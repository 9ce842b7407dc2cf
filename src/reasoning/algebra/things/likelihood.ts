import { distance } from "../../../geometry/index.ts";
import type { KnownThing } from "../../memory-view/thing.ts";
import type { Judge } from "./related.ts";
import type { ShareOfKinds } from "./surroundings.ts";

/** Something that a description mentions beside what it describes. */
export interface Mention {
  /** Those of its name that are known; none where nobody saw any. */
  readonly anchors: readonly KnownThing[];
  /** How well the relation that is said holds to the anchors. */
  readonly judge?: Judge | undefined;
  /** Kinds of rooms that it is usually in, or that it is. */
  readonly kinds: readonly string[];
  /** The very rooms that are named, where they are known. */
  readonly roomIds?: ReadonlySet<string> | undefined;
}

export interface Surroundings {
  /** Everything that is known; empty where it is too much to be read. */
  readonly all: readonly KnownThing[];
  readonly shareOf: ShareOfKinds;
}

/**
 * Who mentions a thing has it in view: how likely that is falls with the distance, as its inverse beyond this, so that
 * a thing farther away is less likely and never ruled out.
 */
const IN_VIEW_M = 0.5;
/** A relation that holds as it is said makes a thing so many times as likely (e to this), beside being near. */
const RELATION = 1;
/** What belongs into the kind of room that a thing is in is e to this times as likely to be mentioned as what does not. */
const ROOM = 2;
/** What stands so near would rather have been mentioned, and how much not being mentioned says. */
const BESIDE_M = 1;
const SILENCE = 0.1;

/**
 * How likely each of the candidates is the one that is described, adding up to 1: by what it is called and looks like
 * (its fit), by all that is mentioned and by what is not. No term rules anything out.
 */
export function likelihoods(
  candidates: readonly KnownThing[],
  mentions: readonly Mention[],
  { all, shareOf }: Surroundings,
): number[] {
  const own = new Set(candidates.map(({ category }) => category));
  const named = new Set(mentions.flatMap(({ anchors }) => anchors.map(({ trackId }) => trackId)));
  const unnamed = all.filter(({ trackId, category }) => !own.has(category) && !named.has(trackId));
  const logs = candidates.map((one) => {
    let log = Math.log(Math.max(one.fit, Number.MIN_VALUE)) - SILENCE * crowding(one, unnamed);
    for (const mention of mentions) log += besides(one, mention) + ROOM * roomShare(one, mention, shareOf);
    return log;
  });
  const most = Math.max(...logs);
  const sum = logs.reduce((total, log) => total + Math.exp(log - most), 0);
  return logs.map((log) => Math.exp(log - most) / sum);
}

/** How near it is to what is mentioned, and whether it stands to it as is said. */
function besides(one: KnownThing, { anchors, judge }: Mention): number {
  const others = anchors.filter(({ trackId }) => trackId !== one.trackId);
  if (others.length === 0 || !one.position) return 0;
  const near = Math.max(...others.map((other) => -Math.log(IN_VIEW_M + metres(one, other))));
  return near + RELATION * (judge?.(one).score ?? 0);
}

function metres(a: KnownThing, b: KnownThing): number {
  return a.position && b.position ? distance(a.position, b.position) : Infinity;
}

function roomShare(one: KnownThing, { kinds, roomIds }: Mention, shareOf: ShareOfKinds): number {
  if (roomIds) return roomIds.has(one.roomId ?? "") ? 1 : 0;
  return kinds.length === 0 ? 0 : (shareOf(one, kinds) ?? 1 / 2);
}

/** How much stands right beside it. */
function crowding(one: KnownThing, others: readonly KnownThing[]): number {
  return others.reduce((sum, other) => sum + Math.exp(-metres(one, other) / BESIDE_M), 0);
}

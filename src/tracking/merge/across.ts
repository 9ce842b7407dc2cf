import { distance, gapBetween, inflate } from "../../geometry/index.ts";
import type { Journal } from "../records/journal.ts";
import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import { isFluent } from "../state/fluents.ts";
import { nearness } from "../state/nearness.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import { mergeKnown } from "./merging.ts";
import { SameThing } from "./same-thing.ts";

const SAME = new SameThing();

/**
 * Things of two maps that were joined, one with one: each robot has counted what it saw, so that two of one map are never
 * one, and what is left over beside what is left over of its kind is that. Nearest first.
 */
export function mergeAcross(scene: Scene, isOther: (thing: Thing) => boolean, journal: Journal): void {
  const all = [...scene.things.values()].filter(({ isConfirmed }) => isConfirmed);
  const pairs = all
    .filter((thing) => !isOther(thing))
    .flatMap((one) =>
      [...scene.things.near(inflate(one.worldBox, MERGE.farthestM))]
        .filter((other) => other.isConfirmed && isOther(other) && mayBeOne(scene, one, other))
        .map((other) => ({ one, other, awayM: awayOf(one, other) })),
    )
    .sort((p, q) => p.awayM - q.awayM || (p.one.stateId < q.one.stateId ? -1 : 1));
  const taken = new Set<Thing>();
  for (const { one, other } of pairs) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
    mergeKnown(scene, one, other, journal);
  }
}

function mayBeOne(scene: Scene, one: Thing, other: Thing): boolean {
  const near = nearness(one, other, true);
  const isOneBody = near === "one-body" || near === "within";
  if (one.words.category !== other.words.category)
    return isOneBody && SAME.logOdds(scene, one, other) >= MERGE.nowOdds;
  if (isOneBody) return true;
  if (one.words.attributeBalance(other.words, isFluent).conflict > 0) return false;
  return near !== "apart" || gapBetween(one.worldBox, other.worldBox) <= reachOf(one, other);
}

/** Middles of large things depend on how much of them was seen. */
function reachOf(one: Thing, other: Thing): number {
  return Math.min(MERGE.farthestM, COMMON.touchM + 0.25 * Math.max(one.diagonalM, other.diagonalM));
}

/** Kinds come before distances: a chair beside a chair is that chair, not the stool between them. */
function awayOf(one: Thing, other: Thing): number {
  const awayM = distance(one.centre, other.centre);
  return one.words.category === other.words.category ? awayM : awayM + 2 * MERGE.farthestM;
}

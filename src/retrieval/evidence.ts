import type { Box, Interval, Vec3 } from "../geometry/index.ts";
import type { Hit, KeyScores } from "../memory/index.ts";
import type { Presence, RecordKind, Stored } from "../schema/core.ts";

/** One record that was found: always the whole of it, with where, when and why. Higher scores are better. */
export interface Evidence {
  readonly id: string;
  readonly kind: RecordKind;
  readonly record: Stored;
  readonly score: number;
  /** The score of each key by itself. */
  readonly scores: KeyScores;
  /** Centre in the world at the reader's map revision. */
  readonly position?: Vec3;
  readonly box?: Box;
  /** For a state: when it was first and last seen, and when it was found gone. */
  readonly presence?: Presence;
  /** Other times at which the same things were seen, newest first. */
  readonly alsoSeen?: readonly Interval[];
  /** For a leaf of the forest: the regions above it, nearest first. */
  readonly chain?: readonly string[];
  /** The steps that brought it in. */
  readonly why: readonly string[];
}

/** Things that belong together for the question: a transient cluster of the bottleneck, never stored. */
export interface EvidenceCluster {
  readonly states: readonly string[];
  /** Best cosine of any member with any cue. */
  readonly score: number;
  /** 1 − p(null): how much of it has to do with the question. */
  readonly relevance: number;
}

/**
 * A record on its way through a plan: named and scored, but read only when a step needs more than that. Pools are
 * a hundred wide and results six, so most of what a plan considers is never read.
 */
export interface Item {
  readonly id: string;
  readonly score: number;
  readonly scores: KeyScores;
  readonly why: readonly string[];
  /** The record, once it was read. */
  readonly hit?: Hit;
  readonly alsoSeen?: readonly Interval[];
  readonly chain?: readonly string[];
}

export type ReadItem = Item & { readonly hit: Hit };

/** An item as it leaves a plan. */
export function evidenceOf(item: ReadItem, presence: Presence | undefined): Evidence {
  const { hit, id, score, scores, why, alsoSeen, chain } = item;
  const { record, position, box } = hit;
  return {
    id,
    kind: record.kind,
    record,
    score,
    scores,
    ...(position && { position }),
    ...(box && { box }),
    ...(presence && { presence }),
    ...(alsoSeen && { alsoSeen }),
    ...(chain && { chain }),
    why,
  };
}

/** The lines by which a record is found, as one text. */
export function textOf(record: Stored): string {
  return record.text.join(" ");
}

/** Ids of the states that a record speaks of. */
export function statesOf(record: Stored): readonly string[] {
  switch (record.kind) {
    case "caption":
      return record.states;
    case "view":
      return record.visible.map(({ stateId }) => stateId);
    case "state":
      return [record.id];
    default:
      return [];
  }
}

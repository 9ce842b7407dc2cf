import type { Box, Vec3 } from "../geometry/index.ts";
import { centreOf, diagonalOf, dot } from "../geometry/index.ts";
import type { LiftedDetection, Percept } from "../schema/core.ts";
import { AbsenceEvidence } from "./absence-evidence.ts";
import { Fluents } from "./fluents.ts";
import { Rivals } from "./rivals.ts";
import { type PlaceOf, Shape } from "./shape.ts";
import type { Hashed } from "./spatial-hash.ts";
import { Words } from "./words.ts";

/** Cosine between two directions that count as the same side. */
const USUAL_SIDE = 0.5;

export type ThingType = "object" | "mover" | "person";

/** One look that matched: what a sighting row will say. */
export interface Look {
  readonly timeUs: number;
  readonly agentId: string;
  readonly observationId: string;
  readonly detectionId: string;
  readonly labels: readonly string[];
  /** Where it was seen, in the submap of that look. */
  readonly submap: string;
  readonly positionInSubmap: Vec3;
}

/** One detection as a look at whatever it is of. */
export function lookOf({ id, solid }: LiftedDetection, percept: Percept): Look {
  const { timeUs, agentId, observationId, labels, submap } = percept;
  return {
    timeUs,
    agentId,
    observationId,
    detectionId: id,
    labels,
    submap,
    positionInSubmap: solid!.centroid,
  };
}

/** From about where it was seen before, if that is known: a sign on a wall is not reported from behind the wall. */
export function isUsualSide({ viewpoints }: Pick<Thing, "viewpoints">, direction: Vec3): boolean {
  return viewpoints.length === 0 || viewpoints.some((known) => dot(known, direction) > USUAL_SIDE);
}

/** What the memory was last told about a thing: only a difference from it is worth a version. */
export interface Written {
  readonly key: string;
  readonly submap: string | undefined;
  readonly p: Vec3 | undefined;
  readonly diagonalM: number;
  readonly atUs: number;
}

/**
 * One stay of one thing at one place, while it is open: the working form of a state record. Tentative until
 * confirmed; then the memory knows it by `stateId`, and every later look refines it.
 */
export class Thing implements Hashed {
  readonly stateId: string;
  trackId: string;
  type: ThingType = "object";
  readonly labels: readonly string[];
  readonly author: string;
  words = new Words();
  readonly shape = new Shape();
  readonly fluents = new Fluents();
  readonly rivals = new Rivals<Thing>();
  readonly absence = new AbsenceEvidence();
  worldBox: Box;
  cells: number[] = [];
  visit = 0;

  isConfirmed = false;
  /** Known from an earlier run. */
  isStored = false;
  /** Log-odds of being real, from looks that reported it and looks that should have. */
  existence = 0;
  detections = 0;
  firstSeenUs: number;
  lastSeenUs: number;
  /** Set when the stay is over. */
  endedUs: number | undefined;
  /** Ended because a thing like it was met elsewhere; nobody has seen its place without it. */
  isPresumedGone = false;
  /** When it was in view without being reported, while still tentative: since when, and for how long in all. */
  missedSinceUs: number | undefined;
  opportunityUs = 0;
  /** Looks not written yet: all of them while tentative or contrary, else at most the last one. */
  pending: Look[] = [];
  lastWrittenUs = -Infinity;
  /** Directions from the thing to the cameras that saw it first and from elsewhere. */
  viewpoints: Vec3[] = [];
  /** Pixels reported, of those that its box would cover: what a detector makes of it. */
  fill = 1;
  /** Pixels reported, brought to a metre's distance, on average of late. */
  pxAtMetre: number | undefined;
  /** Of its largest look. */
  mostPx = 0;
  /** The best score that a detector gave to a look at it. */
  surest = 0;
  /** Looks that were taken for pieces of it, beside the one it was given. */
  fragments = 0;
  /** Looks that should have reported it before it was seen again, and since. */
  misses = 0;
  missesSince = 0;
  /** Share of its box that was seen through while it was there, on average of late. */
  transparency: number | undefined;
  /** Share of what is under and behind it that is seen in its place while it is there, on average of late. */
  emptiness: { readonly mean: number; readonly looks: number } | undefined;
  /** Where a mover was lately. */
  trail: { timeUs: number; position: Vec3 }[] = [];
  /** Surface points of the best look, in its submap. */
  surface: { submap: string; points: Float32Array; weight: number } | undefined;
  written: Written | undefined;
  regionId: string | undefined;
  supportedBy: string | undefined;
  insideOf: string | undefined;
  movedFrom: { stateId: string; p: number } | undefined;
  /** The track it had before a move was found, to go back to when that turns out wrong. */
  ownTrackId: string;
  /** Records that turned out to be of this thing and were merged into it. */
  absorbed: Thing[] = [];
  /** When its place was last seen without it, before it was first seen there. */
  cameAfterUs: number | undefined;
  /** The next stay of the same thing. */
  successor: Thing | undefined;
  /** A run of looks that say another colour or material: a twin in its place. */
  contrary:
    | {
        name: string;
        value: string | number | boolean;
        count: number;
        firstUs: number;
        /** When it was last seen before the run, and what was said of it until then. */
        lastOwnUs: number;
        before: Words;
        /** What the looks of the run said. */
        after: Words;
      }
    | undefined;

  constructor(options: {
    readonly stateId: string;
    readonly trackId: string;
    readonly labels: readonly string[];
    readonly author: string;
    readonly worldBox: Box;
    readonly timeUs: number;
  }) {
    this.stateId = options.stateId;
    this.trackId = options.trackId;
    this.ownTrackId = options.trackId;
    this.labels = options.labels;
    this.author = options.author;
    this.worldBox = options.worldBox;
    this.firstSeenUs = options.timeUs;
    this.lastSeenUs = options.timeUs;
  }

  get centre(): Vec3 {
    return centreOf(this.worldBox);
  }

  get diagonalM(): number {
    return diagonalOf(this.worldBox);
  }

  /** It was there at that time: whatever spoke for its being gone is over. */
  seenAt(timeUs: number): void {
    this.lastSeenUs = Math.max(this.lastSeenUs, timeUs);
    this.absence.clear(timeUs);
    this.misses += this.missesSince;
    this.missesSince = 0;
  }

  /** Whether the fused box has enough looks behind it to argue with. */
  get isEstablished(): boolean {
    return this.detections >= 3;
  }

  /** Recomputes the box after a look or a correction; keeps the old one when no submap can be placed. */
  replace(placeOf: PlaceOf): void {
    this.worldBox = this.shape.boxInWorld(placeOf) ?? this.worldBox;
  }
}

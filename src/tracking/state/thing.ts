import type { Box, Vec3 } from "../../geometry/index.ts";
import { dot } from "../../geometry/index.ts";
import { COMMON } from "../settings/common.ts";
import { Doubts } from "./doubts.ts";
import { Evidence } from "./evidence.ts";
import { Identity, type ThingType } from "./identity.ts";
import { Links } from "./links.ts";
import { Rivals } from "./rivals.ts";
import { type PlaceOf, Shape } from "./shape.ts";
import type { Hashed } from "./spatial-hash.ts";
import type { Words } from "./words.ts";

/**
 * From about a side from which it was seen before, if any is known: a sign on a wall is not reported from behind the
 * wall.
 */
export function isUsualSide({ shape: { viewpoints } }: Thing, direction: Vec3): boolean {
  return viewpoints.length === 0 || viewpoints.some((known) => dot(known, direction) > COMMON.alongCosine);
}

/**
 * One stay of one thing at one place, while it is open: the working form of a state record. Tentative until confirmed;
 * then the memory knows it by `stateId`, and every later observation refines it. Each part is written by one stage
 * alone (`stages.test.ts` checks this); `join.ts`, which joins two records or splits one, accesses all parts.
 */
export class Thing implements Hashed {
  readonly stateId: string;
  readonly type: ThingType;
  readonly labels: readonly string[];
  readonly author: string;
  /** Its track, confirmation, end and last written version: by `records`. */
  readonly identity: Identity<Thing>;
  /** Its position, size and visibility: by `observe`. */
  readonly shape: Shape;
  /** The evidence from its sightings: by `observe`. */
  readonly evidence: Evidence;
  /** The evidence from observations without it: by `presence`. */
  readonly doubts = new Doubts();
  /** Whether its neighbours are other things: by `merge`. */
  readonly rivals = new Rivals<Thing>();
  /** Its earlier and later places, and its support: by `moves`. */
  readonly links = new Links<Thing>();

  constructor(options: {
    readonly stateId: string;
    readonly trackId: string;
    readonly type: ThingType;
    readonly labels: readonly string[];
    readonly author: string;
    readonly worldBox: Box;
    readonly timeUs: number;
  }) {
    this.stateId = options.stateId;
    this.type = options.type;
    this.labels = options.labels;
    this.author = options.author;
    this.identity = new Identity(options.trackId);
    this.shape = new Shape(options.worldBox);
    this.evidence = new Evidence(options.timeUs);
  }

  get trackId(): string {
    return this.identity.trackId;
  }

  get isConfirmed(): boolean {
    return this.identity.isConfirmed;
  }

  get words(): Words {
    return this.evidence.words;
  }

  get worldBox(): Box {
    return this.shape.box;
  }

  get centre(): Vec3 {
    return this.shape.centre;
  }

  get diagonalM(): number {
    return this.shape.diagonalM;
  }

  /** It was there at that time: the evidence for its absence is dropped. */
  seenAt(timeUs: number): void {
    this.evidence.lastSeenUs = Math.max(this.evidence.lastSeenUs, timeUs);
    this.doubts.clear();
  }

  /** Recomputes the box after an observation or a correction; keeps the old one when no submap has a known place. */
  replace(placeOf: PlaceOf): void {
    this.shape.box = this.shape.boxInWorld(placeOf) ?? this.shape.box;
  }
}

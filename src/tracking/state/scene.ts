import type { Mode } from "../settings/mode.ts";
import { RECORDS } from "../settings/records.ts";
import type { Adjudicator } from "./adjudicator.ts";
import { PastViews } from "./past-views.ts";
import { Readings } from "./readings.ts";
import { ShownParts } from "./shown-parts.ts";
import { SpatialHash } from "./spatial-hash.ts";
import { SubmapPlaces } from "./submap-places.ts";
import type { Thing } from "./thing.ts";
import type { Background } from "./words.ts";

/** The data of a track beside its states. */
export interface TrackEntry {
  readonly id: string;
  readonly author: string;
  readonly labels: readonly string[];
  firstSeenUs: number;
  mergedInto: string | undefined;
  maybeSameAs: { id: string; p: number }[];
}

/**
 * All that tracking knows at a moment: the open stays by place, those that ended lately, their tracks, and the places
 * of the submaps. Every stage works on it.
 */
export class Scene {
  readonly sceneId: string;
  readonly mode: Mode;
  readonly background: Background;
  readonly adjudicator: Adjudicator;
  /** Open stays of things that do not move by themselves, confirmed or not. */
  readonly things = new SpatialHash<Thing>(RECORDS.cellM);
  /** People and other movers: few, and searched by how far they can have gone, not by a cell. */
  readonly movers = new Set<Thing>();
  readonly places = new SubmapPlaces();
  readonly past = new PastViews();
  readonly readings = new Readings();
  readonly mapParts = new ShownParts();
  readonly tracks = new Map<string, TrackEntry>();
  /** Tracks of movers from an earlier run. */
  readonly moverTracks = new Map<string, "person" | "mover">();
  /** Confirmed stays by state id, open or lately ended. */
  readonly byState = new Map<string, Thing>();
  /** States that were merged away, and the stay that took over: observations of this run may still refer to them. */
  readonly mergedStates = new Map<string, Thing>();
  /** In order of ending. */
  readonly ended: Thing[] = [];
  /** Confirmed stays without a linked move so far. */
  readonly unlinked = new Set<Thing>();
  /** Things seen a moment ago: their last sighting, and its changes, may not be written yet. */
  readonly active = new Set<Thing>();
  tentatives = 0;
  latestUs = -Infinity;

  constructor(options: {
    readonly sceneId: string;
    readonly mode: Mode;
    readonly background: Background;
    readonly adjudicator: Adjudicator;
  }) {
    this.sceneId = options.sceneId;
    this.mode = options.mode;
    this.background = options.background;
    this.adjudicator = options.adjudicator;
  }

  /** Files a thing by its box, again after each change of the box. */
  settle(thing: Thing): void {
    thing.replace(this.places.placeOf);
    if (thing.type === "object") this.things.add(thing);
  }

  drop(thing: Thing): void {
    this.things.remove(thing);
    this.movers.delete(thing);
    this.active.delete(thing);
    this.unlinked.delete(thing);
  }

  /** A confirmed stay whose thing may have come from elsewhere. */
  watchFor(thing: Thing): void {
    this.unlinked.add(thing);
    forgetOldest(this.unlinked, RECORDS.maxEnded);
  }

  /** Notes which stay took over a merged one. */
  redirect(stateId: string, kept: Thing): void {
    this.mergedStates.set(stateId, kept);
    forgetOldest(this.mergedStates, RECORDS.maxEnded);
  }

  /** Takes a stay out of the open ones and keeps it for a while, since its thing may appear elsewhere. */
  retire(thing: Thing): void {
    this.drop(thing);
    this.ended.push(thing);
    if (this.ended.length > RECORDS.maxEnded) this.byState.delete(this.ended.shift()!.stateId);
  }

  /** The track that a track was merged into, or itself. */
  trackOf(trackId: string): string {
    let at = trackId;
    for (let n = 0; n < RECORDS.maxHops; n++) {
      const up = this.tracks.get(at)?.mergedInto;
      if (up === undefined) return at;
      at = up;
    }
    return at;
  }

  isOpen(thing: Thing): boolean {
    return this.things.has(thing) || this.movers.has(thing);
  }
}

/** Sets and maps keep the order of insertion: the first is the oldest. */
function forgetOldest<K>(kept: Set<K> | Map<K, unknown>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}
